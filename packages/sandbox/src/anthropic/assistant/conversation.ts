import type { MessageCreateParamsBase, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { textOf } from '../text.js'
import { isRecord } from '../validate/shape.js'

/** One tool call and its result. */
export interface Call {
  name: string
  input: Record<string, unknown>
  text: string
  data: unknown
  isError: boolean
  /** How a report is to cite the result; empty where none is written. */
  citation: string
  /** The call belongs to the current message, not to an earlier one. */
  isCurrent: boolean
}

/** A conversation from the assistant's view. */
export interface Conversation {
  message: string
  calls: Call[]
  /** Calls that had waited for approval, of which the last message says what became of them. */
  ended: Call[]
  /** Earlier messages of the person. */
  earlier: string[]
}

/** Reads a history: the person's current message, the earlier ones, and all calls with their results. */
export function readConversation ({ messages }: MessageCreateParamsBase): Conversation {
  const now = messages.findLastIndex(isFromPerson)
  return {
    message: readPersonText(messages[now]),
    calls: readCalls(messages, now),
    ended: readEnded(messages.at(-1)),
    earlier: messages.slice(0, Math.max(0, now)).filter(isFromPerson).map(readPersonText)
  }
}

// A program adds blocks in tags as context.
const readPersonText = (message?: MessageParam) =>
  textOf(message?.content).replace(/<([a-z_-]+)[^>]*>[\s\S]*?<\/\1>/gi, ' ').trim()

const isFromPerson = (message: MessageParam) => message.role === 'user' && readPersonText(message) !== ''

function readCalls (messages: MessageParam[], now: number): Call[] {
  const results = new Map<string, { text: string, isError: boolean }>()
  for (const { content } of messages) {
    for (const block of typeof content === 'string' ? [] : content) {
      if (block.type !== 'tool_result') continue
      results.set(block.tool_use_id, { text: textOf(block.content), isError: block.is_error ?? false })
    }
  }
  return messages.flatMap(({ role, content }, index) => role !== 'assistant' || typeof content === 'string'
    ? []
    : content.flatMap((block) => {
      const result = block.type === 'tool_use' ? results.get(block.id) : undefined
      if (block.type !== 'tool_use' || !result) return []
      const data = readRows(unwrap(parse(result.text)))
      const input = isRecord(block.input) ? block.input : {}
      const citation = /"note":"Cite this result as (\[call:[\w.]+\])"/.exec(result.text)?.[1] ?? ''
      return [{ name: block.name, input, data, citation, isCurrent: index > now, ...result }]
    }))
}

/** Its lines name a tool, a call, a status, and then the result. */
function readEnded (last: MessageParam | undefined): Call[] {
  const text = textOf(last?.content)
  if (last?.role !== 'user' || isFromPerson(last) || !text.includes('What waited for approval has ended')) return []
  return [...text.matchAll(/^- (\w+) \(call [\w-]+\): (\w+)\. (.*)$/gm)].map(([, name = '', status, result = '']) => ({
    name,
    input: {},
    text: result,
    data: readRows(unwrap(parse(result))),
    isError: status !== 'succeeded',
    citation: '',
    isCurrent: true
  }))
}

/** The JSON in a result, after an optional sentence. */
function parse (text: string): unknown {
  const start = text.search(/[[{]/)
  return tryParse(text) ?? (start > 0 ? tryParse(text.slice(start)) : undefined) ?? salvage(text) ?? text
}

/** The complete rows of a truncated list. */
function salvage (text: string) {
  const start = text.search(/"items"\s*:\s*\[/)
  if (start === -1) return undefined
  const rows = text.slice(text.indexOf('[', start) + 1)
  const items: unknown[] = []
  let from = 0
  for (let to = rows.indexOf('}'); to !== -1; to = rows.indexOf('}', to + 1)) {
    const row = tryParse(rows.slice(from, to + 1).replace(/^\s*,/, ''))
    if (row === undefined) continue
    items.push(row)
    from = to + 1
  }
  return { items, next_cursor: null, partial: true, errors: [{ message: 'the result was cut off' }] }
}

function tryParse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// An envelope marks a result as data from elsewhere.
function unwrap (data: unknown): unknown {
  if (!isRecord(data) || !('content' in data) || !('untrusted' in data || 'source' in data)) return data
  return unwrap(typeof data.content === 'string' ? parse(data.content) : data.content)
}

/** Lists come as tables: columns, rows, and what is the same in all of them. */
function readRows (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readRows)
  if (!isRecord(value)) return value
  const { columns, rows, same } = value
  if (!Array.isArray(columns) || !Array.isArray(rows)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readRows(inner)]))
  }
  return rows.map((row) => ({
    ...(isRecord(same) ? same : {}),
    ...Object.fromEntries(columns.map((column, index) => [column, readRows(Array.isArray(row) ? row[index] : null)]))
  }))
}

/** The rows of a result that is a list. */
export function readItems (data: unknown): Record<string, unknown>[] {
  if (Array.isArray(data)) return data.filter(isRecord)
  return isRecord(data) && Array.isArray(data.items) ? data.items.filter(isRecord) : []
}
