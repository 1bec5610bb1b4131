import { useSignal } from '@preact/signals'
import { Ban, Check, ChevronRight, CircleHelp, LoaderCircle, ShieldQuestion, X } from '../../parts/icons'
import type { Approval } from '../../approvals/approval'
import { ApprovalCard } from '../../approvals/approval-card'
import { hasEnded } from '../../approvals/following'
import { formatState } from '../../parts/badge'
import { formatName, formatOperation } from '../../parts/label'
import { formatCount } from '../../parts/money'
import { Result } from '../../parts/value'
import { operationOf } from '../../results/registry'
import { TypedResult } from '../../results/typed'
import { formatDay } from '../costs/range'
import type { CallEntry } from './transcript'
import { Unasked } from './unasked'
import { say, sayKnown } from '../../texts/say'

interface Props { call: CallEntry, onChange: (approval: Approval) => void }

const icons = {
  succeeded: Check,
  failed: X,
  timed_out: X,
  denied: Ban,
  rejected: Ban,
  expired: Ban,
  superseded: Ban,
  cancelled: Ban,
  unknown: CircleHelp,
  awaiting_confirmation: ShieldQuestion,
  awaiting: ShieldQuestion
} as const

const isIn = <T extends object>(map: T, key: PropertyKey): key is keyof T => key in map

const StatusIcon = ({ status }: { status: string }) => {
  if (isIn(icons, status)) {
    const Icon = icons[status]
    return <Icon size={15} aria-hidden='true' />
  }
  return <LoaderCircle size={15} class='spin' aria-hidden='true' />
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** Words in capitals are the API's own, such as MONTHLY; several are separated by commas. */
const formatArgument = (value: string | number): string => {
  if (typeof value === 'number') return formatCount(value)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value)
  return /^[A-Z_]{3,}(,[A-Z_]{3,})*$/.test(value)
    ? value.split(',').map((word) => sayKnown(`state.${word.toLowerCase()}`) ?? word).join(', ')
    : formatName(value)
}

/** @returns the arguments in a few words, which distinguish similar calls */
const hint = (args: unknown): string => {
  if (typeof args !== 'object' || args === null) return ''
  const simple = Object.values(args).filter((value) => typeof value === 'string' || typeof value === 'number')
  return simple.map(formatArgument).join(' · ')
}

const countOf = (result: unknown): string => {
  // A list of the API has its entries in `items`; other results have no count.
  const items = typeof result === 'object' && result !== null && 'items' in result ? result.items : undefined
  return Array.isArray(items) ? say('chat.entries', { count: items.length }) : ''
}

type Called = { id?: string } &
  Pick<CallEntry, 'name' | 'status' | 'arguments' | 'result' | 'truncated'>

/** The arguments of a call, unless its card has them, and its result. */
export const CallDetails = ({ call, isCarded = false }: { call: Called, isCarded?: boolean }) => <div class='call-details'>
  {!isCarded && !isEmpty(call.arguments) && <><h4>{say('chat.arguments')}</h4><Result value={call.arguments} /></>}
  {call.result !== undefined && call.result !== null && <>
    <h4>{say('chat.result')}</h4>
    <TypedResult call={call} />
  </>}
</div>

/** @returns whether what came back of an approved write is drawn at once: it has a picture of its own, or says why it failed */
const isDrawn = ({ approval, name, status }: CallEntry): boolean => approval?.status === 'approved' &&
  (status === 'succeeded' ? operationOf(name).view !== undefined : status === 'failed' || status === 'timed_out')

/** One tool call: name and outcome; when open, its arguments and result. */
export const CallCard = ({ call: given, onChange }: Props) => {
  // The stream says that it runs only once it does: from the decision on it is not awaited any more.
  const call = given.approval?.status === 'approved' && !hasEnded(given.status) ? { ...given, status: 'running' } : given
  const turned = useSignal<boolean | undefined>(undefined)
  const isOpen = turned.value ?? isDrawn(call)
  const { approval, unasked } = call
  const by = unasked?.decided_by ?? call.decided_by
  return (
    <div class={`call ${call.status}`}>
      {by !== undefined && <Unasked by={by} plan={unasked} />}
      {approval && <ApprovalCard approval={approval} onChange={onChange} became={call.status} />}
      {approval?.status === 'pending' && call.still_waits && <p class='small muted'>{say('chat.stillWaits')}</p>}
      {approval?.status !== 'pending' && <>
        <button type='button' class='call-head' aria-expanded={isOpen} onClick={() => { turned.value = !isOpen }}>
          <StatusIcon status={call.status} />
          <span class='call-name'>{formatOperation(call.name)}</span>
          <span class='clip muted grow'>{hint(call.arguments)}</span>
          <span class='muted nowrap'>
            {call.status === 'succeeded' ? countOf(call.result) : formatState(call.status)}
          </span>
          <ChevronRight size={15} aria-hidden='true' class='chevron' />
        </button>
        {isOpen && <CallDetails call={call} isCarded={approval !== undefined} />}
      </>}
    </div>
  )
}
