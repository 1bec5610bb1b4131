import type { Finding, Severity } from '../schemas/checks.js'
import type { Requirement, SpecDocument } from '../schemas/document.js'
import type { ResolvedStandard } from '../schemas/standards.js'
import { unitsOf } from '../engine/compile.js'
import { languageOf } from '../engine/language.js'
import type { Source } from '../engine/material.js'
import type { Unit } from '../engine/triage.js'
import { glossaryOf, standardTerms } from './glossary.js'

export interface CheckTask {
  document: SpecDocument
  /** All inputs that the document saw, of every kind, including superseded ones. */
  inputs: readonly Source[]
  standards: readonly ResolvedStandard[]
  /** The version before: its requirements must not be lost. */
  base?: SpecDocument | undefined
  /** Names of the review rules that a person has answered with yes for this version. */
  reviewed?: ReadonlySet<string>
  /** Waivers that end before it do not hold. */
  now: Date
}

/** The data that all rules read, computed once. */
export interface CheckView extends CheckTask {
  active: Requirement[]
  sources: ReadonlyMap<string, Source>
  units: Unit[]
  /** Terms of the attached glossaries. */
  standardTerms: SpecDocument['glossary']
  /** All terms that apply: those of the attached glossaries, and the document's own. */
  glossary: SpecDocument['glossary']
  isEnglish: boolean
}

export interface Found {
  target: string
  message: string
  quote?: string
  span?: { start: number, end: number }
  /** Overrides of the rule's severity and fix. */
  severity?: Severity
  fix?: Finding['fix']
}

export interface Rule {
  id: string
  severity: Severity
  fix: Finding['fix']
  find: (view: CheckView) => Found[]
}

export const makeView = (task: CheckTask): CheckView => {
  const { locale } = task.document.settings
  const terms = standardTerms(task.standards)
  return {
    ...task,
    active: task.document.requirements.filter(({ status }) => status === 'active'),
    sources: new Map(task.inputs.map((source) => [source.input_id, source])),
    units: unitsOf(task.inputs, locale, task.document),
    standardTerms: terms,
    glossary: glossaryOf(task.document, terms),
    isEnglish: languageOf(locale) === 'en'
  }
}

/** @returns a rule that tests the statement of each active requirement */
export const statementRule = (rule: Omit<Rule, 'find'>, find: (requirement: Requirement, view: CheckView) => Found[],
  englishOnly = true): Rule => ({
  ...rule,
  find: (view) => englishOnly && !view.isEnglish ? [] : view.active.flatMap((one) => find(one, view))
})

/** @returns a finding for every match of the expression in the statement */
export const findMatches = ({ id, statement }: Requirement, pattern: RegExp, message: (word: string) => string,
  more: Partial<Found> = {}): Found[] => [...statement.matchAll(pattern)].map(({ 0: word, index }) => ({
  target: id,
  message: message(word),
  quote: word,
  span: { start: index, end: index + word.length },
  ...more
}))
