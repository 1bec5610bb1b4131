import type { Citation, NotTaken, Requirement, SpecDocument } from '../schemas/document.js'
import { uncoveredUnits } from '../engine/coverage.js'
import { materialOf } from '../engine/material.js'
import { sourceName } from '../engine/sections.js'
import { shorten } from '../engine/words.js'
import type { Unit } from '../engine/read-source.js'
import { countNormative, type Hit, type NormativeCounts } from './find-normative.js'
import { allNotTaken } from '../engine/not-taken.js'
import { measuresOf, type Measure } from './measures.js'
import type { CheckView, Found, Rule } from './view.js'

const enough = 0.8
/** More would not fit the list of findings. */
const mostReported = 500

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

/** @returns the numbers of the text that the evidence lacks, or has with another unit */
export const inventedNumbers = (text: string, evidence: readonly string[]): string[] => {
  const stated = measuresOf(text)
  if (stated.length === 0) return []
  const known = evidence.flatMap(measuresOf)
  return [...new Set(stated.filter((measure) => !isBacked(measure, known))
    .map(({ number, unit }) => unit ? `${number} ${unit}` : number))]
}

const answers = ({ inputs }: CheckView): string[] => inputs
  .filter(({ kind, superseded }) => (kind === 'answer' || kind === 'decision') && !superseded).map(({ text }) => text)

const invented = (view: CheckView): Found[] => {
  const answered = answers(view).flatMap(measuresOf)
  const find = ({ id, statement, citations, acceptance }: Requirement): Found[] => {
    const evidence = [...answered, ...citations.flatMap(({ quote }) => measuresOf(quote))]
    const missing = (text: string) => measuresOf(text).filter((measure) => !isBacked(measure, evidence))
      .map(({ number, unit }) => unit ? `${number} ${unit}` : number)
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

/** A version of before has no list of what was not taken, and the list of a large one is not the whole. */
const setAsideIn = ({ not_taken: listed, not_taken_more: more }: SpecDocument, units: readonly Unit[]): NotTaken[] =>
  listed && more === undefined ? listed : allNotTaken(units)

/** @returns the normative sentences of all inputs, counted by code that had no part in choosing requirements */
export const coverageOf = ({ units, document, inputs }: CheckView): NormativeCounts =>
  countNormative(document, inputs, setAsideIn(document, units))

const uncovered = (view: CheckView): Found[] => {
  const { total, setAside, unlisted } = coverageOf(view)
  const share = total === setAside.length ? 1 : 1 - unlisted.length / (total - setAside.length)
  const message = `Requirements cite ${Math.round(share * 100)} % of the normative sentences; at least 80 % should be`
  const low: Found[] = share < enough ? [{ target: 'document', severity: 'warn', message }] : []
  const { stories, success_criteria: criteria } = view.document
  const units = uncoveredUnits(view.units, [...view.active, ...stories, ...criteria])
    .filter(({ isMust }) => isMust)
  const isUnit = ({ input_id: id, at }: Hit) => units.some(({ source, start, end }) =>
    source.input_id === id && at >= start && at < end)
  const report = (text: string) => ({
    target: 'document', message: 'No requirement cites this sentence', quote: shorten(text, 300)
  })
  const others = unlisted.filter(({ isMust }) => isMust).slice(0, mostReported).filter((hit) => !isUnit(hit))
  return [...low, ...units.map(({ text }) => report(text)), ...others.map(({ quote }) => report(quote))]
}

/** What was left out of a document cannot be covered: whoever approves must know. */
const leftOut = ({ inputs }: CheckView): Found[] => materialOf(inputs).flatMap((source) => source.leftOut === undefined
  ? []
  : [{ target: 'document', message: `${sourceName(source)} was not read in whole; left out: ${source.leftOut}` }])

export const evidenceRules: Rule[] = [
  { id: 'PSE301', severity: 'error', fix: 'model', find: uncited },
  { id: 'PSE302', severity: 'error', fix: 'model', find: unproven },
  { id: 'PSE303', severity: 'warn', fix: 'human', find: outdated },
  { id: 'PSE304', severity: 'error', fix: 'human', find: invented },
  { id: 'PSE305', severity: 'error', fix: 'model', find: uncovered },
  // PSE306 follows from the verdicts of standards.
  { id: 'PSE307', severity: 'warn', fix: 'human', find: leftOut }
]
