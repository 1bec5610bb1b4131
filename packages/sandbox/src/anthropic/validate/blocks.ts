import { invalid } from '../api-error.js'
import { redactionHolds, signatureHolds } from '../signature.js'
import { requireRecord, requireString } from './shape.js'

type Block = Record<string, unknown>
type Check = (block: Block, path: string) => void

const idForm = /^[a-zA-Z0-9_-]+$/
const changed = 'blocks in assistant messages cannot be modified. These blocks must remain as they were in the ' +
  'original response.'

const text: Check = (block, path) => {
  requireRecord(block, `${path}.text`, ['type', 'text', 'cache_control', 'citations'])
  requireString(block.text, `${path}.text.text`)
  if (block.text === '') {
    throw invalid(block.cache_control
      ? `${path}.text: cache_control cannot be set for empty text blocks`
      : 'messages: text content blocks must be non-empty')
  }
  if (block.text.trim() === '') throw invalid('messages: text content blocks must contain non-whitespace text')
}

const toolUse: Check = (block, path) => {
  const at = `${path}.tool_use`
  requireRecord(block, at, ['type', 'id', 'name', 'input', 'cache_control', 'caller', 'toolset_name'])
  requireString(block.id, `${at}.id`, idForm)
  requireString(block.name, `${at}.name`, /^.{1,200}$/s)
  if (block.input === undefined) throw invalid(`${at}.input: Field required`)
  requireRecord(block.input, `${at}.input`)
}

const toolResult: Check = (block, path) => {
  const at = `${path}.tool_result`
  requireRecord(block, at, ['type', 'tool_use_id', 'content', 'is_error', 'cache_control', 'toolset_name'])
  requireString(block.tool_use_id, `${at}.tool_use_id`, idForm)
  if (block.is_error !== undefined && typeof block.is_error !== 'boolean') {
    throw invalid(`${at}.is_error: Input should be a valid boolean`)
  }
  if (block.content === undefined || typeof block.content === 'string') return
  const parts = requireBlocks(block.content, `${at}.content`, resultChecks)
  if (block.is_error && parts.some((part) => part.type !== 'text')) {
    throw invalid(`${at}: all content must be type "text" if \`is_error\` is true`)
  }
}

const thinking: Check = (block, path) => {
  requireRecord(block, `${path}.thinking`, ['type', 'thinking', 'signature'])
  requireString(block.thinking, `${path}.thinking.thinking`)
  requireString(block.signature, `${path}.thinking.signature`)
  if (!block.signature.startsWith('Sandbox')) throw invalid(`${path}: Invalid \`signature\` in \`thinking\` block`)
  if (!signatureHolds(block.thinking, block.signature)) {
    throw invalid(`${path}: \`thinking\` or \`redacted_thinking\` ${changed}`)
  }
}

const redactedThinking: Check = (block, path) => {
  requireRecord(block, `${path}.redacted_thinking`, ['type', 'data'])
  requireString(block.data, `${path}.redacted_thinking.data`)
  if (!redactionHolds(block.data)) throw invalid(`${path}: Invalid \`data\` in \`redacted_thinking\` block`)
}

const magic: Record<string, string> = {
  'image/png': '\x89PNG',
  'image/jpeg': '\xff\xd8\xff',
  'image/gif': 'GIF8',
  'image/webp': 'RIFF',
  'application/pdf': '%PDF-'
}

/** Only bytes in the request, which is what Steward sends: the API also takes addresses and files. */
const source: Check = (block, path) => {
  const at = `${path}.${block.type}.source`
  const given: unknown = block.source
  requireRecord(given, at, ['type', 'media_type', 'data'])
  const { type, media_type: mediaType, data } = given
  if (type !== 'base64') throw invalid(`${at}.type: Input should be 'base64'`)
  const begin = magic[String(mediaType)]
  const isPdf = mediaType === 'application/pdf'
  if (begin === undefined || isPdf !== (block.type === 'document')) {
    throw invalid(`${at}.media_type: Input is not allowed`)
  }
  if (!Buffer.from(String(data), 'base64').toString('latin1').startsWith(begin)) {
    throw invalid(`${at}.base64: Could not process ${block.type}`)
  }
}

const resultChecks: Record<string, Check> = {
  text, image: source, document: source, search_result: () => {}, tool_reference: () => {}
}

const checks: Record<string, Record<string, Check>> = {
  user: { text, image: source, document: source, search_result: () => {}, tool_result: toolResult },
  assistant: {
    text,
    tool_use: toolUse,
    thinking,
    redacted_thinking: redactedThinking,
    server_tool_use: () => {},
    web_search_tool_result: () => {},
    web_fetch_tool_result: () => {}
  },
  system: { text }
}

const known = new Set(Object.values(checks).flatMap((allowed) => Object.keys(allowed)))

function requireBlocks (content: unknown, path: string, allowed: Record<string, Check>): Block[] {
  if (!Array.isArray(content)) throw invalid(`${path}: Input should be a valid list`)
  return content.map((block: unknown, index) => {
    requireRecord(block, `${path}.${index}`)
    const type = String(block.type)
    const check = Object.hasOwn(allowed, type) ? allowed[type] : undefined
    if (!check) throw wrongType(type, `${path}.${index}`, Object.keys(allowed))
    check(block, `${path}.${index}`)
    return block
  })
}

function wrongType (type: string, path: string, allowed: string[]) {
  const list = allowed.map((name) => `'${name}'`).join(', ')
  return known.has(type)
    ? invalid(`${path}: \`${type}\` blocks are not allowed here. Expected one of: ${list}`)
    : invalid(`${path}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${list}`)
}

/** Checks the content of one message block by block; a string counts as one text block. */
export function validateContent (role: string, content: unknown, path: string): Block[] {
  if (content === undefined) throw invalid(`${path}: Field required`)
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return requireBlocks(content, path, checks[role] ?? {})
}

/** Checks the system prompt: a string or text blocks. */
export function validateSystem (system: unknown) {
  if (system === undefined || typeof system === 'string') return
  requireBlocks(system, 'system', { text })
}
