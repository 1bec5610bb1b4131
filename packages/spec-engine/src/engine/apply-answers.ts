import type { Question, SpecDocument } from '../schemas/document.js'
import { placeholder } from '../classify/classify.js'
import { aside } from '../classify/verdict.js'
import type { Source } from './material.js'
import type { Unit } from './read-source.js'
import { askedOf } from './identify.js'
import { aboutOf, isStated } from './statements.js'
import { keyOf, overlap, contentWords, shorten } from './words.js'

/** Words of an answer that can stand where a placeholder stood. */
const maxWords = 14

interface Answer { question: Question, source: Source }

const answersTo = (base: SpecDocument, inputs: readonly Source[]): Answer[] => {
  const given = new Map(inputs.filter(({ kind, superseded }) => kind === 'answer' && !superseded)
    .map((source) => [source.about?.question_id ?? '', source]))
  return base.open_questions.flatMap((question) => {
    const source = given.get(question.id)
    return source ? [{ question, source }] : []
  })
}

const bare = (text: string): string => text.trim().replace(/[.;]$/, '')

/** Puts the answer where the placeholder stood: "at most TBD" becomes "at most 20 requests". */
const fill = (unit: Unit, { question, source }: Answer): Unit => {
  const answer = bare(source.text)
  if (answer.split(/\s+/).length > maxWords || answer.includes('\n')) return unit
  return {
    ...unit,
    text: unit.text.replace(placeholder, () => answer),
    sense: 'normative',
    class: 'demand',
    why: `${question.id} was answered`,
    isMust: true,
    backing: source,
    note: shorten(`${question.id} was answered: “${answer}”`, 1_000)
  }
}

/** Of two demands that contradict each other the answer keeps the one that it repeats, or none. */
const choose = (unit: Unit, { question, source }: Answer): Unit => {
  const own = question.options.findIndex((option) => keyOf(option) === keyOf(shorten(unit.text, 300)))
  if (own === -1) return unit
  const words = contentWords(source.text)
  const scores = question.options.map((option) => overlap(words, contentWords(option)))
  const isKept = (scores[own] ?? 0) >= 0.6 && scores.every((score, at) => at === own || score < (scores[own] ?? 0))
  return isKept
    ? { ...unit, note: `${question.id} was answered: this one holds`, backing: source }
    : { ...unit, ...aside('alternative', `${question.id} was answered otherwise`), isMust: false }
}

/** "Yes, but not the second one" takes none: nobody can know which. */
const agrees = /^(?:yes|ja|oui|sí)(?:,? (?:all(?: of them)?|alle|toutes|todas))?[.!]?$/iu

/** @returns the unit as a demand, where a person has answered that such sentences are requirements */
const takeStatement = (unit: Unit, answers: readonly Answer[]): Unit => {
  const answer = isStated(unit)
    ? answers.find(({ question }) => askedOf(question).about === aboutOf(unit.source))
    : undefined
  if (!answer || !agrees.test(answer.source.text.trim())) return unit
  const note = `${answer.question.id} was answered: it is demanded`
  const taken = { sense: 'normative', class: 'demand', why: note, isMust: true, needsReason: false } as const
  return { ...unit, ...taken, backing: answer.source, note }
}

/** @returns the units as people's answers have changed them */
export const applyAnswers = (units: Unit[], base: SpecDocument | undefined, inputs: readonly Source[]): Unit[] => {
  const answers = base ? answersTo(base, inputs) : []
  if (answers.length === 0) return units
  const isAbout = (topic: string) => ({ question }: Answer): boolean => askedOf(question).about === topic
  const open = new Map(answers.filter(isAbout('placeholder'))
    .map((answer) => [keyOf(askedOf(answer.question).question), answer]))
  const disputes = answers.filter(isAbout('contradiction'))
  return units.map((unit) => {
    if (unit.source.kind === 'answer') return unit
    const answer = unit.sense === 'question' && open.get(keyOf(placeholderQuestion(unit.text)))
    if (answer) return fill(unit, answer)
    return unit.sense === 'normative' ? disputes.reduce(choose, unit) : takeStatement(unit, answers)
  })
}

/** @returns what the spec asks about a sentence with a placeholder */
export const placeholderQuestion = (text: string): string => shorten(`What is left open in “${text}”?`, 500)
