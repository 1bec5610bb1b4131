import type { Schemas } from '../../api/client'
import { formatWord } from '../../parts/badge'
import type { Mark } from '../../parts/marked-text'

type Document = Schemas['SpecDocument']
type Citation = Schemas['Citation']

/** @returns the anchor of the cited text */
export const anchorOf = (citation: Citation): string => `at-${citation.char_start}-${citation.char_end}`

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

/** @returns the label of an input, or else its source */
export const nameOf = ({ label, kind, source }: Pick<Schemas['SpecInput'], 'label' | 'kind' | 'source'>): string => {
  const from = [source.filename, source.url, source.path, source.number && `#${String(source.number)}`]
    .find((one) => typeof one === 'string')
  return label || (from ?? formatWord(kind))
}
