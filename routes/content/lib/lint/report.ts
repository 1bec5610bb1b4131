import { createHash } from 'node:crypto'
import type { Severity } from '../../../../schemas/content/brand-terms.js'
import type { BrandReport, ReportFinding, Waiver } from '../../../../schemas/content/reports.js'
import { measure, readEnglish } from './english.js'
import { factRules } from './facts.js'
import { language } from './language.js'
import { ProtectedNames, spareNames } from './names.js'
import { Prose } from './prose.js'
import type { Draft, Finding } from './rule.js'
import { structureRules } from './structure.js'
import { termRules } from './terms.js'
import { judgeReading, voiceRules } from './voice.js'

/** Goes up with every change of a rule, so that a report names the rules that made it. */
export const linterVersion = 5

const weights: Record<Severity, number> = { error: 10, warn: 4, suggestion: 1 }
const caps: Record<Severity, number> = { error: 30, warn: 12, suggestion: 5 }
const ranks: Record<Severity, number> = { error: 0, warn: 1, suggestion: 2 }
const maxFindings = 300
/** Rules whose findings cannot be waived. */
const unwaivable = new Set(
  ['CNT-STR-PLACEHOLDER', 'CNT-STR-EMPTY', 'CNT-CHN-LIMIT', 'CNT-CHN-POSTS', 'CNT-CHN-SUBJECT', 'CNT-DUP-SLUG'])

const isWaived = ({ rule_id: rule, match }: Finding, waivers: Waiver[]): boolean => !unwaivable.has(rule) &&
  waivers.some((waiver) => waiver.rule_id === rule && (waiver.match === undefined || waiver.match === match))

const compare = (one: Finding, other: Finding): number =>
  ranks[one.severity] - ranks[other.severity] || one.rule_id.localeCompare(other.rule_id) ||
  one.field.localeCompare(other.field) || one.start - other.start

const deduct = (findings: ReportFinding[], words: number): BrandReport['deductions'] => {
  const counted = new Map<string, { severity: Severity, count: number }>()
  for (const { rule_id: rule, severity } of findings.filter(({ waived }) => !waived)) {
    const entry = counted.get(rule) ?? { severity, count: 0 }
    counted.set(rule, { severity: entry.severity, count: entry.count + 1 })
  }
  return [...counted].map(([rule_id, { severity, count }]) => {
    const points = Math.min(caps[severity], weights[severity] * count * 300 / Math.max(300, words))
    return { rule_id, count, points: Math.round(points * 100) / 100 }
  })
}

const verdictOf = (findings: ReportFinding[]): BrandReport['verdict'] => {
  const open = findings.filter(({ waived }) => !waived)
  if (open.some(({ severity }) => severity === 'error')) return 'fail'
  return open.length > 0 ? 'pass_with_warnings' : 'pass'
}

const rulesetOf = ({ brand, brief }: Draft): string => {
  const { publish_targets, approval, min_score, ...read } = brand
  const text = JSON.stringify([linterVersion, read, brief])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

export type Material = Omit<Draft, 'prose' | 'names'>

/**
 * Checks a text by the brand: prose only, never code, addresses or markup.
 * @returns the same report for the same text, brand, brief, day, linter and published texts; in one pass of tens of
 *   milliseconds
 */
export const reportOn = (material: Material, brandVersion: number): BrandReport => {
  const draft = {
    ...material,
    prose: new Prose(material.all.filter(({ kind }) => kind !== 'quote')),
    names: new ProtectedNames(material.all, material.brand.terms.protected)
  }
  const reading = readEnglish(draft)
  const metrics = measure(draft, reading)
  const rules = [...termRules, ...voiceRules, ...factRules, ...structureRules, language]
  const judged = [...rules.flatMap((rule) => rule(draft)), ...judgeReading(draft, reading, metrics)]
  const all = spareNames(draft.names, judged).sort(compare)
  const { waivers } = material.body
  const findings = all.map((finding) => ({ ...finding, waived: isWaived(finding, waivers) }))
  const deductions = deduct(findings, metrics.words)
  const lost = deductions.reduce((sum, { points }) => sum + points, 0)
  return {
    linter_version: linterVersion,
    ruleset_hash: rulesetOf(draft),
    brand_version: brandVersion,
    score: Math.max(0, Math.round(100 - lost)),
    verdict: verdictOf(findings),
    deductions,
    findings: findings.slice(0, maxFindings),
    waivers,
    metrics
  }
}
