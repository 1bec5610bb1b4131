import { compileTemplate, unitsOf } from '../../packages/spec-engine/src/engine/compile.js'
import { allNotTaken } from '../../packages/spec-engine/src/engine/rest.js'
import { plain } from 'steward-document-reader/document'
import { wordsOf } from '../../packages/spec-engine/src/engine/words.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { CorpusDocument } from './documents.js'

/** What the engine made of one document. */
export interface Score {
  name: string
  /** Marked requirements, and those that a requirement cites. */
  marked: number
  found: number
  /** Marked requirements that a requirement cites, or that the spec shows as undecided. */
  visible: number
  /** Requirements, and those that cite what is marked as one. */
  made: number
  right: number
  /** Marked questions, and those that the spec asks. */
  questions: number
  asked: number
  /** Marked requirements that are neither. */
  lost: string[]
  /** Marked requirements that no requirement cites. */
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
  const open = joined(allNotTaken(unitsOf([source], settings.locale), document)
    .filter((one) => one.class === 'undecided').map(({ char_start: from, char_end: to }) => source.text.slice(from, to)).join(' '))
  const lost = missed.filter((mark) => !isIn(open, mark))
  const wrong = document.requirements.filter(({ statement, citations }) =>
    !isRight(statement, joined(citations.map(({ quote }) => quote).join(' ')), marks))
  const questions = marks.filter(({ kind }) => kind === 'q')
  const asked = document.open_questions.map(({ question }) => question)
  const texts = [...asked, ...(document.not_taken ?? []).map(({ quote }) => quote)].map(joined)
  return {
    name,
    marked: demands.length,
    found: demands.length - missed.length,
    visible: demands.length - lost.length,
    made: document.requirements.length,
    right: document.requirements.length - wrong.length,
    questions: questions.length,
    asked: questions.filter((mark) => texts.some((one) => isIn(one, mark))).length,
    lost: lost.map(({ text }) => text),
    missed: missed.map(({ text }) => text),
    wrong: wrong.map(({ statement }) => statement)
  }
}

export interface Totals { recall: number, visible: number, precision: number, questions: number }

const sum = (scores: readonly Score[], of: (score: Score) => number): number =>
  scores.reduce((all, score) => all + of(score), 0)

/** @returns shares of 1; 1 where there is nothing to find */
export const totalsOf = (scores: readonly Score[]): Totals => {
  const share = (part: (score: Score) => number, all: (score: Score) => number): number =>
    sum(scores, all) === 0 ? 1 : sum(scores, part) / sum(scores, all)
  return {
    recall: share(({ found }) => found, ({ marked }) => marked),
    visible: share(({ visible }) => visible, ({ marked }) => marked),
    precision: share(({ right }) => right, ({ made }) => made),
    questions: share(({ asked }) => asked, ({ questions }) => questions)
  }
}
