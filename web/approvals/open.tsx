import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { Notice, ProblemNotice } from '../parts/notice'
import { Cause, explainProblem, PageButton } from '../parts/problem-words'
import { LoaderCircle } from '../parts/icons'
import { TimeLeft } from '../parts/time'
import { isShownWhole, type Approval, type Decision, type Outcome, type Shown } from './approval'
import { argumentsOf, ArgumentsForm, textsOf, type Texts } from './arguments-form'
import { allowedOf, Buttons } from './buttons'
import { mayPass, useDecision, type OnChange } from './decision'
import { Details } from './details'
import { Head } from './head'
import { StepNote } from './plan-offer'
import { usePlanning } from './planning'
import { Preview } from './preview'
import { RiskBadge } from './risk-badge'
import { Signed } from './signed'
import { Stakes } from './stakes'
import { WaitsFor } from './standing'
import { Whole } from './whole'
import { WhoDecides } from './who'
import { keepWords, readWords, WordsForm, type WordsKind } from './words-form'
import { say } from '../texts/say'
import { translate } from '../texts/translate'

/** @returns the names of those who have approved what waits for others */
const approvedBy = ({ votes = [] }: Approval): string =>
  votes.filter(({ counts }) => counts).map(({ person }) => person.name).join(', ')

const asSentence = (text: string): string => /[.!?]$/.test(text) ? text : `${text}.`

/** Explains why the card has changed. */
const Notes = ({ approval, decision }: { approval: Approval, decision: ReturnType<typeof useDecision> }) => {
  const { why, stale, problem } = decision
  const reason = why && explainProblem(why)
  return (
    <>
      {approval.proposed !== null && <Notice tone='warn'>
        {approval.edited_by && approval.edited_by.length > 0 && <strong>
          {say('approval.editedBy', { names: approval.edited_by.map(({ name }) => name).join(', ') })}{' '}
        </strong>}
        {say('approval.edited')}
      </Notice>}
      {approval.replaces !== null && approval.proposed === null && <Notice tone='warn'>
        {say('approval.moved')}
      </Notice>}
      {approvedBy(approval) !== '' && <Notice tone='warn'>
        {say('approval.half', {
          names: approvedBy(approval),
          waits: approval.waits_for ? translate('plans', approval.waits_for) : say('approval.others')
        })}
      </Notice>}
      {approvedBy(approval) === '' && <WaitsFor of={approval} />}
      <StepNote of={approval} />
      {why && reason && <Notice tone='bad' action={<PageButton of={reason} />}>
        <strong>{asSentence(reason.title)}</strong>{' '}
        {say(mayPass(why) ? 'approval.blocked' : 'approval.impossible')}
        {reason.cause && <Cause of={reason.cause} />}
      </Notice>}
      {stale && <Notice tone='warn'>
        {say('approval.stale')}
      </Notice>}
      {problem && <ProblemNotice problem={problem} />}
    </>
  )
}

interface EditingProps { approval: Approval, texts: Texts | undefined }

const useEdit = ({ approval, texts }: EditingProps) => {
  const typed = texts && argumentsOf(approval, texts)
  const planning = usePlanning(approval, typed)
  const shown: Shown = texts ? planning.shown : approval
  const isPlanned = texts === undefined || (typed !== undefined && planning.problem === undefined)
  return { planning, shown, isPlanned }
}

type Words = Pick<Decision, 'reason' | 'changes'>

interface AnswerProps {
  approval: Approval
  decision: ReturnType<typeof useDecision>
  planning: ReturnType<typeof usePlanning>
  isCut: boolean
  texts: Texts | undefined
  /** Opens or closes the edit. */
  onTexts: (texts: Texts | undefined) => void
  onTyped: (texts: Texts) => void
  onApprove: () => void
  onReject: (words?: Words) => void
  onLost: () => void
  onCancel?: (() => void) | undefined
}

/** The buttons, the edit, or words. */
const Answer = (props: AnswerProps) => {
  const { approval, decision, planning, isCut, texts, onTexts, onTyped, onApprove, onReject, onLost, onCancel } = props
  const wording = useSignal<WordsKind | undefined>(readWords(approval.id) === '' ? undefined : 'changes')
  const isOpened = useSignal(false)
  const word = (next: WordsKind | undefined) => {
    isOpened.value = true
    wording.value = next
    onLost()
  }
  const { busy, unread, why } = decision
  const allowed = allowedOf(approval, why !== undefined && !mayPass(why))
  if (texts && (why === undefined || mayPass(why))) {
    return (
      <ArgumentsForm
        approval={approval} texts={texts} planning={planning} busy={busy || unread} isCut={isCut} onApprove={onApprove}
        onTexts={onTyped} onCancel={() => onTexts(undefined)}
      />
    )
  }
  if (wording.value && allowed.words) {
    return (
      <WordsForm
        id={approval.id} kind={wording.value} busy={busy || unread} focus={isOpened.value}
        onSend={onReject} onCancel={() => word(undefined)}
      />
    )
  }
  return (
    <Buttons
      busy={busy} unread={unread} isCut={isCut} allowed={allowed} onApprove={onApprove}
      onEdit={() => onTexts(textsOf(approval))}
      onReject={() => onReject()} onWords={word} onCancel={onCancel}
    />
  )
}

interface Props {
  approval: Approval
  headId: string
  onChange: OnChange
  onWhole: (whole: Approval) => void
  /** The focused element may be gone. */
  onLost: () => void
  /** Leaves a dialog that the reader has opened. */
  onCancel?: (() => void) | undefined
}

/** A pending approval: what the call would change, and the decision on exactly that. */
export const Open = ({ approval, headId, onChange, onWhole, onLost, onCancel }: Props) => {
  const texts = useSignal<Texts | undefined>(undefined)
  /** The digest of the plan whose exact arguments the reader has unfolded. */
  const unfolded = useSignal('')
  // An edit that was left is there again when it is opened again, unless the approval is another one by then.
  const left = useSignal<{ of: string, texts: Texts } | undefined>(undefined)
  const { planning, shown, isPlanned } = useEdit({ approval, texts: texts.value })
  const show = (next: Texts | undefined) => {
    if (texts.value && !next) left.value = { of: approval.input_digest, texts: texts.value }
    texts.value = next && left.value?.of === approval.input_digest ? left.value.texts : next
    onLost()
  }
  const onEnd = (outcome?: Outcome) => {
    if (outcome?.kind === 'plan') {
      planning.offer(outcome.plan)
      texts.value ??= textsOf({ ...approval, arguments: outcome.plan.arguments })
    } else if (outcome?.kind === 'stale') planning.again()
    // The next approval already has the typed arguments.
    else if (outcome) texts.value = undefined
    if (outcome?.kind === 'decided') keepWords(approval.id, '')
    onLost()
  }
  const decision = useDecision(approval, onChange, onEnd)
  const { run, reload } = decision
  const isClosed = planning.problem?.code === 'confirmation_closed'
  useEffect(() => { if (isClosed) void reload() }, [isClosed])
  const { input_digest } = shown
  const isEdited = input_digest !== approval.input_digest
  // Rows of the stream are read whole first; what is cut even then is in the arguments.
  const isCut = !isShownWhole(isEdited ? { preview: shown.preview } : approval) && unfolded.value !== input_digest
  const approve = () => { void run({ approved: true, input_digest, ...(isEdited && { arguments: shown.arguments }) }) }
  const reject = (words: Words = {}) => {
    void run({ approved: false, input_digest: approval.input_digest, ...words })
  }
  return (
    <>
      <Head id={headId} approval={approval} summary={shown.summary}>
        <RiskBadge risk={shown.risk} />
        <TimeLeft until={approval.expires_at} />
      </Head>
      <Stakes shown={shown} />
      <Notes approval={approval} decision={decision} />
      {isPlanned && <div class={planning.busy ? 'stack tight old' : 'stack tight'} aria-busy={planning.busy}>
        <Preview rows={shown.preview} again={!isEdited && approval.replaces !== null} />
      </div>}
      {!isEdited && <Whole approval={approval} onWhole={onWhole} />}
      <WhoDecides of={approval} />
      <Details approval={approval} shown={shown} onUnfold={() => { unfolded.value = shown.input_digest }} />
      <Signed of={approval} />
      {decision.busy && <p class='small muted row tight' role='status'>
        <LoaderCircle size={14} class='spin' aria-hidden='true' />{say('approval.sending')}
      </p>}
      <Answer
        approval={approval} decision={decision} planning={planning} isCut={isCut} texts={texts.value}
        onTexts={(next) => show(next)}
        onTyped={(next) => { texts.value = next }} onApprove={approve} onReject={reject} onLost={onLost}
        onCancel={onCancel}
      />
    </>
  )
}
