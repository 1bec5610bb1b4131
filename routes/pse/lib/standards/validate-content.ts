import type { FieldError } from '../../../../schemas/errors.js'
import type { StandardRule } from 'steward-spec-engine/schemas'
import type { StandardContent } from '../../../../schemas/pse/standards.js'
import { compilePattern, termsIn } from 'steward-spec-engine/checks'
import { messageOf } from '../../../../schemas/thrown.js'

const wrong = (pointer: string, message: string): FieldError => ({ pointer, code: 'rule_invalid', message })

const patternsOf = ({ check }: StandardRule): [string, string, boolean | undefined][] => {
  switch (check.fn) {
    case 'pattern':
    case 'forbid':
      return check.options.patterns.map((one, at) => [`patterns/${at}`, one, check.options.ignore_case])
    case 'occurrence': return [['pattern', check.options.pattern, check.options.ignore_case]]
    default: return []
  }
}

const badPatterns = (rule: StandardRule, at: number): FieldError[] =>
  patternsOf(rule).flatMap(([option, pattern, ignoreCase]) => {
    try {
      compilePattern(pattern, ignoreCase)
      return []
    } catch (error) {
      return [wrong(`/rules/${at}/check/options/${option}`, messageOf(error))]
    }
  })

/** Functions that work only on some targets. */
const needs: Partial<Record<StandardRule['check']['fn'], RegExp>> = {
  ears: /^requirements/,
  has_acceptance: /^(?:requirements|stories)/,
  has_citation: /^(?:requirements|stories)/,
  has_verification: /^requirements/,
  links_to: /^(?:requirements|stories|tasks)/,
  enum: /^(?:requirements|stories|tasks|acceptance)/,
  schema: /^(?:requirements|stories|tasks|acceptance|document)/
}

const badTarget = ({ check, target }: StandardRule, at: number): FieldError[] =>
  needs[check.fn]?.test(target) === false ? [wrong(`/rules/${at}/target`, `${check.fn} cannot look at ${target}`)] : []

const badLimits = ({ check }: StandardRule, at: number): FieldError[] => {
  if (check.fn !== 'length' && check.fn !== 'occurrence') return []
  const { min, max } = check.options
  if (min === undefined && max === undefined) return [wrong(`/rules/${at}/check/options`, 'Give min or max, or both')]
  return min !== undefined && max !== undefined && min > max
    ? [wrong(`/rules/${at}/check/options/min`, 'min is more than max')]
    : []
}

/** A review rule is at most a warning. */
const badSeverity = ({ check, severity }: StandardRule, at: number): FieldError[] =>
  check.fn === 'review' && severity === 'error'
    ? [wrong(`/rules/${at}/severity`, 'A review is an opinion: it is a warning at most')]
    : []

const repeated = (rules: readonly StandardRule[]): FieldError[] => {
  const seen = new Set<string>()
  return rules.flatMap(({ rule_id: id }, at) =>
    seen.size === seen.add(id).size ? [wrong(`/rules/${at}/rule_id`, 'Another rule has this id')] : [])
}

/** @returns errors of the rules or the terms that their schema cannot express */
export const findWrongRules = (content: StandardContent): FieldError[] =>
  [...badGlossary(content), ...badRules(content)]

/** Rejects a glossary without any term that the checks can read. */
const badGlossary = ({ kind, body_markdown: body }: StandardContent): FieldError[] =>
  kind === 'glossary' && body.trim() !== '' && termsIn(body).length === 0
    ? [wrong('/body_markdown', 'It has no term: write one to a line, as in "- Locker (not: box): what it means"')]
    : []

const badRules = ({ rules }: StandardContent): FieldError[] => [
  ...repeated(rules),
  ...rules.flatMap((rule, at) => [...badPatterns(rule, at), ...badTarget(rule, at), ...badLimits(rule, at),
    ...badSeverity(rule, at)])
]
