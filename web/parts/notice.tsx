import type { ComponentChildren } from 'preact'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons'
import { offline } from '../api/connection'
import { Problem } from '../api/problem'
import { say, sayWith, type Key } from '../texts/say'
import { translate } from '../texts/translate'

const icons = { bad: CircleAlert, good: CircleCheck, info: Info, warn: TriangleAlert }

interface Props { tone?: keyof typeof icons, children: ComponentChildren, action?: ComponentChildren }

export const Notice = ({ tone = 'info', children, action }: Props) => {
  const Icon = icons[tone]
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={17} aria-hidden='true' />
      <div class='grow'>{children}</div>
      {action}
    </div>
  )
}

interface Described { title: string, detail: string | undefined }

/** An id that can be none: the address of the page was changed, or cut when it was copied. */
const isOfAddress = ({ code, pointer }: Problem): boolean =>
  code === 'invalid_request' && pointer?.startsWith('/params/') === true

/** @returns a problem in the language of the screen; in another one than the server's, its own words are the detail */
export const describeProblem = (problem: Problem): Described => {
  if (isOfAddress(problem)) return { title: say('problem.address'), detail: undefined }
  const { code, status, message, body } = problem
  const title = translate('errors', code)
  if (title === code) return { title: message, detail: undefined }
  return { title, detail: status === 0 || message === body?.title ? undefined : translate('details', message) }
}

/**
 * @returns what was in the way of the call that Steward made for this one: problems of plans and calls carry it as
 *   `cause`, which their schema does not list
 */
export const readCause = ({ body }: Problem): Problem | undefined => {
  const { cause } = (body ?? {}) as { cause?: Partial<NonNullable<Problem['body']>> }
  if (typeof cause !== 'object' || typeof cause.code !== 'string') return undefined
  const text = cause.detail ?? cause.title ?? cause.code
  return new Problem(cause.code, cause.status ?? 0, text, cause)
}

/** A pattern says nothing to a person: the field's hint does. */
export const describeFault = (message: string): string =>
  /^must match pattern/.test(message) ? say('problem.format') : translate('faults', message)

/** "/body/desired_count" is the field "desired count". */
const describePointer = (pointer: string): string =>
  pointer.replace(/^\/(?:body|query|params|arguments)(?=\/)/, '').slice(1).replaceAll('/', ' › ').replaceAll('_', ' ')

/** What to do about a problem, by its code. */
const advice: Record<string, Key> = {
  unreachable: 'problem.unreachable',
  plan_unavailable: 'problem.plan_unavailable',
  rate_limited: 'problem.rate_limited',
  insufficient_role: 'problem.insufficient_role',
  cloud_access_denied: 'problem.cloud_access_denied',
  codehost_not_connected: 'problem.codehost_not_connected'
}

interface ProblemProps {
  problem: Problem
  retry?: () => void
  /** Pointers of fields that show their errors themselves. */
  shown?: readonly string[]
}

const Fields = ({ of }: { of: readonly { pointer: string, message: string }[] }) => of.length === 0
  ? null
  : <ul>{of.map(({ pointer, message }) =>
    <li key={pointer + message}>{describePointer(pointer)}: {describeFault(message)}</li>)}
  </ul>

/** The API's description of a problem, with advice. That nothing answers is said once for the whole page. */
export const ProblemNotice = (props: ProblemProps) =>
  props.problem.code === 'unreachable' && offline.value ? null : <OneProblem {...props} />

/** What was in the way, below what did not work. */
export const Cause = ({ of }: { of: Problem }) => {
  const { title, detail } = describeProblem(of)
  return (
<div class='small' lang={detail === undefined ? undefined : 'en'}>
    {detail === undefined ? title : `${title}: ${detail}`}
</div>
  )
}

const OneProblem = ({ problem, retry, shown = [] }: ProblemProps) => {
  const { code, body } = problem
  const found = readCause(problem)
  const cause = found && problem.message.includes(found.message) ? undefined : found
  const advised = advice[found?.code ?? code] ?? advice[code]
  const { title, detail } = describeProblem(problem)
  return (
    <Notice
      tone='bad'
      action={retry && <button class='small' type='button' onClick={retry}>{say('problem.again')}</button>}
    >
      <strong>{title}</strong>
      {detail !== undefined && <div class='small' lang='en'>{detail}</div>}
      {cause && <Cause of={cause} />}
      {!isOfAddress(problem) && <Fields of={body?.errors?.filter(({ pointer }) => !shown.includes(pointer)) ?? []} />}
      {advised && <div class='small'>{say(advised)}</div>}
      {body?.request_id && <div class='small muted' title={code}>
        {sayWith('problem.request', { id: <code>{body.request_id}</code> })}
      </div>}
    </Notice>
  )
}
