import { untable, type Results } from './transcript.js'

/** A block of a message of the Messages API, as far as it matters here. */
export interface Block {
  type: string
  id?: string
  text?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: unknown
}

export interface Message { role: string, content: string | Block[] }

const blocksOf = ({ content }: Message): Block[] => typeof content === 'string' ? [] : content

const textOf = (content: unknown): string => typeof content === 'string'
  ? content
  : Array.isArray(content) ? content.map((block: Block) => block.text ?? '').join('') : ''

/** @returns what a tool gave back; of a text that is no JSON, the text */
const parse = (content: unknown): unknown => {
  const text = textOf(content)
  try {
    const result = JSON.parse(text)
    return untable(result.content ?? result)
  } catch {
    return text
  }
}

/** @returns the results of the calls of each message of the model, in the order of the calls */
export const resultsOf = (messages: Message[]): Results => {
  const byId = new Map(messages.flatMap(blocksOf).flatMap(({ type, tool_use_id: id, content }) =>
    type === 'tool_result' && id !== undefined ? [[id, content] as const] : []))
  return messages.filter(({ role }) => role === 'assistant').map((message) =>
    blocksOf(message).filter(({ type }) => type === 'tool_use').map(({ id = '' }) => parse(byId.get(id))))
}
