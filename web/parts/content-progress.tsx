import { api, body, type Schemas } from '../api/client'
import { sayProblem, toProblem } from './problem-words'
import { Progress } from './progress'
import { say } from '../texts/say'

type Event = Schemas['ContentGenerationEvent']

const describeEnd = (end: Event): string => {
  if (end.type === 'generation_succeeded') {
    return end.status === 'partial' ? say('progress.content.partial') : say('progress.content.ready')
  }
  const error = 'error' in end ? end.error : null
  return error ? sayProblem(toProblem(error)) : say('progress.content.stopped')
}

/** The progress of a generation of content. */
export const ContentProgress = ({ generation, onEnd }: { generation: string, onEnd: () => void }) => {
  const params = { path: { generation_id: generation } }
  const stop = () => body(api.POST('/content/generations/{generation_id}/cancel', { params }))
  return (
    <Progress<Event>
      path={`/content/generations/${generation}/events`} generation={generation} stop={stop} onEnd={onEnd}
    >{describeEnd}
    </Progress>
  )
}
