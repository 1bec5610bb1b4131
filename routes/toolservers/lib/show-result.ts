import type { CallToolResult } from '@modelcontextprotocol/client'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'

type Block = Record<string, unknown>

const maxBlocks = 200

/** Bytes of a text in base64. */
const sizeOf = (data: unknown): number => typeof data === 'string' ? Math.floor(data.length * 3 / 4) : 0

const named = (block: unknown, fields: Record<string, string>): Block =>
  Object.fromEntries(Object.entries(fields).flatMap(([to, from]) => {
    const value = textIn(block, from)
    return value === undefined ? [] : [[to, value]]
  }))

const resource = (given: unknown): Block => {
  const { text, blob } = fieldsOf(given)
  const about = { type: 'resource', ...named(given, { uri: 'uri', mime_type: 'mimeType' }) }
  return typeof text === 'string' ? { ...about, text } : { ...about, bytes: sizeOf(blob) }
}

/** What is no text is described: nothing of others is embedded, and no link is followed. */
const show = (block: unknown): Block => {
  const { type, data, resource: inner } = fieldsOf(block)
  if (type === 'text') return { type, text: textIn(block, 'text') ?? '' }
  if (type === 'image' || type === 'audio') {
    return { type, ...named(block, { mime_type: 'mimeType' }), bytes: sizeOf(data) }
  }
  if (type === 'resource') return resource(inner)
  if (type === 'resource_link') return { type, ...named(block, { uri: 'uri', name: 'name', mime_type: 'mimeType' }) }
  return { type: 'other' }
}

/** @returns what a tool answered, as it may be stored and shown */
export const showResult = ({ content, structuredContent }: CallToolResult):
{ content: Block[], structured: unknown } => {
  const blocks = content ?? []
  const more = blocks.length - maxBlocks
  return {
    content: [...blocks.slice(0, maxBlocks).map(show), ...(more > 0 ? [{ type: 'left_out', count: more }] : [])],
    structured: structuredContent ?? null
  }
}
