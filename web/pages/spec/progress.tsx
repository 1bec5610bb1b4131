import { api, body, type Schemas } from '../../api/client'
import { sayProblem, toProblem } from '../../parts/problem-words'
import { Progress } from '../../parts/progress'
import type { Session } from './index'
import { say } from '../../texts/say'

const describeEnd = (end: Schemas['SpecEvent']): string => {
  if (end.type === 'generation_succeeded') return say('spec.ready', { version: String(end.version) })
  const error = 'error' in end ? end.error : null
  return error ? sayProblem(toProblem(error)) : say('spec.stopped')
}

interface Props { session: Session, generation: string, onChange: () => void }

/** The progress of a generation. */
export const SpecProgress = ({ session: { session_id: id }, generation, onChange }: Props) => {
  const params = { path: { session_id: id, generation_id: generation } }
  const stop = () => body(api.POST('/pse/sessions/{session_id}/generations/{generation_id}/cancel', { params }))
  return (
    <Progress<Schemas['SpecEvent']>
      path={`/pse/sessions/${id}/events`} generation={generation} stop={stop} onEnd={onChange}
    >{describeEnd}
    </Progress>
  )
}
