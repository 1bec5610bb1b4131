import { useId, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action'
import type { Schemas } from '../../api/client'
import { problemOf } from '../../api/problem'
import { isShownWhole } from '../../approvals/approval'
import { allowedOf } from '../../approvals/buttons'
import { useUnread } from '../../approvals/decision'
import { RiskBadge } from '../../approvals/risk-badge'
import { keepFocusIn, pressShortcut } from '../../approvals/shortcuts'
import { Signed } from '../../approvals/signed'
import { decideSteps, isSigned, type DecidedSteps, type PlanOfSteps } from '../../approvals/steps'
import { Votes } from '../../approvals/standing'
import { keepWords, WordsForm, type WordsKind } from '../../approvals/words-form'
import { ShieldCheck } from '../../parts/icons'
import { Notice, ProblemNotice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { TimeLeft } from '../../parts/time'
import { useNamed, type Named } from './named'
import { PlanButtons } from './plan-buttons'
import { Step } from './step'
import { say } from '../../texts/say'

type Decision = Omit<Schemas['DecideSteps'], 'input_digest'>

/** Another decision or another state came first: the plan is read again, and nothing was decided. */
const elsewhere = new Set(['stale_preview', 'steps_not_found', 'confirmation_closed', 'confirmation_decided',
  'confirmation_expired', 'decided_as_steps'])

interface Props {
  question: Schemas['ConfirmationDetails']
  plan: PlanOfSteps
  /** The plan is another than the one that the reader decided on. */
  hasMoved: boolean
  onMoved: () => void
  onDecided: (decided: DecidedSteps) => void
}

const Standing = ({ question: { votes }, plan: { missing, may_approve: may } }: Pick<Props, 'question' | 'plan'>) => <>
  {(missing > 1 || !may) && <p class='small muted'>
    {say('plan.missing', { count: missing })}{!may && ` ${say('plan.notYours')}`}
  </p>}
  {votes.length > 0 && <Votes votes={votes} />}
</>

interface AnswerProps extends Pick<Props, 'question' | 'plan'> {
  named: Named
  busy: boolean
  /** The plan has just changed under the reader's hand. */
  unread: boolean
  onDecision: (decision: Decision) => void
  onLost: () => void
}

/** The buttons, or words. */
const Answer = ({ question, plan, named: { high, left }, busy, unread, onDecision, onLost }: AnswerProps) => {
  const wording = useSignal<WordsKind | undefined>(undefined)
  const word = (kind: WordsKind | undefined) => {
    wording.value = kind
    onLost()
  }
  const isCut = plan.steps.some(({ preview }) => !isShownWhole({ preview }))
  const allowed = { ...allowedOf(question, false), approve: plan.may_approve && !isCut }
  if (wording.value && allowed.words) {
    return (
      <WordsForm
        id={plan.run_id} kind={wording.value} busy={busy || unread} focus
        onSend={(words) => onDecision({ approved: false, ...words })} onCancel={() => word(undefined)}
      />
    )
  }
  return (
    <PlanButtons
      count={plan.steps.length} allowed={allowed} busy={busy} unread={unread} left={left} isCut={isCut} onWords={word}
      onApprove={() => onDecision({ approved: true, ...(high.length > 0 && { high_risk: high }) })}
      onReject={() => onDecision({ approved: false })}
    />
  )
}

const useDecision = ({ question, plan, onDecided, onMoved }: Props, onEnd: () => void) => {
  const unread = useUnread(plan.input_digest)
  const { run, busy, problem } = useAction(async (decision: Decision) => {
    try {
      onDecided(await decideSteps(question.id, plan, decision))
      keepWords(plan.run_id, '')
    } catch (error) {
      if (!elsewhere.has(problemOf(error).code)) throw error
      onMoved()
    }
    onEnd()
  })
  return { busy, problem, unread, decide: (decision: Decision) => { if (!unread) void run(decision) } }
}

/** A plan that waits: every step in the order in which it will run, and one decision for all of them. */
export const Undecided = (props: Props) => {
  const { question, plan, hasMoved } = props
  const { steps, risk, may_approve: mayApprove } = plan
  const element = useRef<HTMLElement>(null)
  const headId = useId()
  const named = useNamed(plan)
  const keepFocus = () => keepFocusIn(element.current)
  const { decide, busy, problem, unread } = useDecision(props, keepFocus)
  return (
    <>
      <PageHead title={say('plan.of', { count: steps.length })}>
        {say('plan.order')}
      </PageHead>
      <section
        ref={element} class='approval pending' tabIndex={0} aria-labelledby={headId}
        onKeyDown={(event) => pressShortcut(element.current, event)}
      >
        <header>
          <ShieldCheck size={18} aria-hidden='true' />
          <strong class='grow' id={headId}>{say('plan.asOne', { count: steps.length })}</strong>
        </header>
        <div class='row tight small muted'>
          <RiskBadge risk={risk} /><TimeLeft until={question.expires_at} />
        </div>
        {hasMoved && <Notice tone='warn'>
          {say('plan.moved')}
        </Notice>}
        <ol class='plain steps'>
          {steps.map((step) => <Step
            key={step.tool_call_id} step={step} named={named.has(step.step)}
            onNamed={mayApprove ? (isNamed) => named.set(step.step, isNamed) : undefined}
          />)}
        </ol>
        <Standing question={question} plan={plan} />
        <Signed of={{ requirement: { ...question.requirement, signed: isSigned(plan) }, status: question.status }} />
        {problem && <ProblemNotice problem={problem} />}
        <Answer
          question={question} plan={plan} named={named} busy={busy} unread={unread} onDecision={decide}
          onLost={keepFocus}
        />
      </section>
    </>
  )
}
