import type { Message, RawContentBlockDelta, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import type { Answer, AnswerBlock } from './answer.js'

const jsonChunk = 16

const frame = (event: RawMessageStreamEvent | { type: 'ping' }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** A keep-alive of the stream. */
export const pingFrame = frame({ type: 'ping' })

/** The error that ends a stream in its middle. */
export const errorFrame = (type: string, message: string, requestId: string) =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId })}\n\n`

/** The frames of a streamed answer, in the order of the API. */
export function * framesOf ({ message, blocks, chunk }: Answer): Generator<string> {
  yield frame({ type: 'message_start', message: opening(message) })
  for (const [index, block] of blocks.entries()) {
    yield frame({ type: 'content_block_start', index, content_block: emptied(block) })
    if (index === 0) yield pingFrame
    for (const delta of deltasOf(block, chunk)) yield frame({ type: 'content_block_delta', index, delta })
    yield frame({ type: 'content_block_stop', index })
  }
  yield frame({ type: 'message_delta', delta: closing(message), usage: message.usage })
  yield frame({ type: 'message_stop' })
}

const opening = (message: Message): Message => ({
  ...message,
  content: [],
  stop_reason: null,
  stop_details: null,
  usage: { ...message.usage, output_tokens: 1, output_tokens_details: null }
})

const closing = (message: Message) => ({
  stop_reason: message.stop_reason,
  stop_sequence: message.stop_sequence,
  stop_details: message.stop_details,
  container: message.container
})

function emptied ({ block }: AnswerBlock) {
  if (block.type === 'text') return { ...block, text: '' }
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  if (block.type === 'tool_use' || block.type === 'server_tool_use') return { ...block, input: {} }
  return block
}

function * deltasOf ({ block, json }: AnswerBlock, chunk?: number): Generator<RawContentBlockDelta> {
  if (block.type === 'text') {
    for (const text of pieces(block.text, chunk)) yield { type: 'text_delta', text }
  } else if (block.type === 'thinking') {
    for (const thinking of pieces(block.thinking, chunk)) {
      yield { type: 'thinking_delta', thinking }
    }
    yield { type: 'signature_delta', signature: block.signature }
  } else if (block.type === 'tool_use' || block.type === 'server_tool_use') {
    yield { type: 'input_json_delta', partial_json: '' }
    for (const part of pieces(json ?? '', chunk ?? jsonChunk)) yield { type: 'input_json_delta', partial_json: part }
  }
}

/** Word by word with the space that follows, or so many characters at a time; never inside a character. */
function pieces (text: string, chunk?: number): string[] {
  if (!chunk) return text.match(/\S+\s*|\s+/g) ?? []
  const characters = [...text]
  return Array.from({ length: Math.ceil(characters.length / chunk) }, (_, index) =>
    characters.slice(index * chunk, (index + 1) * chunk).join(''))
}
