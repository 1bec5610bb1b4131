import { TOKEN } from '../protocol.js'

const event = (data: { type: string, [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

/** One HTTP chunk per event, as a provider that flushes each token sends them. */
const chunk = (frame: string) => `${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`

const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const start = (content: object) => [
  event({
    type: 'message_start',
    message: {
      id: 'msg_bench',
      type: 'message',
      role: 'assistant',
      model: 'bench',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 }
    }
  }),
  event({ type: 'content_block_start', index: 0, content_block: content })
]
const finish = (reason: string, tokens: number) => [
  event({ type: 'content_block_stop', index: 0 }),
  event({
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: tokens }
  }),
  event({ type: 'message_stop' })
]
const delta = (content: object) => event({ type: 'content_block_delta', index: 0, delta: content })
const render = (frames: string[]) => Buffer.from(frames.map(chunk).join(''), 'latin1')

const word = delta({ type: 'text_delta', text: TOKEN })
const texts = new Map<number, Buffer>()

/** Pieces of a paced text turn. */
export const textStart = render([...start({ type: 'text', text: '' }), word])
export const textWord = render([word])
export const textEnd = (tokens: number) => render(finish('end_turn', tokens))

/** A whole text turn in one buffer. */
export const textTurn = (tokens: number): Buffer => {
  const known = texts.get(tokens)
  if (known) return known
  const words = Array.from({ length: tokens - 1 }, () => textWord)
  const made = Buffer.concat([textStart, ...words, textEnd(tokens)])
  texts.set(tokens, made)
  return made
}

/** A turn that asks for one tool without arguments. */
export const toolTurn = (id: string, name: string): Buffer => render([
  ...start({ type: 'tool_use', id, name, input: {} }),
  delta({ type: 'input_json_delta', partial_json: '{}' }),
  ...finish('tool_use', 5)
])

/** The answer to a request that does not stream: a title, for instance. */
export const wholeMessage = JSON.stringify({
  id: 'msg_bench',
  type: 'message',
  role: 'assistant',
  model: 'bench',
  content: [{ type: 'text', text: 'A title' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { ...usage, output_tokens: 2 }
})
