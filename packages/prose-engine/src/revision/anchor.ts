import type { ContentBody } from '../schemas/text.js'
import { align, follow, stoodThere, type Stretch } from './align.js'
import type { Range } from './ends.js'
import { fieldText, isPost, postFields } from './field-text.js'
import { findAgain, occurrences, type Quote } from './quote.js'

export interface Anchor extends Range { field: string }

/** What is known of a passage: how it was quoted, and where it was last; null = gone by then. */
export interface Followed { id: string, quote: Quote, made: Anchor, last: Anchor | null }

type AlignField = (field: string) => Stretch[]

/** The words as they were quoted, where they are in what the passage has become. */
const wholeAgain = (text: string, quote: Quote, found: Range): Range =>
  occurrences(text, quote).find(({ start, end }) => start < found.end && end > found.start) ?? found

const followLast = (before: ContentBody, after: ContentBody, { last, quote }: Followed, alignField: AlignField):
Anchor | undefined => {
  if (last === null) return undefined
  const [from, to] = [fieldText(before, last.field), fieldText(after, last.field)]
  if (from === undefined || to === undefined) return undefined
  const found = follow(from, to, alignField(last.field), last)
  if (!found) return undefined
  const { start, end } = wholeAgain(to, quote, found)
  return { field: last.field, start, end }
}

/** Posts change places. */
const fieldsToSearch = (after: ContentBody, field: string): string[] =>
  isPost(field) ? [field, ...postFields(after).filter((one) => one !== field)] : [field]

const searchAgain = (after: ContentBody, { made, quote }: Followed, alignField: AlignField): Anchor | undefined => {
  for (const field of fieldsToSearch(after, made.field)) {
    const found = findAgain(fieldText(after, field) ?? '', quote, made.start,
      (range) => !stoodThere(alignField(field), range))
    if (found) return { field, ...found }
  }
  return undefined
}

/**
 * Follows passages from one version to the next. A passage that is not there any more is looked for by its quote.
 * @returns where each is by now; null = it is gone
 */
export const followPassages = (before: ContentBody, after: ContentBody, passages: readonly Followed[]):
{ id: string, anchor: Anchor | null }[] => {
  const aligned = new Map<string, Stretch[]>()
  const alignField: AlignField = (field) => {
    const known = aligned.get(field) ?? align(fieldText(before, field) ?? '', fieldText(after, field) ?? '')
    aligned.set(field, known)
    return known
  }
  return passages.map((one) => (
    { id: one.id, anchor: followLast(before, after, one, alignField) ?? searchAgain(after, one, alignField) ?? null }
  ))
}
