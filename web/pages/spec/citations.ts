import type { Schemas } from '../../api/client'
import { formatWord } from '../../parts/badge'
import type { Mark } from '../../parts/marked-text'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

type Document = Schemas['SpecDocument']
type Citation = Schemas['Citation']
type Range = Pick<Citation, 'char_start' | 'char_end'>

/** @returns the anchor of a text in its input */
export const anchorOf = ({ char_start: start, char_end: end }: Range): string => `at-${start}-${end}`

interface Cited { id: string, title: string, citations: Citation[] }

const citedBy = (document: Document): Cited[] => [...document.requirements, ...document.stories]

const marksBy = ({ id, title, citations }: Cited, input: string): Mark[] =>
  citations.filter((citation) => citation.input_id === input).map((citation) => ({
    id: anchorOf(citation),
    start: citation.char_start,
    end: citation.char_end,
    // A quote that differs from the input gets a warning.
    tone: citation.match === 'fuzzy' ? 'warn' : 'info',
    title: `${id}: ${title}`
  }))

/** @returns the marks of the cited texts in one input, each with the citing requirement */
export const marksOf = (document: Document, input: string): Mark[] =>
  citedBy(document).flatMap((cited) => marksBy(cited, input))

/** @returns the mark of the sentence that a link leads to, if the spec has set it aside */
export const markOfNotTaken = ({ not_taken: items = [] }: Document, input: string, at: string | undefined): Mark[] =>
  items.filter((item) => item.input_id === input && anchorOf(item) === at).map((item) => ({
    id: anchorOf(item),
    start: item.char_start,
    end: item.char_end,
    tone: 'warn',
    title: say('spec.notTaken', { why: translate('reasons', item.why) })
  }))

/** @param location names of the input and its sections, which are data, and a line or page */
export const wordsOfLocation = (location: string): string => {
  const at = location.lastIndexOf(' › ') + 1
  return at === 0
    ? translate('reasons', location)
    : location.slice(0, at + 2) + translate('reasons', location.slice(at + 2))
}

/** @param repeats how often something stands besides the places that are given */
export const moreOften = (repeats: number): string =>
  say('spec.repeats', { count: repeats })

/** @returns what of the input was not read, if anything */
export const leftOutOf = ({ source }: Pick<Schemas['SpecInput'], 'source'>): string | undefined =>
  typeof source.left_out === 'string'
    ? source.left_out.split('; ').map((part) => translate('reasons', part)).join('; ')
    : undefined

/** @returns the label of an input, or else its source */
export const nameOf = ({ label, kind, source }: Pick<Schemas['SpecInput'], 'label' | 'kind' | 'source'>): string => {
  const from = [source.filename, source.url, source.path, source.number && `#${String(source.number)}`]
    .find((one) => typeof one === 'string')
  return label || (from ?? formatWord(kind))
}
