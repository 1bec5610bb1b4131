import { compileTemplate } from '../../packages/spec-engine/src/engine/template.js'
import { plain } from 'steward-document-reader/document'
import { wordsOf } from '../../packages/spec-engine/src/engine/words.js'
import { unlistedDemands } from '../../packages/spec-engine/src/checks/find-normative.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { CorpusDocument } from './documents.js'

/** What the engine made of one document. */
export interface Score {
  name: string
  /** Marked requirements, and those that a requirement cites. */
  marked: number
  found: number
  /** Requirements, and those that cite what is marked as one. */
  made: number
  right: number
  /** Marked questions, and those that the spec asks. */
  questions: number
  asked: number
  /** Normative sentences that independent code finds and the document neither cites nor lists. */
  unlisted: string[]
  missed: string[]
  wrong: string[]
}

const settings: SpecDocument['settings'] = {
  spec_type: 'feature',
  profile: 'kernel',
  notation: 'ears',
  locale: 'en',
  artifacts: ['requirements'],
  implementation_free: false,
  require_citations: true,
  max_requirements: 1_000
}

/** Words of a mark; what joins lines in a document must not matter. */
const wordsIn = (text: string): string[] => wordsOf(plain(text))
const joined = (text: string): string => ` ${wordsIn(text).join(' ')} `

/** @returns whether the words of one are mostly those of the other, in order of neither */
const covers = (cited: string, mark: string): boolean => {
  const words = wordsIn(mark)
  return words.length > 0 && words.filter((word) => cited.includes(` ${word} `)).length / words.length >= 0.75
}

const isIn = (cited: string, { text }: { text: string }): boolean => covers(cited, text)

/** @returns the sentences that a requirement cites, as words */
const citedBy = (document: SpecDocument): string[] => [
  ...document.requirements, ...document.stories
].map(({ citations }) => joined(citations.map(({ quote }) => quote).join(' ')))

/** A requirement is right when most of what it states stands in a mark of a requirement. */
const isRight = (statement: string, cited: string, marks: CorpusDocument['marks']): boolean =>
  marks.some(({ kind, text }) => kind === 'r' && isIn(cited, { text }) && overlaps(statement, text))

const overlaps = (statement: string, mark: string): boolean => {
  const words = new Set(wordsIn(mark))
  const own = wordsIn(statement).filter((word) => word.length > 3)
  return own.filter((word) => words.has(word)).length / Math.max(1, own.length) >= 0.3
}

export const scoreOf = ({ name, source, marks }: CorpusDocument): Score => {
  const session = { title: name, description: '', settings }
  const document = compileTemplate({ session, inputs: [source], standards: [] })
  const cited = citedBy(document)
  const demands = marks.filter(({ kind }) => kind === 'r')
  const missed = demands.filter((mark) => !cited.some((one) => isIn(one, mark)))
  const wrong = document.requirements.filter(({ statement, citations }) =>
    !isRight(statement, joined(citations.map(({ quote }) => quote).join(' ')), marks))
  const questions = marks.filter(({ kind }) => kind === 'q')
  const texts = document.open_questions.map(({ question }) => joined(question))
  return {
    name,
    marked: demands.length,
    found: demands.length - missed.length,
    made: document.requirements.length,
    right: document.requirements.length - wrong.length,
    questions: questions.length,
    asked: questions.filter((mark) => texts.some((one) => isIn(one, mark))).length,
    unlisted: unlistedDemands(document, [source]).map(({ quote }) => quote),
    missed: missed.map(({ text }) => text),
    wrong: wrong.map(({ statement }) => statement)
  }
}

export interface Totals { recall: number, precision: number, questions: number }

const sum = (scores: readonly Score[], of: (score: Score) => number): number =>
  scores.reduce((all, score) => all + of(score), 0)

/** @returns shares of 1; 1 where there is nothing to find */
export const totalsOf = (scores: readonly Score[]): Totals => {
  const share = (part: (score: Score) => number, all: (score: Score) => number): number =>
    sum(scores, all) === 0 ? 1 : sum(scores, part) / sum(scores, all)
  return {
    recall: share(({ found }) => found, ({ marked }) => marked),
    precision: share(({ right }) => right, ({ made }) => made),
    questions: share(({ asked }) => asked, ({ questions }) => questions)
  }
}
