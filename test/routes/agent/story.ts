import { asAdmin, type App } from '../../app.js'
import type { Frame } from '../../chat.js'

const marks: [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '#id'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '#time'],
  [/"(input_tokens|output_tokens|cache_read_tokens)":\d+/g, '"$1":"#n"'],
  [/"amount":"[\d.]+"/g, '"amount":"#n"'],
  [/"input_digest":"[^"]+"/g, '"input_digest":"#digest"']
]

/** @returns the value with marks for what differs from run to run: ids, times, tokens, costs */
export const marked = (value: unknown): unknown =>
  JSON.parse(marks.reduce((text, [pattern, mark]) => text.replace(pattern, mark), JSON.stringify(value)))

/** @returns the content of the frames, however the text was cut: pieces of a text as one, payloads with marks */
export const story = (frames: Frame[]): unknown[] => {
  const entries: unknown[] = []
  let text: { text: string } | undefined
  for (const { event, data } of frames) {
    if (event !== 'content' || data.reset) {
      text = undefined
      entries.push(event === 'content' ? 'reset' : marked(data))
      continue
    }
    if (!text) entries.push(text = { text: '' })
    text.text += String(data.text)
  }
  return entries
}

export interface Message {
  id: string
  role: string
  text: string
  stop_reason: string | null
  tool_calls: { name: string, status: string, result: unknown, http_status: number | null, arguments: unknown }[]
}

/** @returns the stored messages of the session, oldest first */
export const messagesOf = async (app: App, session: string, headers: Record<string, string> = asAdmin) => {
  const answer = await app.inject({ url: `/api/v1/agent/sessions/${session}/messages?limit=100`, headers })
  return (answer.json().items as Message[]).toReversed()
}

/** @returns the text of the assistant's messages, as it is stored */
export const spoken = async (app: App, session: string): Promise<string> =>
  (await messagesOf(app, session)).filter(({ role }) => role === 'assistant').map(({ text }) => text).join('\n')

/** What a completed answer to a scripted message ends with. */
export const done = (more: Record<string, unknown> = {}, usage: Record<string, number> = {}) => ({
  type: 'done',
  session_id: '#id',
  run_id: '#id',
  status: 'completed',
  final: true,
  stop_reason: 'end_turn',
  message_id: '#id',
  title: 'please do #id',
  pending_confirmations: [],
  usage: {
    model_calls: 1,
    tool_calls: 0,
    input_tokens: '#n',
    output_tokens: '#n',
    cache_read_tokens: '#n',
    cost: { amount: '#n', currency: 'USD' },
    ...usage
  },
  ...more
})
