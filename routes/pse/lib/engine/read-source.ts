import { modalsOf } from './normative.js'
import type { Source } from './material.js'
import { roleOf, type Role } from './roles.js'
import { sentencesOf, type Sentence } from './sentences.js'
import { wordsOf } from './words.js'

export type Sense = 'normative' | 'story' | 'step' | 'question' | 'non_goal' | 'assumption' | 'goal' | 'risk' |
  'edge_case' | 'success' | 'decision' | 'term' | 'actor' | 'problem' | 'summary' | 'other'

/** A sentence of an input with its sense. */
export interface Unit extends Sentence {
  source: Source
  sense: Sense
  role: Role | undefined
  /** The sentence has level MUST, so that a requirement must cover it. */
  isMust: boolean
  /** The line above a list that this item completes, such as "The system must:". */
  stem: Sentence | undefined
}

const placeholder = /\b(?:TBD|TBC|TODO|FIXME)\b|\?\?\?/
const outside = /\b(?:out of scope|not in scope|not part of|non-goal)\b/i
const assumed = /^(?:we assume|it is assumed|assuming|assumption:|wir nehmen an)/i
const step = /^(?:given|when|then|and|but)\b/i

const senseOfRole: Partial<Record<Role, Sense>> = {
  non_goals: 'non_goal',
  questions: 'question',
  assumptions: 'assumption',
  risks: 'risk',
  success: 'success',
  decisions: 'decision',
  glossary: 'term',
  actors: 'actor',
  problem: 'problem'
}
const weakRoles = new Set<Role | undefined>(['requirements', 'stories', 'interfaces', 'entities', 'edge_cases'])
const softRoles: Partial<Record<Role, Sense>> = { goals: 'goal', edge_cases: 'edge_case', summary: 'summary' }

export const isPlaceholder = (text: string): boolean => placeholder.test(text)

const isStory = (text: string): boolean => /^as an? /i.test(text) && /\b(?:i|we) (?:want|need|would|can|wish)/i.test(text)

const isNormative = (sentence: Sentence, role: Role | undefined, locale: string): boolean => {
  if (modalsOf(sentence.text, locale, weakRoles.has(role)).length > 0) return true
  return role === 'requirements' && sentence.block.kind === 'item' && wordsOf(sentence.text).length > 2
}

const senseOf = (sentence: Sentence, role: Role | undefined, locale: string): Sense => {
  const { text } = sentence
  if (isStory(text)) return 'story'
  if (role === 'acceptance' && step.test(text)) return 'step'
  if (/^(?:given|then)\b/i.test(text) && !/, then\b/i.test(text.slice(0, 10))) return 'step'
  if (text.endsWith('?') || isPlaceholder(text)) return 'question'
  if (outside.test(text)) return 'non_goal'
  if (assumed.test(text)) return 'assumption'
  const fixed = role && senseOfRole[role]
  if (fixed) return fixed
  if (isNormative(sentence, role, locale)) return 'normative'
  return (role && softRoles[role]) ?? 'other'
}

/** "When …" or "And …" right after a step continues it, in any section. */
const followsStep = (before: Unit | undefined, { text }: Sentence, locale: string): boolean =>
  before?.sense === 'step' && /^(?:when|then|and|but)\b/i.test(text) && modalsOf(text, locale, false).length === 0

const whole = (sentence: Sentence, stem: Sentence | undefined): Sentence => stem
  ? { ...sentence, text: `${stem.text.replace(/:$/, '')} ${sentence.text}` }
  : sentence

const hasMust = (sentence: Sentence, locale: string): boolean =>
  modalsOf(sentence.text, locale, false).some(({ level }) => level === 'MUST')

/**
 * Classifies every sentence of an input as a requirement, a story, a question and so on, by rule and in linear time.
 * @returns the sentences in order
 */
export const readSource = (source: Source, locale: string): Unit[] => {
  const units: Unit[] = []
  let stem: Sentence | undefined
  for (const sentence of sentencesOf(source.text, source.media_type)) {
    const isItem = sentence.block.kind === 'item'
    if (!isItem || stem?.headings.join('/') !== sentence.headings.join('/')) stem = undefined
    const full = isItem ? whole(sentence, stem) : sentence
    const role = source.kind === 'answer' ? 'requirements' : roleOf(full.headings)
    if (!isItem && full.text.endsWith(':') && modalsOf(full.text, locale, false).length === 1) {
      stem = full
      continue
    }
    const sense = followsStep(units.at(-1), full, locale) ? 'step' : senseOf(full, role, locale)
    units.push({ ...full, source, role, sense, isMust: sense === 'normative' && hasMust(full, locale), stem })
  }
  return units
}
