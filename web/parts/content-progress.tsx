import { api, body, type Schemas } from '../api/client'
import { Progress } from './progress'

type Event = Schemas['ContentGenerationEvent']

const sayEnd = (end: Event): string => {
  if (end.type === 'generation_succeeded') {
    return end.status === 'partial' ? 'A part of it is written; the rest failed.' : 'It is written.'
  }
  const error = 'error' in end ? end.error : null
  return error?.message ?? 'The generation was stopped. What was finished is kept.'
}

/** What the model writes of content, as it goes on. */
export const ContentProgress = ({ generation, onEnd }: { generation: string, onEnd: () => void }) => {
  const params = { path: { generation_id: generation } }
  const stop = () => body(api.POST('/content/generations/{generation_id}/cancel', { params }))
  return (
    <Progress<Event>
      path={`/content/generations/${generation}/events`} generation={generation} stop={stop} onEnd={onEnd}
    >{sayEnd}
    </Progress>
  )
}
