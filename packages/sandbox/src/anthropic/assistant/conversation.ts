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
  isFirstAnswer: boolean
  /** Earlier messages of the user, and whether the answer to each was a question. */
  earlier: { text: string, hadQuestion: boolean }[]
}

/** Reads a history: the user's current message, the earlier ones, and all calls with their results. */
export function readConversation ({ messages }: MessageCreateParamsBase): Conversation {
  const now = messages.findLastIndex(isFromPerson)
  const people = messages.flatMap((message, index) => isFromPerson(message) && index < now ? [index] : [])
  return {
    message: personText(messages[now]),
    calls: callsOf(messages, now),
    isFirstAnswer: !messages.some(({ role }) => role === 'assistant'),
    earlier: people.map((index, position) => ({
      text: personText(messages[index]),
      hadQuestion: hasQuestion(messages.slice(index + 1, people[position + 1] ?? now))
    }))
  }
}

// A program adds blocks in tags as context.
const personText = (message?: MessageParam) =>
  textOf(message?.content).replace(/<([a-z_-]+)[^>]*>[\s\S]*?<\/\1>/gi, ' ').trim()

const isFromPerson = (message: MessageParam) => message.role === 'user' && personText(message) !== ''

const hasQuestion = (answers: MessageParam[]) =>
  textOf(answers.findLast(({ role }) => role === 'assistant')?.content).trimEnd().endsWith('?')

function callsOf (messages: MessageParam[], now: number): Call[] {
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
      const data = rowsOf(unwrap(parse(result.text)))
      const input = isRecord(block.input) ? block.input : {}
      const citation = /"note":"Cite this result as (\[call:[\w.]+\])"/.exec(result.text)?.[1] ?? ''
      return [{ name: block.name, input, data, citation, isCurrent: index > now, ...result }]
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
function rowsOf (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rowsOf)
  if (!isRecord(value)) return value
  const { columns, rows, same } = value
  if (!Array.isArray(columns) || !Array.isArray(rows)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rowsOf(inner)]))
  }
  return rows.map((row) => ({
    ...(isRecord(same) ? same : {}),
    ...Object.fromEntries(columns.map((column, index) => [column, rowsOf(Array.isArray(row) ? row[index] : null)]))
  }))
}

/** The rows of a result that is a list. */
export function itemsOf (data: unknown): Record<string, unknown>[] | undefined {
  if (Array.isArray(data)) return data.filter(isRecord)
  if (!isRecord(data)) return undefined
  const listed = [data.items, data.data, data.results].find(Array.isArray)
  return listed?.filter(isRecord)
}

const nameKeys = ['name', 'title', 'full_name', 'display_name', 'login', 'key', 'subject', 'slug', 'label', 'message',
  'sha', 'id']

/** True for a row with a name of its own, better than its id. */
export const isNamed = (item: Record<string, unknown>) =>
  nameKeys.some((key) => key !== 'id' && key !== 'message' && typeof item[key] === 'string' && item[key] !== '')

/** The display name of a row. */
export function nameOf (item: Record<string, unknown>): string {
  const key = nameKeys.find((name) => typeof item[name] === 'string' && item[name] !== '')
  const value = key ? item[key] : Object.values(item).find((field) => typeof field === 'string')
  const name = String(value ?? item.id ?? 'unnamed').split('\n')[0] ?? ''
  return name.length > 80 ? `${name.slice(0, 77)}…` : name
}
