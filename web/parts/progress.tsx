import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { CircleStop } from 'lucide-preact'
import { useLive } from '../api/live'
import { ActionButton } from './action-button'
import { Badge, sayWord } from './badge'
import { Notice, ProblemNotice } from './notice'

/** What the events of every kind of generation have in common. */
interface Told { type: string, generation_id?: string, step?: string }

const ends: Record<string, 'good' | 'bad' | 'warn'> =
  { generation_succeeded: 'good', generation_failed: 'bad', generation_cancelled: 'warn' }

/** @returns the steps of the generation that was told of last, and whether each is through */
const stepsOf = (events: Told[]): Map<string, boolean> => {
  const steps = new Map<string, boolean>()
  for (const { type, step = '' } of events) {
    if (type === 'generation_queued') steps.clear()
    if (type === 'step_started') steps.set(step, false)
    if (type === 'step_completed') steps.set(step, true)
  }
  return steps
}

const Steps = ({ steps }: { steps: Map<string, boolean> }) => <ol class='plain row tight grow' aria-label='Steps'>
  {steps.size === 0 && <li class='muted'>It waits for its turn …</li>}
  {[...steps].map(([step, done]) => <li key={step}>
    <Badge tone={done ? 'good' : 'info'}>{sayWord(step)}{!done && ' …'}</Badge>
  </li>)}
</ol>

interface Props<E extends Told> {
  /** The address of its events. */
  path: string
  generation: string
  stop: () => Promise<unknown>
  /** Called once, when it has ended. */
  onEnd: () => void
  /** What is said of its end. */
  children: (end: E) => ComponentChildren
}

/** A generation as it goes on, the way to stop it, and how it ended. */
export const Progress = <E extends Told>({ path, generation, stop, onEnd, children }: Props<E>) => {
  const { events, problem } = useLive<E>(path)
  const end = events.find(({ type, generation_id: id }) => type in ends && id === generation)
  useEffect(() => { if (end) onEnd() }, [end?.type])
  if (end) return <Notice tone={ends[end.type] ?? 'warn'}>{children(end)}</Notice>
  return (
    <section class='card row spread' aria-label='Progress'>
      {problem && <ProblemNotice problem={problem} />}
      <Steps steps={stepsOf(events)} />
      <ActionButton look='danger' act={stop}><CircleStop size={16} aria-hidden='true' />Stop</ActionButton>
    </section>
  )
}
