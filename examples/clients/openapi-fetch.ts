// npx openapi-typescript http://localhost:3000/openapi.json -o steward/openapi-fetch.ts
import { EventSourceParserStream } from 'eventsource-parser/stream'
import createClient from 'openapi-fetch'
import type { components, paths } from './steward/openapi-fetch.js'

type ChatEvent = components['schemas']['ChatEvent']
type Question = components['schemas']['ConfirmationRequiredEvent']

/** Says something, answers what is asked, and returns the last event. */
export const chat = async (baseUrl: string, token: string, message: string,
  decide: (question: Question) => Promise<boolean>): Promise<ChatEvent | undefined> => {
  const steward = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })
  const { data, error } = await steward.POST('/api/v1/agent/chat', { body: { message }, parseAs: 'stream' })
  if (!data) throw new Error(error?.detail)
  const events = data.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  let last: ChatEvent | undefined
  for await (const frame of events) {
    last = JSON.parse(frame.data) as ChatEvent
    if (last.type !== 'confirmation_required') continue
    const { session_id, confirmation_id, input_digest } = last
    const approved = await decide(last)
    const body = { session_id, confirmation_id, input_digest, approved }
    const answer = await steward.POST('/api/v1/agent/confirm', { body })
    if (answer.error) throw new Error(answer.error.detail)
  }
  return last
}
