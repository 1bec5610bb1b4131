// npx orval --config orval.config.mjs
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { connect } from './orval-fetch.js'
import { chat as say, confirm, type ChatEvent, type ConfirmationRequiredEvent } from './steward/orval.js'
import { confirmBody } from './steward/orval-zod.js'

/** Says something, answers what is asked, and returns the last event. */
export const chat = async (baseUrl: string, token: string, message: string,
  decide: (question: ConfirmationRequiredEvent) => Promise<boolean>): Promise<ChatEvent | undefined> => {
  connect(baseUrl, token)
  // What orval calls an answer is the type of one event of the stream.
  const { data } = await say({ message }) as unknown as { data: ReadableStream<Uint8Array<ArrayBuffer>> }
  const events = data.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  let last: ChatEvent | undefined
  for await (const frame of events) {
    last = JSON.parse(frame.data) as ChatEvent
    if (last.type !== 'confirmation_required') continue
    const { session_id, confirmation_id, input_digest } = last
    await confirm(confirmBody.parse({ session_id, confirmation_id, input_digest, approved: await decide(last) }))
  }
  return last
}
