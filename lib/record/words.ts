import type { Entry } from './entry.js'
import { fieldsOf, isObject } from '../../schemas/unknown.js'

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
