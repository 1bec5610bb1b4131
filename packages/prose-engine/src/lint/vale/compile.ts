import { RE2JS } from 're2js'
import type { ValeRule } from '../../schemas/styles.js'
import { parseFormula } from './formula.js'

/** A program of so many steps takes too long for each character. */
const maxProgram = 20_000

export interface CompiledRule {
  rule: ValeRule
  patterns: RE2JS[]
  except: RE2JS | undefined
  /** metric: the value of its formula, and whether that breaks the rule. */
  measure?: (variables: Readonly<Record<string, number>>) => { value: number, isBroken: boolean }
}

class NotExpressible extends Error {}

/** What RE2 lacks, in the words of whoever wrote the expression. */
const reasonOf = (pattern: string): string => {
  if (/\(\?<?[=!]/.test(pattern)) return 'looks ahead or behind, which an engine without backtracking cannot'
  if (/\\[1-9]/.test(pattern)) return 'refers back to a group, which an engine without backtracking cannot'
  return 'is no RE2 expression'
}

const compile = (pattern: string, shown: string): RE2JS => {
  try {
    const compiled = RE2JS.compile(pattern)
    if (compiled.programSize() <= maxProgram) return compiled
  } catch {
    throw new NotExpressible(`the expression ${shown.slice(0, 120)} ${reasonOf(shown)}`)
  }
  throw new NotExpressible('its expressions are too large together')
}

/** Names the one of several that cannot be expressed. */
const requireEach = (tokens: readonly string[]): void => { for (const token of tokens) compile(`(?:${token})`, token) }

/** @returns the expressions of a list that cannot be expressed, by the reason of each */
const reasonsOf = (expressions: readonly string[]): Map<string, string> => new Map(expressions.flatMap((one) => {
  try {
    compile(`(?:${one})`, one)
    return []
  } catch (error) {
    if (error instanceof NotExpressible) return [[one, error.message] as const]
    throw error
  }
}))

/** @returns the rule without those of its alternatives that cannot be expressed, and why each cannot */
export const withoutInexpressible = (rule: ValeRule): { rule: ValeRule, reasons: string[] } => {
  const tokens = rule.kind === 'existence' ? reasonsOf(rule.tokens) : new Map<string, string>()
  const pairs = reasonsOf(rule.pairs.flat().slice(0, rule.kind === 'consistency' ? undefined : 0))
  const froms = rule.kind === 'substitution' ? reasonsOf(rule.pairs.map(([from]) => from)) : pairs
  const left = {
    ...rule,
    tokens: rule.tokens.filter((one) => !tokens.has(one)),
    pairs: rule.pairs.filter(([from, to]) => !froms.has(from) && !pairs.has(to))
  }
  const isEmpty = (rule.tokens.length > 0 && left.tokens.length === 0) || (rule.pairs.length > 0 &&
    left.pairs.length === 0)
  // A rule of which nothing is left is refused as a whole.
  return isEmpty ? { rule, reasons: [] } : { rule: left, reasons: [...tokens.values(), ...froms.values()] }
}

/** As Vale puts its expressions together (internal/check: makeRegexp). */
const wrap = ({ ignorecase, nonword }: ValeRule, isWord: boolean, inner: string): string =>
  `${ignorecase ? '(?i)' : ''}${isWord && !nonword ? `(?m)\\b(?:${inner})\\b` : `(?m)(?:${inner})`}`

/** Groups of an alternative do not count: each alternative is a group. */
const withoutGroups = (pattern: string): string => pattern.replace(/(\\.)|\((?!\?)/g, (all, escaped: string | undefined) =>
  escaped ?? (all === '(' ? '(?:' : all))

/** The longest first, as Vale has them. */
const byLength = (pairs: ValeRule['pairs']): ValeRule['pairs'] =>
  [...pairs].sort(([one], [other]) => other.length - one.length)

const patternsOf = (rule: ValeRule): RE2JS[] => {
  const { tokens, raw, append, pairs, token, ignorecase } = rule
  switch (rule.kind) {
    case 'existence': {
      requireEach(tokens)
      const body = wrap({ ...rule, ignorecase: false }, tokens.length > 0, tokens.join('|'))
      const whole = raw.length === 0 ? body : append ? body + raw.join('') : raw.join('') + body
      return [compile(ignorecase ? `(?i)${whole}` : whole, [...raw, ...tokens].join(''))]
    }
    case 'substitution':
      requireEach(pairs.map(([from]) => from))
      return [compile(wrap(rule, true, byLength(pairs).map(([from]) => `(${withoutGroups(from)})`).join('|')),
        'of all')]
    case 'consistency':
      return pairs.map(([one, other]) =>
        compile(wrap(rule, true, `(${withoutGroups(one)})|(${withoutGroups(other)})`), `${one}|${other}`))
    case 'occurrence': return [compile(`${ignorecase ? '(?i)' : ''}(?:${token})`, token)]
    case 'repetition':
      return [compile(`${ignorecase ? '(?i)' : ''}(${tokens.join('|')})`, tokens.join('|'))]
    case 'conditional': return [compile(rule.second, rule.second), compile(rule.first, rule.first)]
    case 'capitalization': return /^\$(?:title|sentence|lower|upper)$/.test(rule.match) ? [] : [compile(rule.match, rule.match)]
    default: return []
  }
}

const exceptionsOf = ({ exceptions }: ValeRule): RE2JS | undefined =>
  exceptions.length === 0 ? undefined : compile(`(?m)\\b(?:${exceptions.join('|')})\\b`, exceptions.join('|'))

/** @returns the rule with its expressions, which run in linear time, or why it cannot be applied */
export const compileRule = (rule: ValeRule): CompiledRule | string => {
  try {
    const patterns = patternsOf(rule)
    const except = exceptionsOf(rule)
    if (rule.kind !== 'metric') return { rule, patterns, except }
    const measure = parseFormula(rule.formula, rule.condition)
    return typeof measure === 'string' ? measure : { rule, patterns, except, measure }
  } catch (error) {
    if (error instanceof NotExpressible) return error.message
    throw error
  }
}
