import type { Role } from 'steward-document-reader/document'
import type { Judged } from '../schemas/document.js'
import { materialOf, type Source } from './material.js'
import { triage, type Unit } from './triage.js'

/** The section of the spec into which a sentence goes that a model calls so. */
const sections: Partial<Record<Judged['is'], Role>> = {
  goal: 'goals',
  non_goal: 'non_goals',
  problem: 'problem',
  summary: 'summary',
  actor: 'actors',
  term: 'glossary',
  edge_case: 'edge_cases',
  success: 'success',
  risk: 'risks',
  assumption: 'assumptions',
  decision: 'decisions'
}

type Verdict = Pick<Unit, 'fate' | 'class' | 'why' | 'role'>

/** What a sentence by itself demands stays in sight, whatever the model calls it. */
const verdictOf = (unit: Unit, one: Pick<Judged, 'is' | 'why'> | undefined): Verdict => {
  const isDemand = unit.fate === 'requirement' || unit.fate === 'story'
  const undecided = (why: string): Verdict => ({ fate: 'undecided', class: 'undecided', why, role: undefined })
  const isOwn = unit.fate === 'mark' || unit.fate === 'aside'
  if (!one) return isOwn ? unit : undecided('The model does not say what it is')
  if (one.is === 'unread') return isOwn ? unit : undecided(one.why)
  if (one.is === 'demand') return { ...unit, fate: 'requirement', why: one.why || 'The model calls it a demand' }
  if (one.is === 'question') return { ...unit, fate: 'question', class: 'question', why: one.why || 'It asks', role: undefined }
  const role = sections[one.is]
  const name = one.is.replace('_', ' ')
  const why = `The model calls it: ${name}`
  if (role) return isDemand ? undecided(why) : { fate: 'note', class: 'other', why, role }
  if (isDemand) return undecided(`The model leaves it out: ${one.why}`)
  return isOwn ? unit : { fate: 'aside', class: 'other', why: one.why || 'The model leaves it out', role: undefined }
}

/** @returns each sentence of the inputs by itself, as a model numbers them */
export const plainUnits = (inputs: readonly Source[], locale: string): Unit[] =>
  materialOf(inputs).flatMap((source) => triage(source, locale, false))

/** @returns each sentence of the inputs, with what a model makes of it */
export const judgedUnits = (inputs: readonly Source[], locale: string, judged: readonly Judged[]): Unit[] => {
  const known = new Map(judged.flatMap((one) => one.starts.map((start) => [`${one.input_id} ${start}`, one] as const)))
  return plainUnits(inputs, locale).map((unit) =>
    ({ ...unit, ...verdictOf(unit, known.get(`${unit.source.input_id} ${unit.start}`)) }))
}
