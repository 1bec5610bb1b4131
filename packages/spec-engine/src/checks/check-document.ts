import { createHash } from 'node:crypto'
import type { CheckReport, Coverage, Finding, StandardVerdict } from '../schemas/checks.js'
import type { Source } from '../engine/material.js'
import { acceptanceRules } from './acceptance-rules.js'
import { consistencyRules } from './consistency-rules.js'
import { countSentences, evidenceRules } from './evidence-rules.js'
import { fixOf, ruleName, runStandards, verdictOf, type RuleOutcome } from './standard-rules.js'
import { statementRules } from './statement-rules.js'
import { structureRules } from './structure-rules.js'
import { makeView, type CheckTask, type CheckView, type Found, type Rule } from './view.js'

export const checksVersion = 'checks/4'

/** The built-in rules in the order of their ids, without PSE306, which follows from the verdicts of standards. */
export const builtinRules: Rule[] =
  [...structureRules, ...statementRules, ...acceptanceRules, ...evidenceRules, ...consistencyRules]
    .sort((one, other) => one.id < other.id ? -1 : 1)

const maxFindings = 500
const maxQuote = 300

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const toFinding = ({ id, severity, fix }: Omit<Rule, 'find'>, found: Found): Finding => {
  const quote = found.quote?.slice(0, maxQuote).toWellFormed() ?? null
  return {
    finding_id: hash(JSON.stringify([id, found.target, quote, found.span?.start, found.message])).slice(0, 32),
    rule_id: id,
    severity: found.severity ?? severity,
    target: found.target,
    message: found.message.toWellFormed(),
    quote,
    span: found.span ?? null,
    fix: found.fix ?? fix,
    status: 'open',
    waiver_input_id: null
  }
}

const standardFindings = ({ standard, rule, failures }: RuleOutcome): Finding[] =>
  (failures ?? []).map(({ target, message }) => toFinding({
    id: ruleName(standard, rule),
    // Rules that are switched off do not run.
    severity: rule.severity === 'off' ? 'info' : rule.severity,
    fix: fixOf(rule)
  }, { target, message: `${rule.title}: ${message}` }))

const unmet = ({ standard, rule }: RuleOutcome, { level, verdict: ruleVerdict }: StandardVerdict): Finding[] => {
  if (level !== 'MUST' || ruleVerdict !== 'fail') return []
  const name = ruleName(standard, rule)
  return [toFinding({ id: 'PSE306', severity: 'error', fix: fixOf(rule) === 'human' ? 'human' : 'model' },
    { target: name, message: `The rule ${name} must be met, or be waived` })]
}

const share = (part: number, all: number): number | null => all === 0 ? null : Math.round(part / all * 1_000) / 10

const measure = (view: CheckView): Coverage => {
  const counts = countSentences(view)
  const cited = view.active.filter(({ citations }) => citations.length > 0).length
  return {
    requirements_cited_pct: share(cited, view.active.length),
    ...counts,
    decided_pct: share(counts.taken + counts.set_aside, counts.sentences)
  }
}

/** The waivers of a session, by rule and target; one without a target holds for every target. */
class Waivers {
  readonly #held: Map<string, string>

  /** @param fixed names of rules that cannot be waived */
  constructor (inputs: readonly Source[], now: Date, private readonly fixed: ReadonlySet<string>) {
    this.#held = new Map(inputs
      .filter(({ kind, superseded, about }) => kind === 'waiver' && !superseded && about?.rule_id !== undefined &&
        (!about.expires_at || new Date(about.expires_at) > now))
      .map(({ about, input_id: id }) => [`${about?.rule_id} ${about?.target ?? ''}`, id]))
  }

  /** @returns the id of the input that waives the rule for the target */
  find (rule: string, target: string): string | undefined {
    // PSE306 names a rule as its target: it cannot be waived where that rule cannot.
    if (this.fixed.has(rule) || (rule === 'PSE306' && this.fixed.has(target))) return undefined
    return this.#held.get(`${rule} ${target}`) ?? this.#held.get(`${rule} `)
  }

  apply (finding: Finding): Finding {
    const id = this.find(finding.rule_id, finding.target)
    return id === undefined ? finding : { ...finding, status: 'waived', waiver_input_id: id }
  }
}

const order = { error: 0, warn: 1, info: 2 }

const tally = (findings: readonly Finding[]): CheckReport['counts'] => {
  const counts = { error: 0, warn: 0, info: 0 }
  for (const { severity, status } of findings) if (status === 'open') counts[severity]++
  return counts
}

const verdict = ({ error, warn }: CheckReport['counts']): CheckReport['verdict'] =>
  error > 0 ? 'fail' : warn > 0 ? 'pass_with_warnings' : 'pass'

const rulesetHash = ({ standards }: CheckTask): string => hash(JSON.stringify([
  checksVersion, builtinRules.map(({ id, severity, fix }) => [id, severity, fix]), standards
]))

/** @returns every finding once, errors first */
const inOrder = (findings: Finding[]): Finding[] =>
  [...new Map(findings.map((finding) => [finding.finding_id, finding])).values()]
    .sort((one, other) => order[one.severity] - order[other.severity])

/**
 * Checks a document by every built-in rule, and by every rule of the attached standards, each of which gets a verdict.
 * A pure function that takes time linear in the document and its inputs.
 */
export const checkDocument = (task: CheckTask): CheckReport => {
  const view = makeView(task)
  const outcomes = runStandards(view)
  const fixed = outcomes.filter(({ rule }) => !rule.waivable).map(({ standard, rule }) => ruleName(standard, rule))
  const waivers = new Waivers(task.inputs, task.now, new Set(fixed))
  const judged = outcomes.map((outcome) => {
    const name = ruleName(outcome.standard, outcome.rule)
    return { outcome, verdict: verdictOf(outcome, ({ target }) => waivers.find(name, target) !== undefined) }
  })
  const findings = inOrder([
    ...builtinRules.flatMap((rule) => rule.find(view).map((found) => toFinding(rule, found))),
    ...outcomes.flatMap(standardFindings),
    ...judged.flatMap(({ outcome, verdict: ruleVerdict }) => unmet(outcome, ruleVerdict))
  ]).map((finding) => waivers.apply(finding))
  const counts = tally(findings)
  return {
    engine_version: checksVersion,
    ruleset_hash: rulesetHash(task),
    verdict: verdict(counts),
    counts,
    findings: findings.slice(0, maxFindings),
    findings_omitted: Math.max(0, findings.length - maxFindings),
    standards: judged.map(({ verdict: ruleVerdict }) => ruleVerdict),
    coverage: measure(view)
  }
}
