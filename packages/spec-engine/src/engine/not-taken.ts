import {
  maxNotTaken, notTakenClasses, type NotTaken, type NotTakenCount, type SpecDocument
} from '../schemas/document.js'
import { isOneOf } from '../schemas/values.js'
import { demandsNothing } from '../classify/classify.js'
import { Locations } from 'steward-document-reader/document'
import { chunkAt, maxQuote, type Source } from './material.js'
import type { Unit } from './read-source.js'
import { Repeats, wordingOf } from './repeats.js'
import { sourceName } from './sections.js'
import { shorten } from './words.js'

/** Senses that the document has a section for: what stands there is listed too, with its section as the reason. */
const sections: Partial<Record<Unit['sense'], string>> = {
  non_goal: 'It says what is out of scope',
  assumption: 'It is assumed',
  question: 'It asks',
  risk: 'It is a risk',
  success: 'It measures success'
}

/** What stands in another section of the document, where its rule has no better reason. */
const elsewhere: Partial<Record<Unit['sense'], string>> = {
  goal: 'It is a goal',
  problem: 'It says what the problem is',
  decision: 'It is a decision',
  term: 'It defines a term',
  actor: 'It names who is concerned',
  summary: 'It stands in the summary',
  edge_case: 'It is an edge case'
}

/** @returns the input's name, the section and the line or page */
export const locationOf = ({ source, headings, start }: Unit, locations: Locations): string =>
  shorten([sourceName(source), ...headings, locations.of(start)].join(' › '), 400)

const reasonOf = ({ sense, why }: Unit): string =>
  sections[sense] ?? (why === demandsNothing ? elsewhere[sense] : undefined) ?? why

const classOf = ({ class: kind }: Unit): NotTaken['class'] => isOneOf(notTakenClasses, kind) ? kind : 'other'

const describe = (unit: Unit, locations: Locations): NotTaken => {
  const { source, start, end } = unit
  return {
    input_id: source.input_id,
    chunk_id: chunkAt(source.chunks, start)?.chunk_id ?? '',
    quote: source.text.slice(start, Math.min(end, start + maxQuote)).toWellFormed(),
    char_start: start,
    char_end: end,
    location: locationOf(unit, locations),
    class: classOf(unit),
    why: reasonOf(unit)
  }
}

const isNotTaken = ({ needsReason, sense }: Unit): boolean => needsReason && sense !== 'normative' && sense !== 'story'

/** Titles, the columns of tables, and single words such as "High" are no sentences. */
const isSentence = ({ block, cell, text }: Unit): boolean => block.kind !== 'heading' && block.kind !== 'metadata' &&
  cell?.isHeader !== true && text.includes(' ') && /\p{L}/u.test(text)

const isNoRequirement = (unit: Unit): boolean => isNotTaken(unit) ||
  (unit.sense !== 'normative' && unit.sense !== 'story' && isSentence(unit))

/** What is listed of each class, and how many more there are. */
class Lists {
  readonly listed: NotTaken[] = []
  readonly #counts = new Map<NotTaken['class'], number>()
  readonly #made = new Map<string, { first: NotTaken | undefined, repeats: Repeats }>()
  #held: { source: Source, locations: Locations } | undefined

  constructor (private readonly perClass: number) {}

  add (unit: Unit): void {
    const key = `${reasonOf(unit)} ${wordingOf(unit)}`
    const same = this.#made.get(key)
    const repeats = same?.repeats ?? new Repeats()
    if (!repeats.take(key)) return
    const count = (this.#counts.get(classOf(unit)) ?? 0) + 1
    this.#counts.set(classOf(unit), count)
    const one = count > this.perClass ? undefined : describe(unit, this.#locationsOf(unit))
    if (one) this.listed.push(one)
    if (!same) this.#made.set(key, { first: one, repeats })
  }

  #locationsOf ({ source }: Unit): Locations {
    if (this.#held?.source !== source) this.#held = { source, locations: new Locations(source.text) }
    return this.#held.locations
  }

  /** Says of what is listed how often it stands besides. */
  close (): void {
    for (const { first, repeats } of this.#made.values()) if (first && repeats.more > 0) first.repeats = repeats.more
  }

  get more (): NotTakenCount[] {
    return notTakenClasses.flatMap((kind) => {
      const count = (this.#counts.get(kind) ?? 0) - this.perClass
      return count > 0 ? [{ class: kind, count }] : []
    })
  }
}

const listsOf = (units: readonly Unit[], perClass: number, isListed = isNotTaken): Lists => {
  const lists = new Lists(perClass)
  for (const unit of units) if (isListed(unit)) lists.add(unit)
  lists.close()
  return lists
}

/**
 * @param isAll also what has no normative verb
 * @returns every sentence with a normative verb that makes no requirement and no story, with the reason
 */
export const allNotTaken = (units: readonly Unit[], isAll = false): NotTaken[] =>
  listsOf(units, Infinity, isAll ? isNoRequirement : isNotTaken).listed

/** @returns what a document has of them: the first of each class, and how many more there are */
export const notTakenOf = (units: readonly Unit[]): Pick<SpecDocument, 'not_taken' | 'not_taken_more'> => {
  const { listed, more } = listsOf(units, maxNotTaken)
  return { not_taken: listed, ...(more.length > 0 && { not_taken_more: more }) }
}
