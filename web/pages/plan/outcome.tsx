import { useEffect } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { readProgress, type PlanOfSteps, type StepsProgress } from '../../approvals/steps'
import { Badge, formatState, toneOf, type Tone } from '../../parts/badge'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { formatSummary } from '../../parts/label'
import { me } from '../../shell/session'
import { StepHead } from './step'
import { say, sayWith } from '../../texts/say'

type Progress = StepsProgress['steps'][number]

/** Milliseconds between two looks at a plan that runs. */
const everyMs = 1_000

const isLive = ({ status }: StepsProgress) => status === 'running' || status === 'pending'

/** Looks again until the plan has ended, while the page is visible. */
const useProgress = (id: string) => {
  const progress = useResource([id], (signal) => readProgress(id, signal))
  const { data, loading, reload, problem } = progress
  const waits = !loading && !problem && (data === undefined || isLive(data))
  useEffect(() => {
    if (!waits) return
    const timer = setInterval(() => { if (document.visibilityState === 'visible') reload() }, everyMs)
    return () => clearInterval(timer)
  }, [waits])
  return progress
}

/** @returns the state of a step in words, and the tone of its badge */
const stateOf = ({ status, stopped, has_ended: hasEnded }: Progress): [word: string, tone: Tone] => {
  if (stopped !== null) return [say('plan.notRun'), 'plain']
  if (status === 'dispatching') return [formatState('running'), 'info']
  return hasEnded ? [formatState(status), toneOf(status)] : [say('plan.waitsTurn'), 'plain']
}

const Summary = ({ of: { status, steps } }: { of: StepsProgress }) => {
  const ended = steps.filter(({ has_ended: hasEnded }) => hasEnded).length
  const first = steps.find((step) => step.has_ended && step.status !== 'succeeded')
  const number = first?.step ?? 0
  switch (status) {
    case 'pending': return <Notice>{say('plan.pending')}</Notice>
    case 'running': return <Notice>{say('plan.running', { ended, count: steps.length })}</Notice>
    case 'succeeded': return <Notice tone='good'>{say('plan.succeeded', { count: steps.length })}</Notice>
    case 'rejected': return <Notice>{say('plan.rejected')}</Notice>
    case 'unknown': return (
      <Notice tone='bad'>
        {sayWith('plan.unknown', { first: <strong>{say('plan.unknownStep', { step: number })}</strong> })}
      </Notice>
    )
    case 'stopped': return (
      <Notice tone='warn'>
        {sayWith('plan.stopped', {
          first: <strong>{say('plan.stoppedAt', { step: number, count: steps.length })}</strong>
        })}
      </Notice>
    )
  }
}

const StepState = ({ step, undo }: { step: Progress, undo: string | null | undefined }) => {
  const [word, tone] = stateOf(step)
  return (
    <li class='step stack tight'>
      <StepHead number={step.step}>{formatSummary(step)}</StepHead>
      <p class='row tight small'>
        <Badge tone={tone}>{word}</Badge>
        <Link href={`/inbox/${step.confirmation_id}`}>{say('plan.seeStep')}</Link>
      </p>
      {step.stopped && <p class='small'>{step.stopped}</p>}
      {undo && step.status === 'succeeded' && <p class='small undo'>
        <span class='muted'>{say('plan.undo')}</span> {undo}
      </p>}
    </li>
  )
}

interface Props {
  id: string
  question: Schemas['ConfirmationDetails']
  /** As it was shown, where this page has decided it. */
  plan?: PlanOfSteps
}

/** What became of a decided plan, step by step as it runs. */
export const Outcome = ({ id, question: { requested_by: asked, session_id: session }, plan }: Props) => {
  const progress = useProgress(id)
  const undoOf = (call: string) => plan?.steps.find(({ tool_call_id: of }) => of === call)?.undo
  return (
    <Loaded of={progress}>{(now) => <>
      <PageHead title={say('plan.of', { count: now.steps.length })} />
      <Summary of={now} />
      <section class='card' aria-label={say('progress.steps')}>
        <ol class='plain steps'>
          {now.steps.map((step) => <StepState key={step.tool_call_id} step={step} undo={undoOf(step.tool_call_id)} />)}
        </ol>
      </section>
      {asked.id === me.value?.user.id && <p><Link href={`/chat/${session}`}>{say('plan.toConversation')}</Link></p>}
    </>}
    </Loaded>
  )
}
