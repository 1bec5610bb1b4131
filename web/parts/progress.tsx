import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { CircleStop } from './icons'
import { useLive } from '../api/live'
import { ActionButton } from './action-button'
import { Badge, formatState } from './badge'
import { Notice, ProblemNotice } from './notice'
import { say } from '../texts/say'

/** The common members of the events of every kind of generation. */
interface GenerationEvent { type: string, generation_id?: string, step?: string }

const ends: Record<string, 'good' | 'bad' | 'warn'> =
  { generation_succeeded: 'good', generation_failed: 'bad', generation_cancelled: 'warn' }

/** @returns the steps of the latest generation, and whether each is complete */
const stepsOf = (events: GenerationEvent[]): Map<string, boolean> => {
  const steps = new Map<string, boolean>()
  for (const { type, step = '' } of events) {
    if (type === 'generation_queued') steps.clear()
    if (type === 'step_started') steps.set(step, false)
    if (type === 'step_completed') steps.set(step, true)
  }
  return steps
}

const Steps = ({ steps }: { steps: Map<string, boolean> }) => <ol
  class='plain row tight grow' aria-label={say('progress.steps')}
>
  {steps.size === 0 && <li class='muted'>{say('progress.queued')}</li>}
  {[...steps].map(([step, done]) => <li key={step}>
    <Badge tone={done ? 'good' : 'info'}>{formatState(step)}{!done && ' …'}</Badge>
  </li>)}
</ol>

interface Props<E extends GenerationEvent> {
  /** The path of its event stream. */
  path: string
  generation: string
  stop: () => Promise<unknown>
  /** Called once, at the end. */
  onEnd: () => void
  /** Describes the end. */
  children: (end: E) => ComponentChildren
}

/** The progress of a generation, a button to stop it, and its outcome. */
export const Progress = <E extends GenerationEvent>({ path, generation, stop, onEnd, children }: Props<E>) => {
  const { events, problem } = useLive<E>(path)
  const end = events.find(({ type, generation_id: id }) => type in ends && id === generation)
  useEffect(() => { if (end) onEnd() }, [end?.type])
  if (end) return <Notice tone={ends[end.type] ?? 'warn'}>{children(end)}</Notice>
  return (
    <section class='card row spread' aria-label={say('progress.label')}>
      {problem && <ProblemNotice problem={problem} />}
      <Steps steps={stepsOf(events)} />
      <ActionButton variant='danger' act={stop}>
        <CircleStop size={16} aria-hidden='true' />{say('progress.stop')}
      </ActionButton>
    </section>
  )
}
