import { useEffect } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { readProgress, type PlanOfSteps, type StepsProgress } from '../../approvals/steps'
import { Badge, formatWord, toneOf, type Tone } from '../../parts/badge'
import { Notice } from '../../parts/notice'
import { PageHead } from '../../parts/page-head'
import { Loaded } from '../../parts/states'
import { me } from '../../shell/session'
import { StepHead } from './step'

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
  if (stopped !== null) return ['not run', 'plain']
  if (status === 'dispatching') return ['running', 'info']
  return hasEnded ? [formatWord(status), toneOf(status)] : ['waits its turn', 'plain']
}

const Summary = ({ of: { status, steps } }: { of: StepsProgress }) => {
  const ended = steps.filter(({ has_ended: hasEnded }) => hasEnded).length
  const first = steps.find((step) => step.has_ended && step.status !== 'succeeded')
  switch (status) {
    case 'pending': return <Notice>Others have to approve it too. Nothing has run.</Notice>
    case 'running': return <Notice>It runs step by step: {ended} of {steps.length} have ended.</Notice>
    case 'succeeded': return <Notice tone='good'>All {steps.length} steps have succeeded.</Notice>
    case 'rejected': return <Notice>It was rejected: nothing was executed.</Notice>
    case 'unknown': return (
      <Notice tone='bad'>
        <strong>Step {first?.step} was sent, and Steward does not know what became of it.</strong>{' '}
        Look at its target before you do anything again. What came after it did not run.
      </Notice>
    )
    case 'stopped': return (
      <Notice tone='warn'>
        <strong>The plan stopped at step {first?.step} of {steps.length}.</strong> What came after it did not run.
      </Notice>
    )
  }
}

const StepState = ({ step, undo }: { step: Progress, undo: string | null | undefined }) => {
  const [word, tone] = stateOf(step)
  return (
    <li class='step stack tight'>
      <StepHead number={step.step}>{step.summary}</StepHead>
      <p class='row tight small'>
        <Badge tone={tone}>{word}</Badge>
        <Link href={`/inbox/${step.confirmation_id}`}>See its approval</Link>
      </p>
      {step.stopped && <p class='small'>{step.stopped}</p>}
      {undo && step.status === 'succeeded' && <p class='small undo'>
        <span class='muted'>To take it back:</span> {undo}
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
      <PageHead title={`Plan of ${now.steps.length} steps`} />
      <Summary of={now} />
      <section class='card' aria-label='Steps'>
        <ol class='plain steps'>
          {now.steps.map((step) => <StepState key={step.tool_call_id} step={step} undo={undoOf(step.tool_call_id)} />)}
        </ol>
      </section>
      {asked.id === me.value?.user.id && <p><Link href={`/chat/${session}`}>To the conversation</Link></p>}
    </>}
    </Loaded>
  )
}
