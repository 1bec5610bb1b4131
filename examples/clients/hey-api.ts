// npx openapi-ts -i http://localhost:3000/openapi.json -o steward/hey-api -c @hey-api/client-fetch
import { createClient } from './steward/hey-api/client/index.js'
import { chat as say, confirm } from './steward/hey-api/sdk.gen.js'
import type { ChatEvent, ConfirmationRequiredEvent } from './steward/hey-api/types.gen.js'

/** Says something, answers what is asked, and returns the last event; the generated SSE client reads the stream. */
export const chat = async (baseUrl: string, token: string, message: string,
  decide: (question: ConfirmationRequiredEvent) => Promise<boolean>): Promise<ChatEvent | undefined> => {
  const client = createClient({ baseUrl, auth: token })
  const { stream } = await say({ client, body: { message }, sseMaxRetryAttempts: 1 })
  let last: ChatEvent | undefined
  for await (const event of stream) {
    last = event as ChatEvent
    if (last.type !== 'confirmation_required') continue
    const { session_id, confirmation_id, input_digest } = last
    const body = { session_id, confirmation_id, input_digest, approved: await decide(last) }
    await confirm({ client, body, throwOnError: true })
  }
  return last
}
