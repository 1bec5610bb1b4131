import { invalid } from '../api-error.js'
import { validateContent } from './blocks.js'

type Block = Record<string, unknown>
interface Message { role: string, content: unknown }
interface Turn { role: string, blocks: Block[] }

/** Checks the messages: their blocks, their order, and that every call has its one result right after it. */
export function validateHistory (messages: Message[], mayEndWithAssistant: (content: unknown) => boolean) {
  if (messages.length === 0) throw invalid('messages: at least one message is required')
  if (messages[0]?.role !== 'user') throw invalid('messages: first message must use the "user" role')
  const turns = messages.map(({ role, content }, index) => ({ role, blocks: contentOf(role, content, index) }))
  turns.forEach((turn, index) => {
    if (turn.role === 'system') validateSystemPosition(turns, index)
    if (turn.role === 'assistant') validateCalls(turn, turns[index + 1], index)
    if (turn.role === 'assistant') validateEnd(turn, index)
    if (turn.role === 'user') validateResults(turn, turns[index - 1], index)
  })
  validateUniqueCalls(turns)
  const last = messages.at(-1)
  if (last?.role === 'assistant' && !mayEndWithAssistant(last.content)) {
    throw invalid('This model does not support assistant message prefill. ' +
      'The conversation must end with a user message.')
  }
}

function contentOf (role: string, content: unknown, index: number) {
  const blocks = validateContent(role, content, `messages.${index}.content`)
  if (blocks.length === 0) {
    throw invalid(`messages.${index}: all messages must have non-empty content ` +
      'except for the optional final assistant message')
  }
  if (blocks.some((block) => block.type === 'text' && String(block.text).trim() === '')) {
    throw invalid('messages: text content blocks must contain non-whitespace text')
  }
  return blocks
}

function validateEnd ({ blocks }: Turn, index: number) {
  const { type } = blocks.at(-1) ?? {}
  if (type !== 'thinking' && type !== 'redacted_thinking') return
  throw invalid(`messages.${index}: The final block in an assistant message cannot be \`thinking\`.`)
}

function validateSystemPosition (turns: Turn[], index: number) {
  if (turns[index - 1]?.role === 'user') return
  throw invalid(`messages.${index}: a "system" message must come directly after a "user" message`)
}

const idsOf = (turn: Turn | undefined, type: string, key: string) =>
  (turn?.blocks ?? []).filter((block) => block.type === type).map((block) => String(block[key]))

function validateCalls (turn: Turn, next: Turn | undefined, index: number) {
  const leading = next?.role === 'user' ? leadingResults(next) : []
  const missing = idsOf(turn, 'tool_use', 'id').filter((id) => !leading.includes(id))
  if (missing.length === 0) return
  throw invalid(`messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
    `${missing.join(', ')}. ` +
    'Each `tool_use` block must have a corresponding `tool_result` block in the next message.')
}

// Results after a text do not count as "immediately after".
function leadingResults (turn: Turn) {
  const end = turn.blocks.findIndex((block) => block.type !== 'tool_result')
  return turn.blocks.slice(0, end === -1 ? undefined : end).map((block) => String(block.tool_use_id))
}

function validateResults (turn: Turn, previous: Turn | undefined, index: number) {
  const callIds = new Set(idsOf(previous?.role === 'assistant' ? previous : undefined, 'tool_use', 'id'))
  const seen = new Set<string>()
  turn.blocks.forEach((block, position) => {
    if (block.type !== 'tool_result') return
    const id = String(block.tool_use_id)
    if (!callIds.has(id)) {
      throw invalid(`messages.${index}.content.${position}: ` +
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.')
    }
    if (seen.has(id)) {
      throw invalid(`messages.${index}.content.${position}: each tool_use must have a single result. ` +
        `Found multiple \`tool_result\` blocks with id: ${id}`)
    }
    seen.add(id)
  })
}

function validateUniqueCalls (turns: Turn[]) {
  const seen = new Set<string>()
  turns.forEach((turn, index) => turn.blocks.forEach((block, position) => {
    if (block.type !== 'tool_use') return
    if (seen.has(String(block.id))) {
      throw invalid(`messages.${index}.content.${position}: \`tool_use\` ids must be unique`)
    }
    seen.add(String(block.id))
  }))
}
