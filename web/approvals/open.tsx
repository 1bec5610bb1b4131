import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { Badge } from '../parts/badge'
import { Notice, ProblemNotice } from '../parts/notice'
import { TimeLeft } from '../parts/time'
import type { Approval, Outcome, Shown } from './approval'
import { argumentsOf, ArgumentsForm, textsOf, type Texts } from './arguments-form'
import { useDecision, type OnChange } from './decision'
import { Details } from './details'
import { Head } from './head'
import { usePlanning } from './planning'
import { Preview } from './preview'
import { Whole } from './whole'

interface ButtonsProps {
  busy: boolean
  unread: boolean
  /** Offers neither approval nor edit. */
  rejectOnly: boolean
  editable: boolean
  onApprove: () => void
  onReject: () => void
  onEdit: () => void
}

const Buttons = ({ busy, unread, rejectOnly, editable, onApprove, onReject, onEdit }: ButtonsProps) => <div
  class='row tight'
>
  {!rejectOnly && <button
    type='button' class='primary' disabled={busy} aria-disabled={unread} aria-keyshortcuts='a' onClick={onApprove}
  >
    Approve <kbd aria-hidden='true'>A</kbd>
  </button>}
  <button
    type='button' class='danger' disabled={busy} aria-disabled={unread} aria-keyshortcuts='r' onClick={onReject}
  >
    Reject <kbd aria-hidden='true'>R</kbd>
  </button>
  {!rejectOnly && editable && <button type='button' disabled={busy} aria-keyshortcuts='e' onClick={onEdit}>
    Edit <kbd aria-hidden='true'>E</kbd>
  </button>}
</div>

/** Explains why the card has changed. */
const Notes = ({ approval, decision }: { approval: Approval, decision: ReturnType<typeof useDecision> }) => {
  const { why, stale, problem } = decision
  return (
    <>
      {approval.replaces !== null && <Notice tone='warn'>
        The state has changed since you first saw this. Nothing was done. Decide on the current state.
      </Notice>}
      {why && <Notice tone='bad'><strong>{why.message}</strong> You can only reject it.</Notice>}
      {stale && <Notice tone='warn'>
        You planned another edit in another window. Nothing was decided. This is what the edit here would do.
      </Notice>}
      {problem && <ProblemNotice problem={problem} />}
    </>
  )
}

export const risks = { low: 'plain', medium: 'warn', high: 'bad' } as const

interface EditingProps { approval: Approval, texts: Texts | undefined }

const useEdit = ({ approval, texts }: EditingProps) => {
  const planning = usePlanning(approval, texts && argumentsOf(approval, texts))
  const shown: Shown = texts ? planning.shown : approval
  return { planning, shown, isPlanned: texts === undefined || planning.problem === undefined }
}

interface Props {
  approval: Approval
  headId: string
  onChange: OnChange
  onWhole: (whole: Approval) => void
  /** The focused element may be gone. */
  onLost: () => void
}

/** A pending approval: what the call would change, and the decision on exactly that. */
export const Open = ({ approval, headId, onChange, onWhole, onLost }: Props) => {
  const texts = useSignal<Texts | undefined>(undefined)
  const { planning, shown, isPlanned } = useEdit({ approval, texts: texts.value })
  const show = (next: Texts | undefined) => {
    texts.value = next
    onLost()
  }
  const onEnd = (outcome?: Outcome) => {
    if (outcome?.kind === 'plan') {
      planning.offer(outcome.plan)
      texts.value ??= textsOf({ ...approval, arguments: outcome.plan.arguments })
    } else if (outcome?.kind === 'stale') planning.again()
    // The next approval already has the typed arguments.
    else if (outcome) texts.value = undefined
    onLost()
  }
  const decision = useDecision(approval, onChange, onEnd)
  const { busy, unread, run, reload } = decision
  const isClosed = planning.problem?.code === 'confirmation_closed'
  useEffect(() => { if (isClosed) void reload() }, [isClosed])
  const { input_digest } = shown
  const isEdited = input_digest !== approval.input_digest
  const approve = () => { void run({ approved: true, input_digest, ...(isEdited && { arguments: shown.arguments }) }) }
  const reject = () => { void run({ approved: false, input_digest: approval.input_digest }) }
  return (
    <>
      <Head id={headId} approval={approval} summary={shown.summary}>
        <Badge tone={risks[shown.risk]}>{shown.risk} risk</Badge>
        <TimeLeft until={approval.expires_at} />
      </Head>
      <Notes approval={approval} decision={decision} />
      {isPlanned && <div class={planning.busy ? 'stack tight old' : 'stack tight'} aria-busy={planning.busy}>
        <Preview rows={shown.preview} again={!isEdited && approval.replaces !== null} />
      </div>}
      {!isEdited && <Whole approval={approval} onWhole={onWhole} />}
      <Details approval={approval} shown={shown} />
      {texts.value && !decision.why
        ? <ArgumentsForm
            approval={approval} texts={texts.value} planning={planning} busy={busy || unread} onApprove={approve}
            onTexts={(next) => { texts.value = next }} onCancel={() => show(undefined)}
        />
        : <Buttons
            busy={busy} unread={unread} rejectOnly={decision.why !== undefined} editable={approval.editable.length > 0}
            onApprove={approve} onEdit={() => show(textsOf(approval))} onReject={reject}
        />}
    </>
  )
}
