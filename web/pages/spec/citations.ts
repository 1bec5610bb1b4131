import type { Schemas } from '../../api/client'
import { sayWord } from '../../parts/badge'
import type { Mark } from '../../parts/marked-text'

type Document = Schemas['SpecDocument']
type Citation = Schemas['Citation']

/** @returns the name of the place that is cited */
export const placeOf = (citation: Citation): string => `at-${citation.char_start}-${citation.char_end}`

interface Cited { id: string, title: string, citations: Citation[] }

const citedBy = (document: Document): Cited[] => [...document.requirements, ...document.stories]

const marksBy = ({ id, title, citations }: Cited, input: string): Mark[] =>
  citations.filter((citation) => citation.input_id === input).map((citation) => ({
    id: placeOf(citation),
    start: citation.char_start,
    end: citation.char_end,
    // What is not word for word in the input is shown as what it is.
    tone: citation.match === 'fuzzy' ? 'warn' : 'info',
    title: `${id}: ${title}`
  }))

/** @returns the places of one input that the document cites, each with who cites it */
export const marksOf = (document: Document, input: string): Mark[] =>
  citedBy(document).flatMap((cited) => marksBy(cited, input))

/** @returns what an input is called: as it was named, else by where it came from */
export const nameOf = ({ label, kind, source }: Pick<Schemas['SpecInput'], 'label' | 'kind' | 'source'>): string => {
  const from = [source.filename, source.url, source.path, source.number && `#${String(source.number)}`]
    .find((one) => typeof one === 'string')
  return label || (from ?? sayWord(kind))
}
