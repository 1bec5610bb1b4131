import type { Severity } from '../schemas/brand-terms.js'
import type { BrandReport, ReportFinding } from '../schemas/reports.js'
import type { Finding } from './rule.js'

const weights: Record<Severity, number> = { error: 10, warn: 4, suggestion: 1 }
/** What one rule may cost: a text that breaks one rule often is better than one that breaks all. */
const maxOfRule: Record<Severity, number> = { error: 30, warn: 18, suggestion: 15 }
/** A finding in so many words costs its weight; in a longer text less, for it is one among more sentences. */
const fullWords = 300

type Judged = Finding & { waived: boolean }

/** Points are hundredths, so that their sum is exact. */
const cents = (points: number): number => Math.round(points * 100)

const keyOf = ({ rule_id: rule, severity }: Pick<Finding, 'rule_id' | 'severity'>) => `${rule} ${severity}`

/** @returns the findings with the points that each costs: together, what the score lacks to 100 */
export const scored = (findings: readonly Judged[], words: number): ReportFinding[] => {
  const left = new Map<string, number>()
  return findings.map(({ weight, ...finding }) => {
    if (finding.waived) return { ...finding, points: 0 }
    const room = left.get(keyOf(finding)) ?? cents(maxOfRule[finding.severity])
    const full = cents((weight ?? weights[finding.severity]) * fullWords / Math.max(fullWords, words))
    const taken = Math.min(room, full)
    left.set(keyOf(finding), room - taken)
    return { ...finding, points: taken / 100 }
  })
}

/** @returns the points by rule: the sums of its findings, also of those that the report does not list */
export const deduct = (findings: readonly ReportFinding[]): BrandReport['deductions'] => {
  const byRule = new Map<string, { count: number, points: number }>()
  for (const { rule_id: rule, waived, points = 0 } of findings) {
    if (waived) continue
    const entry = byRule.get(rule) ?? { count: 0, points: 0 }
    byRule.set(rule, { count: entry.count + 1, points: entry.points + cents(points) })
  }
  return [...byRule].map(([rule_id, { count, points }]) => ({ rule_id, count, points: points / 100 }))
}
