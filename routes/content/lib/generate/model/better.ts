import type { BrandReport } from '../../../../../schemas/content/reports.js'

const errorRules = ({ findings }: BrandReport): string[] =>
  findings.filter(({ severity, waived }) => severity === 'error' && !waived).map(({ rule_id: rule }) => rule)

/** Better is: fewer errors and none of a new rule, or as many and a higher score. */
export const isBetter = (before: BrandReport, after: BrandReport): boolean => {
  const [was, now] = [errorRules(before), errorRules(after)]
  if (now.some((rule) => !was.includes(rule))) return false
  return now.length < was.length || (now.length === was.length && after.score > before.score)
}
