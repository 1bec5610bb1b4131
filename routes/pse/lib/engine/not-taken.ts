import { notTakenClasses, type NotTaken } from '../../../../schemas/pse/document.js'
import { isOneOf } from '../../../../schemas/unknown.js'
import { Locations } from '../document/locations.js'
import { chunkAt, maxQuote, type Source } from './material.js'
import type { Unit } from './read-source.js'
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

/** @returns every sentence with a normative verb that makes no requirement and no story, with the reason */
export const notTakenOf = (units: readonly Unit[]): NotTaken[] => {
  let held: { source: Source, locations: Locations } | undefined
  return units.filter(({ hasModal, sense }) => hasModal && sense !== 'normative' && sense !== 'story')
    .map((unit) => {
      const { source, start, end } = unit
      if (held?.source !== source) held = { source, locations: new Locations(source.text) }
      return {
        input_id: source.input_id,
        chunk_id: chunkAt(source.chunks, start)?.chunk_id ?? '',
        quote: source.text.slice(start, Math.min(end, start + maxQuote)).toWellFormed(),
        char_start: start,
        char_end: end,
        location: locationOf(unit, held.locations),
        class: isOneOf(notTakenClasses, unit.class) ? unit.class : 'other',
        why: sections[unit.sense] ?? unit.why
      }
    })
}
