import { createHash } from 'node:crypto'
import type { AuditKind } from '../../db/types.js'
import { fieldsOf, isObject } from '../../schemas/unknown.js'

const members = (value: object): string => Object.entries(value)
  .filter(([, child]) => child !== undefined)
  .sort(([a], [b]) => a < b ? -1 : 1)
  .map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`).join()

/**
 * @returns the value as RFC 8785 writes it: keys in the order of their UTF-16 units, no white space, numbers as
 *   ECMAScript does. Strings must be well formed.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  return `{${members(value)}}`
}

/** @returns the SHA-256 of the canonical form, in hexadecimal */
export const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')

const maxWords = 1_500
const maxLength = 100

/** @returns the words of a text, in lower case: letters and digits, whatever stands between them */
export const wordsOf = (text: string): string[] =>
  (text.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, maxLength))

/** Marks a word of what a write acts on, so that it is found as such, apart from what only mentions it. */
export const asTarget = (word: string): string => `zt${word}`

function * textsIn (value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'number') yield String(value)
  else if (Array.isArray(value)) for (const child of value) yield * textsIn(child)
  else if (isObject(value)) for (const child of Object.values(value)) yield * textsIn(child)
}

const targetTexts = ({ target, body }: Pick<Entry, 'target' | 'body'>): string[] => {
  const { target: planned } = fieldsOf(fieldsOf(body).plan)
  const { id, names, within } = fieldsOf(planned)
  return [target ?? '', ...textsIn([id, names, within])]
}

/** @returns by which words the entry is found */
export const searchWords = (entry: Pick<Entry, 'target' | 'body' | 'operation' | 'outcome'>): string[] => {
  const found = new Set<string>()
  const targets = targetTexts(entry)
  for (const text of targets) for (const word of wordsOf(text)) found.add(asTarget(word)).add(word)
  const { operation, outcome, body } = entry
  // `scaleService` is found by scale, too.
  const split = operation.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  for (const text of [operation, split, outcome, ...textsIn(body)]) {
    for (const word of wordsOf(text)) found.add(word)
    if (found.size > maxWords) break
  }
  return [...found]
}

/** What stands before the first entry. */
export const noHash = '0'.repeat(64)

/** An entry as it is hashed, exported and sent; its hash is that of all else in it, the hash before it included. */
export interface Entry {
  type: 'entry'
  workspace_id: string
  seq: number
  id: string
  /** RFC 3339, UTC, to the millisecond. */
  at: string
  kind: AuditKind
  write_id: string
  operation: string
  target: string | null
  outcome: string
  status: number | null
  user_id: string | null
  via: string
  via_id: string | null
  remote_address: string | null
  request_id: string
  body: Record<string, unknown> | null
  previous: string
  hash: string
}

export const hashOf = ({ hash: _, ...entry }: Entry): string => digestOf(entry)

/** @returns the entry with its hash */
export const linkEntry = (entry: Omit<Entry, 'type' | 'hash'>): Entry => {
  const whole = { type: 'entry' as const, ...entry }
  return { ...whole, hash: digestOf(whole) }
}
