// npx swagger-typescript-api generate -p http://localhost:3000/openapi.json -o steward -n swagger-typescript-api.ts
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { Api, type ChatEvent, type ConfirmationRequiredEvent } from './steward/swagger-typescript-api.js'

/** Says something, answers what is asked, and returns the last event. */
export const chat = async (baseUrl: string, token: string, message: string,
  decide: (question: ConfirmationRequiredEvent) => Promise<boolean>): Promise<ChatEvent | undefined> => {
  const { api } = new Api({ baseUrl, baseApiParams: { headers: { authorization: `Bearer ${token}` } } })
  const { body } = await api.chat({ message })
  if (!body) throw new Error('There is no stream')
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  let last: ChatEvent | undefined
  for await (const frame of events) {
    last = JSON.parse(frame.data) as ChatEvent
    if (last.type !== 'confirmation_required') continue
    const { session_id, confirmation_id, input_digest } = last
    await api.confirm({ session_id, confirmation_id, input_digest, approved: await decide(last) }, { format: 'json' })
  }
  return last
}
