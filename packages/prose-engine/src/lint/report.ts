import { createHash } from 'node:crypto'
import type { Severity } from '../schemas/brand-terms.js'
import type { BrandReport, ReportFinding } from '../schemas/reports.js'
import { BrandRules } from '../schemas/brand.js'
import { keysOf } from '../schemas/values.js'
import { readStatements } from '../claims/statements.js'
import { measure, readEnglish, type Metrics } from './english.js'
import { factRules } from './facts.js'
import { exceptionOf } from './exceptions.js'
import { language } from './language.js'
import { misspelt } from './misspelt.js'
import { ProtectedNames, spareNames } from './names.js'
import { judgePlain, jargon, readGrammar } from './plain.js'
import { Prose } from '../markdown/prose.js'
import type { Draft, Finding } from './rule.js'
import { deduct, scored } from './score.js'
import { spelling } from './spelling.js'
import { structureRules } from './structure.js'
import { uncheckedIn } from './unchecked.js'
import { termRules } from './terms.js'
import { judgeStyles } from './vale/judge-styles.js'
import { judgeReading, voiceRules } from './voice.js'

/** Goes up with every change of a rule, so that a report names the rules that made it. */
export const linterVersion = 9

const ranks: Record<Severity, number> = { error: 0, warn: 1, suggestion: 2 }
const maxFindings = 300
const compare = (one: Finding, other: Finding): number =>
  ranks[one.severity] - ranks[other.severity] || one.rule_id.localeCompare(other.rule_id) ||
  one.field.localeCompare(other.field) || one.start - other.start

const verdictOf = (findings: ReportFinding[]): BrandReport['verdict'] => {
  const open = findings.filter(({ waived }) => !waived)
  if (open.some(({ severity }) => severity === 'error')) return 'fail'
  return open.length > 0 ? 'pass_with_warnings' : 'pass'
}

const rulesetOf = ({ brand, brief, styles }: Draft): string => {
  const read = keysOf(BrandRules.properties).map((key) => brand[key])
  const text = JSON.stringify([linterVersion, read, brief, styles.map(({ name, hash }) => [name, hash])])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

export type Material = Omit<Draft, 'prose' | 'names' | 'statements'>

const rules = [
  ...termRules, ...voiceRules, ...factRules, ...structureRules, spelling, misspelt, jargon, judgeStyles, language
]

/** Words that the brand, or its brief, rules out have that finding alone. */
const own = /^CNT-(?:BRD-|VOI-CLICHE)/
const general = /^CNT-VOI-(?:HYPE|WORDY|CHATTY|NOMINAL)/

const withoutDoubles = (findings: readonly Finding[]): Finding[] => {
  const taken = new Map<string, Finding[]>()
  for (const one of findings.filter(({ rule_id: rule }) => own.test(rule))) {
    taken.set(one.field, [...taken.get(one.field) ?? [], one])
  }
  return findings.filter(({ rule_id: rule, field, start, end }) => !general.test(rule) ||
    !taken.get(field)?.some((one) => one.start < end && start < one.end))
}

/** @returns what the rules find outside the brand's names, and what the prose measures */
const judge = (draft: Draft): { findings: Finding[], metrics: Metrics } => {
  const reading = readEnglish(draft)
  const grammar = readGrammar(draft)
  const metrics = measure(draft, reading, grammar.passives.length)
  const judged = [
    ...rules.flatMap((rule) => rule(draft)), ...judgeReading(draft, reading, metrics),
    ...judgePlain(draft, grammar, metrics.sentences)
  ]
  return { findings: spareNames(draft.names, withoutDoubles(judged)).sort(compare), metrics }
}

/**
 * Checks a text by the brand: prose only, never code, addresses or markup.
 * @returns the same report for the same text, brand, brief, day, linter and published texts; in one pass of tens of
 *   milliseconds
 */
export const reportOn = (material: Material, brandVersion: number): BrandReport => {
  const draft = {
    ...material,
    statements: readStatements(material.body, material, material),
    prose: new Prose(material.all.filter(({ kind }) => kind !== 'quote')),
    names: new ProtectedNames(material.all, material.brand.terms.protected)
  }
  const { findings: all, metrics } = judge(draft)
  const findings = scored(all.map((finding) => ({ ...finding, ...exceptionOf(draft, finding) })), metrics.words)
  const deductions = deduct(findings)
  const lost = deductions.reduce((sum, { points }) => sum + points, 0)
  return {
    linter_version: linterVersion,
    ruleset_hash: rulesetOf(draft),
    brand_version: brandVersion,
    score: Math.max(0, Math.round(100 - lost)),
    verdict: verdictOf(findings),
    deductions,
    findings: findings.slice(0, maxFindings),
    waivers: material.body.waivers,
    unchecked: uncheckedIn(draft),
    metrics
  }
}
