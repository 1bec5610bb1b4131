import { createHash } from 'node:crypto'
import { redact } from '../security/redaction.js'
import { canonicalJson } from './entry.js'

/** A text of an entry, in characters. */
const maxText = 8_192
/** A whole entry, in characters of JSON. */
const maxBody = 65_536

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Says that something is missing, how much, and by which hash the whole can be recognized. */
const marker = (text: string): string => `[cut: ${text.length} characters, sha256:${digest(text)}]`

const cutText = (text: string): string => text.length <= maxText
  ? text
  : `${text.slice(0, maxText - 120).toWellFormed()} ${marker(text)}`

const cutTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return cutText(value)
  if (Array.isArray(value)) return value.map(cutTexts)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cutTexts(child)]))
}

/** Replaces the largest members by their markers, until the rest fits. */
const cutMembers = (body: Record<string, unknown>, room: number): Record<string, unknown> => {
  const sizes = Object.entries(body).map(([key, value]): [string, string] => [key, canonicalJson(value)])
  let over = sizes.reduce((sum, [key, text]) => sum + key.length + text.length + 4, 2) - room
  const cut: Record<string, unknown> = { ...body }
  for (const [key, text] of sizes.toSorted(([, a], [, b]) => b.length - a.length)) {
    if (over <= 0) break
    const { [key]: member } = body
    // One level deeper first: of a plan, the summary shall stay where one change of it is huge.
    const inner = member !== null && typeof member === 'object' && !Array.isArray(member) && text.length - over > 1_000
    // An object by the line before.
    cut[key] = inner ? cutMembers(member as Record<string, unknown>, text.length - over) : marker(text)
    over -= text.length - canonicalJson(cut[key]).length
  }
  return cut
}

/** @returns what is recorded of a value: without what has the form of a secret, and no larger than `most` characters */
export const fitBody = (body: Record<string, unknown>, most = maxBody): Record<string, unknown> => {
  // Redacted and cut, an object stays one. Undefined members are left out, as JSON does.
  const texts = cutTexts(redact(JSON.parse(JSON.stringify(body)))) as Record<string, unknown>
  return canonicalJson(texts).length <= most ? texts : cutMembers(texts, most)
}
