import type { ContentBody } from '../../../../schemas/content/contents.js'
import type { NewSuggestion } from '../../../../db/content/suggestions.js'
import { unitsOf, withUnit, type Unit } from './units.js'

export interface Proposal {
  /** The record as it was when the work began. */
  base: ContentBody
  /** The record as it is now. */
  head: ContentBody
  /** What the engine would write there. */
  proposed: ContentBody
  /** Everything that engines have written for the record before. */
  known: ContentBody[]
  /** A record that was made for this generation is taken whole, not part by part. */
  isNew: boolean
  preserve: 'human' | 'none'
}

const wholeUnits = (body: ContentBody): Unit[] => [
  ...unitsOf(body).filter(({ target }) => !/^(?:intro|section:)/.test(target)),
  { target: 'body_markdown', text: body.body_markdown }
]

/**
 * Puts the engine's text where nobody has written; beside a person's text it is a suggestion.
 * @returns the text, and what is suggested beside it
 */
export const merge = ({ base, head, proposed, known, isNew, preserve }: Proposal):
{ body: ContentBody, suggestions: NewSuggestion[] } => {
  const read = isNew ? wholeUnits : unitsOf
  const textOf = (body: ContentBody) => new Map(read(body).map(({ target, text }) => [target, text]))
  const [was, now] = [textOf(base), textOf(head)]
  const ours = new Set(known.flatMap((body) => read(body).map(({ target, text }) => `${target}\n${text}`)))
  const isFree = (target: string) => {
    const text = now.get(target) ?? ''
    if (text !== (was.get(target) ?? '')) return false
    return text === '' || preserve === 'none' || ours.has(`${target}\n${text}`)
  }
  let body = isNew ? { ...head, ...newParts(head, proposed) } : head
  const suggestions: NewSuggestion[] = []
  for (const { target, text } of read(proposed)) {
    const before = now.get(target) ?? ''
    if (text === before) continue
    if (isFree(target)) body = withUnit(body, { target, text })
    else suggestions.push({ target, before, text })
  }
  return { body, suggestions }
}

/** Fields that a new record does not have yet, in which nobody can have written. */
const newParts = (head: ContentBody, proposed: ContentBody): Partial<ContentBody> => ({
  fields: { ...proposed.fields, ...head.fields },
  seo: { ...proposed.seo, ...head.seo },
  citations: proposed.citations
})
