import { api, body, type Schemas } from '../../api/client'
import { Progress } from '../../parts/progress'
import type { Session } from './index'

const describeEnd = (end: Schemas['SpecEvent']): string => {
  if (end.type === 'generation_succeeded') return `Version ${end.version} is ready.`
  const error = 'error' in end ? end.error : null
  return error?.message ?? 'The generation was stopped. The earlier version stays current.'
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
