import { Locations } from 'steward-document-reader/document'
import {
  maxNotTaken, notTakenClasses, type Citation, type NotTaken, type NotTakenCount, type SpecDocument
} from '../schemas/document.js'
import { importedRanges } from '../import/given.js'
import { chunkAt, maxQuote, type Source } from './material.js'
import { Repeats, wordingOf } from './repeats.js'
import { sourceName } from './sections.js'
import { maxStatement, type Unit } from './triage.js'
import { keyOf, shorten } from './words.js'

interface Range { start: number, end: number }
interface Cites { citations: readonly Pick<Citation, 'input_id' | 'char_start' | 'char_end'>[], repeats?: number }

/** A sentence is taken when citations cover at least this share of it. */
const enough = 0.5

/** @returns the cited ranges of each input, merged and in order */
const rangesOf = (items: readonly Cites[]): Map<string, Range[]> => {
  const all = new Map<string, Range[]>()
  for (const { input_id, char_start: start, char_end: end } of items.flatMap(({ citations }) => citations)) {
    const held = all.get(input_id)
    if (held) held.push({ start, end })
    else all.set(input_id, [{ start, end }])
  }
  for (const [id, ranges] of all) {
    const merged: Range[] = []
    for (const range of ranges.sort((one, other) => one.start - other.start)) {
      const last = merged.at(-1)
      if (last && range.start <= last.end) last.end = Math.max(last.end, range.end)
      else merged.push({ ...range })
    }
    all.set(id, merged)
  }
  return all
}

/** @returns whether the items cite a unit; it is asked in the order of the units */
const citedBy = (items: readonly Cites[]): ((unit: Unit) => boolean) => {
  const ranges = rangesOf(items)
  const positions = new Map<string, number>()
  return ({ source: { input_id: id }, start, end }) => {
    const list = ranges.get(id) ?? []
    let next = positions.get(id) ?? 0
    while (next < list.length && (list[next]?.end ?? 0) <= start) next++
    positions.set(id, next)
    let cited = 0
    for (let at = next; at < list.length && (list[at]?.start ?? 0) < end; at++) {
      const range = list[at] ?? { start, end: start }
      cited += Math.min(end, range.end) - Math.max(start, range.start)
    }
    return cited >= (end - start) * enough
  }
}

const citing = ({ requirements, stories, success_criteria: success, entities }: SpecDocument): Cites[] =>
  [...requirements.filter(({ status }) => status === 'active'), ...stories, ...success, ...entities]

/** What a document makes of a sentence. */
export interface Decided { unit: Unit, state: 'taken' | 'set_aside' | 'undecided' | 'mark', class: NotTaken['class'], why: string }

const left = (unit: Unit): Omit<Decided, 'unit'> => {
  const { fate, why, role } = unit
  // What was decided may be a demand, in whatever words it was written down.
  if (fate === 'note' && (role === 'decisions' || role === 'problem')) return { state: 'undecided', class: 'undecided', why }
  switch (fate) {
    case 'mark': return { state: 'mark', class: unit.class, why }
    case 'aside': case 'note': case 'question': return { state: 'set_aside', class: unit.class, why }
    case 'step': case 'criterion': return { state: 'undecided', class: 'undecided', why: `${why}, and no requirement stands above it` }
    case 'requirement': case 'story': return {
      state: 'undecided',
      class: 'undecided',
      why: unit.text.length > maxStatement
        ? `It is longer than ${maxStatement} characters: divide it`
        : 'No requirement of the spec cites it'
    }
    default: return { state: 'undecided', class: 'undecided', why }
  }
}

/** @returns each sentence with what the document makes of it, in time linear in both */
export const decide = (units: readonly Unit[], document: SpecDocument): Decided[] => {
  const isImport = document.engine.name === 'import'
  // What the files of a spec say in its sections is decided: it stands in the sections of this one.
  const { notes, fields } = isImport ? importedRanges([...new Set(units.map(({ source }) => source))]) : { notes: [], fields: [] }
  const isField = citedBy([{ citations: fields }])
  const items = [...citing(document), { citations: notes }]
  const often = items.filter(({ repeats }) => repeats !== undefined)
  const repeated = new Set(often.length === 0 ? [] : units.filter(citedBy(often)).map(wordingOf))
  const dismissed = new Map((document.dismissed ?? []).map((one) => [`${one.input_id} ${one.char_start}`, one.why]))
  const isCited = citedBy(items)
  const answered = new Map(document.open_questions.filter(({ status }) => status === 'answered')
    .map((one) => [keyOf((one.asked ?? one).question), one.id]))
  return units.map((unit): Decided => {
    // All are asked of each unit, in order.
    const isOfLayout = isField(unit) && unit.fate !== 'requirement'
    const isTaken = isCited(unit) || (repeated.size > 0 && repeated.has(wordingOf(unit)))
    if (isTaken) return { unit, state: 'taken', class: 'other', why: '' }
    if (isOfLayout) return { unit, state: 'set_aside', class: 'boilerplate', why: 'It is a field of the layout' }
    const why = dismissed.get(`${unit.source.input_id} ${unit.start}`)
    if (why !== undefined) return { unit, state: 'set_aside', class: 'other', why }
    const question = unit.fate === 'question' ? answered.get(keyOf(shorten(unit.text, 500))) : undefined
    return question === undefined
      ? { unit, ...left(unit) }
      : { unit, state: 'undecided', class: 'undecided', why: `${question} was answered` }
  })
}

/** What is listed of each class, and how many more there are. */
class Lists {
  readonly listed: NotTaken[] = []
  readonly #counts = new Map<NotTaken['class'], number>()
  readonly #made = new Map<string, { first: NotTaken | undefined, repeats: Repeats }>()
  #held: { source: Source, locations: Locations } | undefined

  constructor (private readonly perClass: number) {}

  add (one: Decided): void {
    const key = `${one.why} ${wordingOf(one.unit)}`
    const same = this.#made.get(key)
    const repeats = same?.repeats ?? new Repeats()
    if (!repeats.take(key)) return
    const count = (this.#counts.get(one.class) ?? 0) + 1
    this.#counts.set(one.class, count)
    const described = count > this.perClass ? undefined : this.#describe(one)
    if (described) this.listed.push(described)
    if (!same) this.#made.set(key, { first: described, repeats })
  }

  #describe ({ unit, class: kind, why }: Decided): NotTaken {
    const { source, start, end, headings } = unit
    if (this.#held?.source !== source) this.#held = { source, locations: new Locations(source.text) }
    return {
      input_id: source.input_id,
      chunk_id: chunkAt(source.chunks, start)?.chunk_id ?? '',
      quote: source.text.slice(start, Math.min(end, start + maxQuote)).toWellFormed(),
      char_start: start,
      char_end: end,
      location: shorten([sourceName(source), ...headings, this.#held.locations.of(start)].join(' › '), 400),
      class: kind,
      why: shorten(why, 300)
    }
  }

  /** Says of what is listed how often it stands besides. */
  close (): NotTaken[] {
    for (const { first, repeats } of this.#made.values()) if (first && repeats.more > 0) first.repeats = repeats.more
    return this.listed
  }

  get more (): NotTakenCount[] {
    return notTakenClasses.flatMap((kind) => {
      const count = (this.#counts.get(kind) ?? 0) - this.perClass
      return count > 0 ? [{ class: kind, count }] : []
    })
  }
}

const listsOf = (decided: readonly Decided[], perClass: number, hasMarks: boolean): Lists => {
  const lists = new Lists(perClass)
  for (const one of decided) if (one.state !== 'taken' && (hasMarks || one.state !== 'mark')) lists.add(one)
  lists.close()
  return lists
}

/**
 * @param hasMarks also what is no sentence, such as titles
 * @returns every sentence that the document does not take, undecided or with the reason
 */
export const allNotTaken = (units: readonly Unit[], document: SpecDocument, hasMarks = false): NotTaken[] =>
  listsOf(decide(units, document), Infinity, hasMarks).listed

/** @returns the document with what it does not take: the first of each class, and how many more there are */
export const withRest = (document: SpecDocument, units: readonly Unit[]): SpecDocument => {
  const { not_taken_more: _, ...rest } = document
  const { listed, more } = listsOf(decide(units, document), maxNotTaken, false)
  return { ...rest, not_taken: listed, ...(more.length > 0 && { not_taken_more: more }) }
}
