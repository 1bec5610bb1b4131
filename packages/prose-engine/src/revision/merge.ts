import type { ContentBody } from '../schemas/text.js'
import { unitsOf, withUnit, type Unit } from '../markdown/units.js'

/** A text that would replace a person's. */
export interface Suggestion { target: string, before: string, text: string }

export interface Proposal {
  /** The record as it was when the work began. */
  base: ContentBody
  /** The record as it is now. */
  head: ContentBody
  /** The engine's text. */
  proposed: ContentBody
  /** Earlier texts of engines for the record. */
  known: ContentBody[]
  /** Whether the record was made for this generation: then its body is merged as a whole, not part by part. */
  isNew: boolean
  preserve: 'human' | 'none'
}

const wholeUnits = (body: ContentBody): Unit[] => [
  ...unitsOf(body).filter(({ target }) => !/^(?:intro|section:)/.test(target)),
  { target: 'body_markdown', text: body.body_markdown }
]

/**
 * Writes the engine's text, except over a person's text, where it becomes a suggestion.
 * @returns the merged text, and the suggestions
 */
export const merge = ({ base, head, proposed, known, isNew, preserve }: Proposal):
{ body: ContentBody, suggestions: Suggestion[] } => {
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
  const suggestions: Suggestion[] = []
  for (const { target, text } of read(proposed)) {
    const before = now.get(target) ?? ''
    if (text === before) continue
    if (isFree(target)) body = withUnit(body, { target, text })
    else suggestions.push({ target, before, text })
  }
  return { body, suggestions }
}

/** Fields that a new record does not have yet, so that no person's text is in them. */
const newParts = (head: ContentBody, proposed: ContentBody): Partial<ContentBody> => ({
  fields: { ...proposed.fields, ...head.fields },
  seo: { ...proposed.seo, ...head.seo },
  citations: proposed.citations
})
