import type { Citation, Requirement } from '../schemas/document.js'
import { materialOf } from '../engine/material.js'
import { decide } from '../engine/rest.js'
import { sourceName } from '../engine/sections.js'
import { type Measure, measuresOf } from './measures.js'
import type { CheckView, Found, Rule } from './view.js'

const uncited = ({ active, document }: CheckView): Found[] => document.settings.require_citations
  ? active.filter(({ citations, origin, human_edited: edited, assumption_ids: assumed }) =>
    citations.length === 0 && origin !== 'human' && !edited && assumed.length === 0)
    .map(({ id }) => ({ target: id, message: 'No input says this, no person wrote it, and no assumption covers it' }))
  : []

/** @returns whether the quote stands at its offsets in the input, inside its chunk */
export const isProven = ({ sources }: Pick<CheckView, 'sources'>, citation: Citation): boolean => {
  const source = sources.get(citation.input_id)
  const number = Number(citation.chunk_id.slice(citation.chunk_id.indexOf('#') + 1))
  const chunk = source?.chunks[number - 1]
  if (!source || chunk?.chunk_id !== citation.chunk_id) return false
  const { char_start: start, char_end: end, quote } = citation
  return start >= chunk.char_start && end <= chunk.char_end && source.text.slice(start, end).toWellFormed() === quote
}

const unproven = (view: CheckView): Found[] => view.active.flatMap(({ id, citations }) =>
  citations.filter((citation) => !isProven(view, citation))
    .map(({ quote }) => ({ target: id, message: 'The quote does not stand in the cited chunk', quote })))

const outdated = ({ active, sources }: CheckView): Found[] => active.flatMap(({ id, citations }) =>
  [...new Set(citations.map(({ input_id: input }) => input))].filter((input) => sources.get(input)?.superseded)
    .map((input) => ({ target: id, message: `The input ${input} that it cites was superseded` })))

const isBacked = ({ number, unit }: Measure, evidence: readonly Measure[]): boolean => {
  const same = evidence.filter((one) => one.number === number)
  return same.length > 0 && (unit === undefined || same.some((one) => one.unit === undefined || one.unit === unit))
}

const answers = ({ inputs }: CheckView): string[] => inputs
  .filter(({ kind, superseded }) => (kind === 'answer' || kind === 'decision') && !superseded).map(({ text }) => text)

const invented = (view: CheckView): Found[] => {
  const answered = answers(view).flatMap(measuresOf)
  const find = ({ id, statement, citations, acceptance }: Requirement): Found[] => {
    const evidence = [...answered, ...citations.flatMap(({ quote }) => measuresOf(quote))]
    const missing = (text: string) => measuresOf(text).filter((measure) => !isBacked(measure, evidence))
      .map(({ number, unit, said }) => said ?? (unit ? `${number} ${unit}` : number))
    const found = (target: string, text: string, more: Partial<Found>) => [...new Set(missing(text))].map((quote) =>
      ({ target, message: `${quote} stands neither in its quotes nor in an answer`, quote, ...more }))
    return [
      ...found(id, statement.replace(/\b[A-Z]{1,3}-\d+\b/g, ' '), {}),
      ...acceptance.flatMap((one) => found(one.id, `${one.given}. ${one.when}. ${one.then}`, { severity: 'warn' }))
    ]
  }
  // A person's own requirement needs no evidence.
  return view.active.filter(({ origin, human_edited: edited }) => origin !== 'human' && !edited).flatMap(find)
}

/** How much of the inputs is decided. */
export interface Counts { sentences: number, taken: number, set_aside: number, undecided: number }

/** @returns how many sentences of all inputs the document takes, sets aside and leaves open; titles do not count */
export const countSentences = ({ units, document }: Pick<CheckView, 'units' | 'document'>): Counts => {
  const counts: Counts = { sentences: 0, taken: 0, set_aside: 0, undecided: 0 }
  for (const { state } of decide(units, document)) {
    if (state === 'mark') continue
    counts.sentences++
    counts[state]++
  }
  return counts
}

const open = (view: CheckView): Found[] => {
  const { undecided, sentences } = countSentences(view)
  return undecided === 0
    ? []
    : [{ target: 'document', message: `${undecided} of ${sentences} sentences of the inputs are undecided` }]
}

/** What was left out of a document cannot be covered: whoever approves must know. */
const leftOut = ({ inputs }: CheckView): Found[] => materialOf(inputs).flatMap((source) => source.leftOut === undefined
  ? []
  : [{ target: 'document', message: `${sourceName(source)} was not read in whole; left out: ${source.leftOut}` }])

const verdicts = { not: 'It does not follow from its sentences', partly: 'Only a part follows from its sentences' }

/** What a second look found of a statement that a model wrote; a person's own words need none. */
const unsupported = ({ active }: CheckView): Found[] => active.flatMap(({ id, support, human_edited: edited }): Found[] =>
  support === undefined || support.verdict === 'follows' || edited
    ? []
    : [{
        target: id,
        message: `${verdicts[support.verdict]}: ${support.why}`,
        ...(support.verdict === 'partly' && { severity: 'warn' as const })
      }])

export const evidenceRules: Rule[] = [
  { id: 'PSE301', severity: 'error', fix: 'model', find: uncited },
  { id: 'PSE302', severity: 'error', fix: 'model', find: unproven },
  { id: 'PSE303', severity: 'warn', fix: 'human', find: outdated },
  { id: 'PSE304', severity: 'warn', fix: 'human', find: invented },
  { id: 'PSE305', severity: 'info', fix: 'human', find: open },
  // PSE306 follows from the verdicts of standards.
  { id: 'PSE307', severity: 'warn', fix: 'human', find: leftOut },
  { id: 'PSE308', severity: 'error', fix: 'human', find: unsupported }
]
