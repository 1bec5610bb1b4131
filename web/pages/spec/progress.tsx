import { useEffect } from 'preact/hooks'
import { CircleStop } from 'lucide-preact'
import { api, body, type Schemas } from '../../api/client'
import { useLive } from '../../api/live'
import { ActionButton } from '../../parts/action-button'
import { Badge, sayWord } from '../../parts/badge'
import { Notice, ProblemNotice } from '../../parts/notice'
import type { Session } from './index'

type Event = Schemas['SpecEvent']

/** @returns the steps of the generation that was told of last, and whether each is through */
const stepsOf = (events: Event[]): Map<string, boolean> => {
  const steps = new Map<string, boolean>()
  for (const event of events) {
    if (event.type === 'generation_queued') steps.clear()
    if (event.type === 'step_started') steps.set(event.step, false)
    if (event.type === 'step_completed') steps.set(event.step, true)
  }
  return steps
}

const ends = { generation_succeeded: 'good', generation_failed: 'bad', generation_cancelled: 'warn' } as const
type End = Extract<Event, { type: keyof typeof ends }>

const endOf = (events: Event[], id: string): End | undefined => events
  .find((event): event is End => event.type in ends && 'generation_id' in event && event.generation_id === id)

const Outcome = ({ end }: { end: End }) => <Notice tone={ends[end.type]}>
  {end.type === 'generation_succeeded'
    ? `Version ${end.version} is made.`
    : end.error?.message ?? 'The generation was stopped. The version before it stays current.'}
</Notice>

const Steps = ({ steps }: { steps: Map<string, boolean> }) => <ol class='plain row tight' aria-label='Steps'>
  {[...steps].map(([step, done]) => <li key={step}>
    <Badge tone={done ? 'good' : 'info'}>{sayWord(step)}{!done && ' …'}</Badge>
  </li>)}
</ol>

interface Props { session: Session, generation: string, onChange: () => void }

/** A generation as it goes on, and the way to stop it. */
export const Progress = ({ session: { session_id: id }, generation, onChange }: Props) => {
  const { events, problem } = useLive<Event>(`/pse/sessions/${id}/events`)
  const end = endOf(events, generation)
  useEffect(() => { if (end) onChange() }, [end?.type])
  const stop = async () => {
    const params = { path: { session_id: id, generation_id: generation } }
    await body(api.POST('/pse/sessions/{session_id}/generations/{generation_id}/cancel', { params }))
  }
  if (end) return <Outcome end={end} />
  return (
    <section class='card row spread' aria-label='Progress'>
      {problem && <ProblemNotice problem={problem} />}
      <Steps steps={stepsOf(events)} />
      <ActionButton look='danger' act={stop}><CircleStop size={16} aria-hidden='true' />Stop</ActionButton>
    </section>
  )
}
