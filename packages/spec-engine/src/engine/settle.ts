import { blocksOf } from 'steward-document-reader/document'
import type { Question, SpecDocument } from '../schemas/document.js'
import type { TemplateTask } from './compile.js'
import { byWording, type Ids, questionKey } from './identify.js'
import { citeRange, type Source } from './material.js'
import { placeholder, type Unit } from './triage.js'
import { keyOf, shorten } from './words.js'

const aboutOf = ({ about, text }: Source): string | undefined => about?.question_id ?? /\bQ-\d+\b/.exec(text)?.[0]

/** @returns the questions that the inputs ask, word for word, and those of the version before as people settled them */
const questionsOf = ({ base, inputs }: TemplateTask, units: readonly Unit[], ids: Ids,
  more: readonly Question[]): Question[] => {
  const given = (kind: Source['kind']) => new Map(inputs.filter((one) => one.kind === kind && !one.superseded)
    .map((one) => [aboutOf(one) ?? '', one.input_id]))
  const [answers, decisions] = [given('answer'), given('decision')]
  const before = (base?.open_questions ?? []).map((one): Question => {
    const [answered, dismissed] = [answers.get(one.id), decisions.get(one.id)]
    if (answered !== undefined) return { ...one, status: 'answered', answer_input_id: answered }
    return dismissed === undefined ? one : { ...one, status: 'dismissed', answer_input_id: dismissed }
  })
  const known = byWording(before)
  const asked = new Map(units.filter(({ fate }) => fate === 'question').map(({ text }) => [keyOf(text), shorten(text, 500)]))
  const open = [...asked.values()].flatMap((question): Question[] => {
    const isOpen = placeholder.test(question)
    const about = isOpen ? 'placeholder' : 'input'
    const old = known.get(questionKey({ question, about }))
    if (old && old.status !== 'open') return []
    return [old ?? {
      id: ids.next('Q'),
      question,
      why_it_matters: isOpen ? 'The inputs leave open what is demanded' : 'The inputs ask it themselves',
      options: [],
      // What is demanded is not known: nobody can build it.
      blocking: isOpen,
      about,
      recommended: null,
      status: 'open',
      answer_input_id: null
    }]
  })
  const taken = new Set((base?.requirements ?? []).filter(({ status }) => status === 'active')
    .flatMap(({ citations }) => citations.map(({ input_id: id, char_start: start }) => `${id} ${start}`)))
  const doubts = units.filter(({ fate, source, start }) => fate === 'undecided' && !taken.has(`${source.input_id} ${start}`))
    .flatMap(({ asks: question, why, headings }): Question[] => question === undefined
      ? []
      : [{
          id: '',
          question,
          why_it_matters: why,
          options: [],
          recommended: null,
          blocking: false,
          status: 'open',
          answer_input_id: null,
          about: shorten(headings.at(-1) ?? '', 300)
        }])
  const asks = [...doubts, ...more].flatMap((one): Question[] => {
    const old = known.get(questionKey(one))
    return old && old.status !== 'open' ? [] : [{ ...one, id: old?.id ?? ids.next('Q') }]
  })
  const kept = new Set(open.map(({ id }) => id))
  return [...before.filter(({ status, id }) => status !== 'open' && !kept.has(id)), ...open, ...asks]
}

/** Decisions of people, and sentences below a heading of decisions. */
const decisionsOf = ({ base, inputs }: TemplateTask, units: readonly Unit[], ids: Ids): SpecDocument['decisions'] => {
  const known = new Map((base?.decisions ?? []).map(({ outcome, id }) => [keyOf(outcome), id]))
  const stated = [
    ...inputs.filter(({ kind, superseded }) => kind === 'decision' && !superseded)
      .map(({ text, input_id }) => ({ text: text.trim(), input_id })),
    ...units.filter(({ fate, role, source }) => fate === 'note' && role === 'decisions' && source.kind !== 'decision')
      .map(({ text, source }) => ({ text, input_id: source.input_id }))
  ]
  return stated.map(({ text, input_id }) => ({
    id: known.get(keyOf(shorten(text, 1_000))) ?? ids.next('D'),
    title: shorten(text.split('\n')[0] ?? text, 120),
    status: 'accepted',
    drivers: [],
    options: [],
    outcome: shorten(text, 1_000),
    consequences: [],
    input_id
  }))
}

/** A decision that dismisses a question is assumed from then on. */
const assumptionsOf = ({ base, inputs }: TemplateTask, ids: Ids): SpecDocument['assumptions'] => {
  const known = new Map((base?.assumptions ?? []).map(({ text, id }) => [keyOf(text), id]))
  return inputs.filter((one) => one.kind === 'decision' && !one.superseded && aboutOf(one) !== undefined).map((one) => ({
    id: known.get(keyOf(shorten(one.text.trim(), 1_000))) ?? ids.next('A'),
    text: shorten(one.text.trim(), 1_000),
    why: `${String(aboutOf(one))} was dismissed by a decision`,
    impact: 'medium',
    confirmed_by_input: one.input_id
  }))
}

const slug = (title: string): string =>
  keyOf(title).replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60) || 'section'

const own = new Set(['summary', 'problem', 'goals', 'non-goals', 'actors', 'glossary', 'user-stories', 'stories',
  'requirements', 'entities', 'interfaces', 'edge-cases', 'success-criteria', 'risks', 'assumptions', 'open-questions',
  'decisions', 'design', 'tasks'])

/** The sections that attached templates ask for, with what the inputs have below the same headings. */
const sectionsOf = ({ standards }: TemplateTask, units: readonly Unit[]): SpecDocument['sections'] => {
  const titles = standards.filter(({ kind }) => kind === 'template').flatMap(({ body_markdown: body }) =>
    blocksOf(body, 'text/markdown').filter(({ kind }) => kind === 'heading').map(({ headings }) => headings.at(-1) ?? ''))
  const requested = new Map(titles.map((title) => [slug(title), title]).filter(([key]) => !own.has(key ?? '')) as [string, string][])
  return [...requested].map(([key, title]) => {
    const found = units.filter(({ headings, block }) =>
      block.kind !== 'heading' && slug(headings.at(-1) ?? '') === key)
    return {
      key,
      title: shorten(title, 200),
      text: shorten(found.map(({ text }) => text).join('\n'), 10_000),
      citations: found.slice(0, 20).flatMap(({ source, start, end }) => citeRange(source, start, end))
    }
  })
}

/** @returns what people settled, the inputs and a model ask, and the sections of templates */
export const settle = (task: TemplateTask, units: readonly Unit[], ids: Ids, questions: readonly Question[]) => ({
  questions: questionsOf(task, units, ids, questions),
  decisions: decisionsOf(task, units, ids),
  assumptions: assumptionsOf(task, ids),
  sections: sectionsOf(task, units)
})
