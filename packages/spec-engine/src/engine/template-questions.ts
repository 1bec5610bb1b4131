import type { Question, Requirement } from '../schemas/document.js'
import { placeholderQuestion } from './apply-answers.js'
import { isProse } from 'steward-document-reader/document'
import { textLanguage } from '../classify/language.js'
import { contradictionsOf, type Contradiction } from './contradictions.js'
import { byWording, questionKey } from './identify.js'
import { modalsOf } from '../classify/normative.js'
import { isPlaceholder, type Unit } from './read-source.js'
import { aboutStatements } from './statements.js'
import { taxonomy } from './taxonomy.js'
import type { Scenario } from './template-steps.js'
import type { Build } from './template.js'
import { keyOf, shorten } from './words.js'

const maxOpen = 10

type NewQuestion = Pick<Question, 'question' | 'why_it_matters' | 'options' | 'blocking' | 'about'>

/** Questions and placeholders of the inputs. */
const fromInputs = (units: Unit[], locale: string): NewQuestion[] => units.filter(({ sense }) => sense === 'question')
  .map(({ text }) => isPlaceholder(text)
    ? {
        question: placeholderQuestion(text),
        why_it_matters: 'The inputs hold a placeholder where the spec needs a fact',
        options: [],
        blocking: modalsOf(text, locale, false).length > 0,
        about: 'placeholder'
      }
    : {
        question: shorten(text, 500),
        why_it_matters: 'The inputs ask it themselves',
        options: [],
        blocking: false,
        about: 'input'
      })

const aboutScenarios = (loose: readonly Scenario[]): NewQuestion[] => loose.map(({ unit }) => ({
  question: shorten(`Which requirement does this show to be met: “${unit.text}”?`, 500),
  why_it_matters: 'An acceptance criterion that belongs to no requirement is tested by nobody',
  options: [],
  blocking: false,
  about: 'scenario'
}))

/** Asks one question about all requirements without a criterion, so that they do not hide the other questions. */
const aboutVerification = (requirements: readonly Requirement[]): NewQuestion[] => {
  const open = requirements.filter(({ status, acceptance }) => status === 'active' && acceptance.length === 0)
  if (open.length === 0) return []
  const names = open.map(({ id }) => id)
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${String(names.at(-1))}` : String(names[0])
  return [{
    question: shorten(`How will ${list} be verified?`, 500),
    why_it_matters: 'A requirement without an acceptance criterion cannot be shown to be met',
    options: [],
    blocking: false,
    about: 'verification'
  }]
}

/** Two demands on the same thing with other numbers: a person says which one holds. */
/** What demands, and what only permits: it may contradict a prohibition. */
const isStatement = ({ sense, text, language }: Unit): boolean => sense === 'normative' ||
  (sense === 'other' && (/\b(?:is|are) allowed to\b/i.test(text) ||
    /^(?:may|can|kann|können|peut|peuvent|puede|pueden)$/i.test(modalsOf(text, language, true)[0]?.word ?? '')))

const aboutContradictions = ({ units }: Build): NewQuestion[] =>
  contradictionsOf(units.filter(isStatement)).map(questionOf)

const questionOf = ({ one, other }: Contradiction<Unit>): NewQuestion => ({
  question: shorten(`“${one.text}” (${nameOf(one)}) and “${other.text}” (${nameOf(other)}) contradict each other. ` +
    'Which one holds?', 500),
  why_it_matters: 'Both cannot be met',
  options: [shorten(one.text, 300), shorten(other.text, 300)],
  blocking: true,
  about: 'contradiction'
})

const nameOf = ({ source: { label, seq }, headings }: Unit): string =>
  shorten([label === '' ? `input ${seq}` : label, headings.at(-1)].filter(Boolean).join(' › '), 100)

/** What exceeds max_requirements is never left out without a word: it is asked for in parts. */
const aboutLimit = ({ dropped }: Found, limit: number): NewQuestion[] => {
  if (dropped.length === 0) return []
  const parts = new Map<string, number>()
  for (const { headings } of dropped) {
    const part = headings[1] ?? headings[0] ?? 'no heading'
    parts.set(part, (parts.get(part) ?? 0) + 1)
  }
  const list = [...parts].map(([part, count]) => `${part} (${count})`).join(', ')
  return [{
    question: shorten(`${dropped.length} demands exceed the limit of ${limit} requirements. Raise max_requirements, ` +
      `or make a spec of each part? They stand in: ${list}`, 500),
    why_it_matters: 'What exceeds the limit is listed as uncovered, and nobody builds it',
    options: ['Raise max_requirements', 'Make a spec of each part'],
    blocking: true,
    about: 'limit'
  }]
}

/** A language that is not read is said, not guessed. */
const aboutLanguages = ({ sources }: Build): NewQuestion[] => sources
  .filter(({ text, media_type: type }) => isProse(type) && textLanguage(text) === 'other').map(({ label, seq }) => ({
    question: `Input ${seq}${label === '' ? '' : ` (${shorten(label, 200)})`} is in a language whose demands are not ` +
      'read. Can you add it in English, German, French or Spanish?',
    why_it_matters: 'Its sentences are in no requirement',
    options: [],
    blocking: true,
    about: 'language'
  }))

const fromTaxonomy = ({ units, session: { settings } }: Build): NewQuestion[] => {
  // One sentence is enough to cover a category.
  const hasLimits = units.some(({ sense }) => sense === 'non_goal')
  const open = new Set(taxonomy.filter(({ key, profiles }) =>
    profiles.includes(settings.profile) && !(key === 'scope' && hasLimits)))
  for (const { text, headings } of units) {
    const sentence = `${headings.at(-1) ?? ''}: ${text}`
    for (const category of open) if (category.evidence.test(sentence)) open.delete(category)
    if (open.size === 0) break
  }
  return [...open].map(({ key, question, why, options }) =>
    ({ question, why_it_matters: why, options: [...options], blocking: false, about: `taxonomy:${key}` }))
}

/** How many of each kind, such as "12 of input, 1 of verification". */
const kindsOf = (questions: readonly NewQuestion[]): string => {
  const counts = new Map<string, number>()
  for (const { about } of questions) {
    const kind = about?.replace(/:.*/, '') ?? 'other'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, count]) => `${count} of ${kind}`).join(', ')
}

/** Replaces the questions that exceed the room with one that says how many they are, and how to see them. */
const fold = (questions: NewQuestion[], room: number): NewQuestion[] => {
  if (questions.length <= room || room < 1) return questions.slice(0, Math.max(0, room))
  const rest = questions.slice(room - 1)
  return [...questions.slice(0, room - 1), {
    question: shorten(`${rest.length} more questions are open: ${kindsOf(rest)}, ` +
      `${rest.filter(({ blocking }) => blocking).length} blocking. A version lists ${maxOpen} at most: answer these ` +
      `and generate again to see the next, which are: ${rest.map(({ question }) => question).join(' ')}`, 500),
    why_it_matters: 'A spec with many open questions is best split or talked through',
    options: [],
    blocking: rest.some(({ blocking }) => blocking),
    about: 'more'
  }]
}

interface Found { requirements: readonly Requirement[], loose: readonly Scenario[], dropped: readonly Unit[] }

const answersOf = ({ all }: Build): Map<string, string> => new Map(all
  .filter(({ kind, superseded }) => kind === 'answer' && !superseded)
  .map(({ about, input_id }) => [about?.question_id ?? '', input_id]))

const settle = (question: Question, answers: Map<string, string>, dismissed: Map<string, string>): Question => {
  const answered = answers.get(question.id)
  if (answered !== undefined) return { ...question, status: 'answered', answer_input_id: answered }
  const decided = dismissed.get(question.id)
  return decided === undefined ? question : { ...question, status: 'dismissed', answer_input_id: decided }
}

/**
 * @param dismissed ids of the inputs that settled questions, by the questions' ids
 * @returns the settled questions of the base, then at most 10 open ones
 */
export const collectQuestions = (build: Build, found: Found, dismissed: Map<string, string>): Question[] => {
  const { base, ids, units, session: { settings } } = build
  const answers = answersOf(build)
  const before = (base?.open_questions ?? []).map((question) => settle(question, answers, dismissed))
  const settled = before.filter(({ status }) => status !== 'open')
  const known = byWording(before)
  const unsettled = new Map<string, NewQuestion>()
  const all = [...aboutLimit(found, settings.max_requirements), ...aboutLanguages(build),
    ...aboutContradictions(build), ...fromInputs(units, settings.locale), ...aboutStatements(units),
    ...aboutVerification(found.requirements),
    ...aboutScenarios(found.loose), ...fromTaxonomy(build)]
  for (const one of all) {
    const old = known.get(questionKey(one))
    const isNew = !unsettled.has(keyOf(one.question))
    if (isNew && (old === undefined || old.status === 'open')) unsettled.set(keyOf(one.question), one)
  }
  const ranked = [...unsettled.values()].sort((one, other) => Number(other.blocking) - Number(one.blocking))
  const open = fold(ranked, maxOpen).map((one): Question => ({
    id: known.get(questionKey(one))?.id ?? ids.next('Q'),
    ...one,
    recommended: null,
    status: 'open',
    answer_input_id: null
  }))
  return [...settled, ...open]
}
