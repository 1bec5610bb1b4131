import type { MessageCreateParamsBase, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { textOf } from '../text.js'
import { isRecord } from '../validate/shape.js'

/** One call of a tool and what came of it. */
export interface Call {
  name: string
  input: Record<string, unknown>
  text: string
  data: unknown
  isError: boolean
  /** Made for the message that is being answered, not for an earlier one. */
  isCurrent: boolean
}

/** A conversation as the assistant sees it. */
export interface Conversation {
  message: string
  calls: Call[]
  isFirstAnswer: boolean
  /** Earlier messages of the user, and whether the answer to each was a question. */
  earlier: { text: string, wasAsked: boolean }[]
}

/** Reads a history: what the user says now, what was said before, and all calls with their results. */
export function readConversation ({ messages }: MessageCreateParamsBase): Conversation {
  const now = messages.findLastIndex(isFromPerson)
  const people = messages.flatMap((message, index) => isFromPerson(message) && index < now ? [index] : [])
  return {
    message: personText(messages[now]),
    calls: callsOf(messages, now),
    isFirstAnswer: !messages.some(({ role }) => role === 'assistant'),
    earlier: people.map((index, position) => ({
      text: personText(messages[index]),
      wasAsked: asked(messages.slice(index + 1, people[position + 1] ?? now))
    }))
  }
}

// Blocks in tags are context that a program has added.
const personText = (message?: MessageParam) =>
  textOf(message?.content).replace(/<([a-z_-]+)[^>]*>[\s\S]*?<\/\1>/gi, ' ').trim()

const isFromPerson = (message: MessageParam) => message.role === 'user' && personText(message) !== ''

const asked = (answers: MessageParam[]) =>
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
      const data = unwrap(parse(result.text))
      const input = isRecord(block.input) ? block.input : {}
      return [{ name: block.name, input, data, isCurrent: index > now, ...result }]
    }))
}

/** The JSON in a result; a sentence may stand before it. */
function parse (text: string): unknown {
  const start = text.search(/[[{]/)
  return tryParse(text) ?? (start > 0 ? tryParse(text.slice(start)) : undefined) ?? salvage(text) ?? text
}

/** The rows that are whole in a list that was cut off to fit. */
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

// A result is data from elsewhere, and says so in an envelope.
function unwrap (data: unknown): unknown {
  if (!isRecord(data) || !('content' in data) || !('untrusted' in data || 'source' in data)) return data
  return unwrap(typeof data.content === 'string' ? parse(data.content) : data.content)
}

/** The rows of a result, where it has rows. */
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

/** What people call a row. */
export function nameOf (item: Record<string, unknown>): string {
  const key = nameKeys.find((name) => typeof item[name] === 'string' && item[name] !== '')
  const value = key ? item[key] : Object.values(item).find((field) => typeof field === 'string')
  const name = String(value ?? item.id ?? 'unnamed').split('\n')[0] ?? ''
  return name.length > 80 ? `${name.slice(0, 77)}…` : name
}
