import type { Finding, StandardVerdict } from '../schemas/checks.js'
import type { StandardRule } from '../schemas/rules.js'
import type { ResolvedStandard } from '../schemas/standards.js'
import { runFunction, type Failure } from './rule-functions.js'
import { selectTarget, type Selection } from './rule-targets.js'
import type { CheckView } from './view.js'

export interface RuleOutcome {
  standard: ResolvedStandard
  rule: StandardRule
  /** undefined = the rule is not applicable. */
  failures: Failure[] | undefined
}

export const ruleName = ({ key }: ResolvedStandard, { rule_id: id }: StandardRule): string => `STD:${key}:${id}`

/** Selects each target once, because rules share targets. */
const selector = (view: CheckView) => {
  const held = new Map<string, Selection>()
  return (target: string): Selection => {
    const known = held.get(target) ?? selectTarget(view.document, target)
    held.set(target, known)
    return known
  }
}

/** @returns the outcome of every rule of every attached standard that is not switched off */
export const runStandards = (view: CheckView): RuleOutcome[] => {
  const select = selector(view)
  const document = { ...view.document, glossary: view.glossary }
  const run = (standard: ResolvedStandard, rule: StandardRule): RuleOutcome => {
    const failures = runFunction(rule.check, select(rule.target), rule.target, document)
    const isAnswered = rule.check.fn === 'review' && view.reviewed?.has(ruleName(standard, rule)) === true
    return { standard, rule, failures: isAnswered && failures ? [] : failures }
  }
  return view.standards.flatMap((standard) =>
    standard.rules.filter(({ severity }) => severity !== 'off').map((rule) => run(standard, rule)))
}

const functionFix: Partial<Record<StandardRule['check']['fn'], Finding['fix']>> =
  { substitute: 'deterministic', review: 'human' }

export const fixOf = ({ fix, check }: StandardRule): Finding['fix'] => fix ?? functionFix[check.fn] ?? 'model'

/** An unanswered review question is not a failure. */
const failed = ({ rule }: RuleOutcome): StandardVerdict['verdict'] => rule.check.fn === 'review' ? 'to_review' : 'fail'

const maxEvidence = 20

/** @param isWaived whether a waiver holds for the failure */
export const verdictOf = (outcome: RuleOutcome, isWaived: (failure: Failure) => boolean): StandardVerdict => {
  const { standard, rule, failures } = outcome
  const open = failures?.filter((failure) => !isWaived(failure)) ?? []
  const passed = failures?.length === 0
  return {
    standard_id: standard.standard_id,
    version: standard.version,
    rule_id: rule.rule_id,
    key: standard.key,
    level: rule.level,
    verdict: failures === undefined ? 'not_applicable' : passed ? 'pass' : open.length > 0 ? failed(outcome) : 'waived',
    deterministic: rule.check.fn !== 'review',
    evidence: (open.length > 0 ? open : failures ?? []).slice(0, maxEvidence)
  }
}
