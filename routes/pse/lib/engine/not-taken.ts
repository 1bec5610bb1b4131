import { notTakenClasses, type NotTaken } from '../../../../schemas/pse/document.js'
import { isOneOf } from '../../../../schemas/unknown.js'
import { Locations } from '../document/locations.js'
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

/** @returns the input's name, the section and the line or page */
export const locationOf = ({ source, headings, start }: Unit, locations: Locations): string =>
  shorten([sourceName(source), ...headings, locations.of(start)].join(' › '), 400)

const reasonOf = ({ sense, why }: Unit): string => sections[sense] ?? why

const describe = (unit: Unit, locations: Locations): NotTaken => {
  const { source, start, end } = unit
  return {
    input_id: source.input_id,
    chunk_id: chunkAt(source.chunks, start)?.chunk_id ?? '',
    quote: source.text.slice(start, Math.min(end, start + maxQuote)).toWellFormed(),
    char_start: start,
    char_end: end,
    location: locationOf(unit, locations),
    class: isOneOf(notTakenClasses, unit.class) ? unit.class : 'other',
    why: reasonOf(unit)
  }
}

/** @returns every sentence with a normative verb that makes no requirement and no story, with the reason */
export const notTakenOf = (units: readonly Unit[]): NotTaken[] => {
  let held: { source: Source, locations: Locations } | undefined
  const made = new Map<string, { first: NotTaken, repeats: Repeats }>()
  const listed: NotTaken[] = []
  for (const unit of units.filter(({ hasModal, sense }) => hasModal && sense !== 'normative' && sense !== 'story')) {
    const key = `${reasonOf(unit)} ${wordingOf(unit)}`
    const same = made.get(key)
    const repeats = same?.repeats ?? new Repeats()
    if (!repeats.take(key)) continue
    if (held?.source !== unit.source) held = { source: unit.source, locations: new Locations(unit.source.text) }
    const one = describe(unit, held.locations)
    listed.push(one)
    if (!same) made.set(key, { first: one, repeats })
  }
  for (const { first, repeats } of made.values()) if (repeats.more > 0) first.repeats = repeats.more
  return listed
}
