import type { SpecDocument } from '../schemas/document.js'
import { materialOf, type Source } from '../engine/material.js'
import { VerbatimRepeats, type ListedRange } from './verbatim-repeats.js'

/**
 * Finds sentences that demand something, by a few words and in raw text. It shares nothing with the code that chooses
 * requirements: what that code does not see, this one counts.
 */
const verb = /(?<![\p{L}\p{N}_-])(?:must|shall|should|ought to|required to|(?<!the\s{1,9})needs? to|ha(?:s|ve) to|may not|may only|muss|müssen|soll|sollen|sollte|sollten|darf|dürfen|doit|doivent|devra|devront|devrait|devraient|debe|deben|deberá|deberán|debería|deberían)(?![\p{L}\p{N}_-])/giu
const keyword = /(?<![A-Za-z_-])(?:REQUIRED|RECOMMENDED|OPTIONAL|MAY)(?![A-Za-z_-])/g
const readable = /^(?:text\/(?:markdown|plain|html|x-rst|csv)|application\/(?:pdf|vnd\.openxml))/

/** A place where a verb demands something; the offset is of the verb. */
export interface Hit { input_id: string, at: number, isMust: boolean, quote: string }

const around = 100
const far = 500
const end = /[.!?:;…][)”"']?\s|\n[ \t]*\n|\n[ \t]*[-*#|>\d\p{Lu}]|\|/u
const strict = /^(?:must|shall|required|muss|müssen|darf|dürfen|doit|doivent|devra|devront|debe|deben|deberá|deberán)(?!\p{L})/iu

const hitsIn = ({ input_id, text }: Pick<Source, 'input_id' | 'text'>): Hit[] =>
  [...text.matchAll(verb), ...text.matchAll(keyword)].map(({ 0: word, index }) => ({ word, index }))
    .sort((one, other) => one.index - other.index)
    // Verbs of one sentence count once: between them nothing ends it.
    .filter(({ index }, at, all) =>
      at === 0 || end.test(text.slice(Math.max(all[at - 1]?.index ?? 0, index - far), index)))
    .map(({ word, index }) => ({
      input_id,
      at: index,
      isMust: strict.test(word),
      quote: text.slice(Math.max(0, index - around), index + around).toWellFormed()
    }))

/** @returns every place of the inputs where a verb demands something */
export const normativeHits = (inputs: readonly Source[]): Hit[] => materialOf(inputs)
  .filter(({ media_type: type }) => readable.test(type)).flatMap(hitsIn)

/** Ranges of each input, merged and in order, for hits that come in order. */
class Ranges {
  readonly #byInput = new Map<string, { start: number, end: number }[]>()
  readonly #next = new Map<string, number>()

  constructor (ranges: readonly ListedRange[]) {
    for (const { input_id: id, char_start: start, char_end: end } of ranges) {
      const list = this.#byInput.get(id) ?? []
      if (list.length === 0) this.#byInput.set(id, list)
      list.push({ start, end })
    }
  }

  hold ({ input_id: id, at }: Hit): boolean {
    const list = this.#byInput.get(id) ?? []
    let next = this.#next.get(id) ?? 0
    while (next < list.length && (list[next]?.end ?? 0) <= at) next++
    this.#next.set(id, next)
    return (list[next]?.start ?? Infinity) <= at
  }
}

const merged = (ranges: readonly ListedRange[]): ListedRange[] => {
  const out: ListedRange[] = []
  const order = [...ranges].sort((one, other) => one.input_id < other.input_id
    ? -1
    : one.input_id > other.input_id ? 1 : one.char_start - other.char_start)
  for (const range of order) {
    const last = out.at(-1)
    if (last?.input_id === range.input_id && range.char_start <= last.char_end) {
      last.char_end = Math.max(last.char_end, range.char_end)
    } else out.push({ ...range })
  }
  return out
}

export interface NormativeCounts { total: number, covered: Hit[], setAside: Hit[], unlisted: Hit[] }

const rangesOf = (items: readonly { citations: readonly ListedRange[], repeats?: number }[]): ListedRange[] =>
  items.flatMap(({ citations, repeats }) => citations.map((citation) =>
    repeats === undefined ? citation : { ...citation, repeats }))

const repeatsOf = (ranges: readonly ListedRange[], inputs: readonly Source[]): VerbatimRepeats =>
  new VerbatimRepeats(ranges, inputs, (text) => hitsIn({ input_id: '', text }).map(({ at }) => at))

/** @returns each verb of the inputs that demands something, by what the document does with them; linear */
export const countNormative = (document: SpecDocument, inputs: readonly Source[],
  aside: readonly ListedRange[] = document.not_taken ?? []): NormativeCounts => {
  const active = document.requirements.filter(({ status }) => status === 'active')
  const cites = [...rangesOf([...active, ...document.success_criteria]), ...rangesOf(document.stories)]
  const repeats = { cited: repeatsOf(cites, inputs), listed: repeatsOf(aside, inputs) }
  const cited = new Ranges(merged(cites))
  const listed = new Ranges(merged(aside))
  const hits = normativeHits(inputs)
  const counts: NormativeCounts = { total: hits.length, covered: [], setAside: [], unlisted: [] }
  for (const hit of hits) {
    const { input_id: id, at } = hit
    // Both are asked of every hit: they go through their ranges in order.
    const held = [cited.hold(hit), listed.hold(hit)]
    const isCited = held[0] || (!held[1] && repeats.cited.has(id, at))
    const isListed = held[1] || (!isCited && repeats.listed.has(id, at))
    counts[isCited ? 'covered' : isListed ? 'setAside' : 'unlisted'].push(hit)
  }
  return counts
}

/** @returns what the document neither cites nor lists, the uncovered ones apart */
export const unlistedDemands = (document: SpecDocument, inputs: readonly Source[]): Hit[] =>
  countNormative(document, inputs).unlisted
    .filter(({ quote }) => !document.uncovered.some((one) => quote.includes(one.quote.slice(0, around))))
