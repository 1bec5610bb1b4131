import type { SpecDocument } from '../schemas/document.js'
import { readSource } from './read-source.js'
import { titleOf } from './titles.js'
import type { Build } from './template.js'
import { keyOf, shorten } from './words.js'

/** Collects decisions from inputs of kind decision and from sections with that role. */
const statedIn = ({ all, units, session }: Build) => [
  ...all.filter(({ kind, superseded }) => kind === 'decision' && !superseded).map((source) => ({
    text: source.text.trim(),
    input_id: source.input_id,
    about: source.about?.question_id ?? /\bQ-\d+\b/.exec(source.text)?.[0],
    first: readSource(source, session.settings.locale)[0]?.text ?? source.text
  })),
  ...units.filter(({ sense, source }) => sense === 'decision' && source.kind !== 'decision')
    .map(({ text, source }) => ({ text, input_id: source.input_id, about: undefined, first: text }))
]

/**
 * @returns the decisions, the assumptions made of those that settle a question, and the ids of the inputs that settle
 *   questions, by question
 */
export const collectDecisions = (build: Build) => {
  const { base, ids } = build
  const known = new Map((base?.decisions ?? []).map((decision) => [keyOf(decision.outcome), decision.id]))
  const assumed = new Map((base?.assumptions ?? []).map((assumption) => [keyOf(assumption.text), assumption.id]))
  const stated = statedIn(build)
  const decisions = stated.map(({ text, input_id, first }): SpecDocument['decisions'][number] => ({
    id: known.get(keyOf(shorten(text, 1_000))) ?? ids.next('D'),
    title: first.includes('?') ? shorten(first, 120) : titleOf({ response: null, subject: null, statement: first }),
    status: 'accepted',
    drivers: [],
    options: [],
    outcome: shorten(text, 1_000),
    consequences: [],
    input_id
  }))
  const settling = stated.filter(({ about }) => about !== undefined)
  const assumptions = settling.map(({ text, input_id, about }): SpecDocument['assumptions'][number] => ({
    id: assumed.get(keyOf(shorten(text, 1_000))) ?? ids.next('A'),
    text: shorten(text, 1_000),
    why: `${String(about)} was dismissed by a decision`,
    impact: 'medium',
    confirmed_by_input: input_id
  }))
  return { decisions, assumptions, dismissed: new Map(settling.map(({ about, input_id }) => [about ?? '', input_id])) }
}
