import { judgeWith, statementsOf } from '../claims/statements.js'
import type { ReportFinding } from '../schemas/reports.js'
import { statementKey } from '../text/word-key.js'
import { about, type Draft, type Finding, type Rule } from './rule.js'

/** What a paragraph says is judged against the facts that it cites, and only those. */
export const cited: Rule = ({ body, brief, brand, locale, tree, all }) => {
  if (!brief) return []
  const judge = judgeWith(brief, brand, locale)
  const isCited = ({ fact_ids: ids }: { fact_ids: string[] }) => brief.facts.some(({ id }) => ids.includes(id))
  return statementsOf(body, undefined, { tree, all }).filter(isCited).flatMap((statement) =>
    judge(statement).map(({ kind, start, end, message }) => about(`CNT-FCT-${kind}`, 'error', statement.field, message,
      statement.text.slice(start, end), statement.start + start)))
}

/** Statements that do not follow, as long as they stand: a person changes them, or accepts them as their own. */
export const unsupported: Rule = ({ statements, stated }) => {
  const judged = new Map(stated.map((one) => [statementKey(one.text), one.verdict]))
  return statements.flatMap(({ field, start, text, why, reason, verdict }) => {
    if (why === 'facts_changed') {
      return [about('CNT-FCT-CHANGED', 'warn', field, 'A fact that this rests on has changed since it was judged', text, start)]
    }
    const known = judged.get(statementKey(text))
    if (verdict === 'unchecked' || (known !== 'partly' && known !== 'not')) return []
    const what = known === 'partly' ? 'The facts say only a part of this' : 'No fact says this'
    return [about('CNT-FCT-UNSUPPORTED', 'error', field, reason ?? what, text, start)]
  })
}

const ofStatements = /^CNT-FCT-(?:NUMBER|DATE|NAME|QUOTE|NEGATED|UNSUPPORTED|CHANGED)$/

/** @returns whether a person has accepted the statement in which a finding stands as their own */
export const isAccepted = ({ statements, stated }: Draft, { rule_id: rule, field, start }: Finding | ReportFinding): boolean => {
  if (!ofStatements.test(rule) || !stated.some((one) => one.isAccepted)) return false
  const within = statements.find((one) => one.field === field && one.start <= start && start < one.end)
  return within !== undefined && stated.some((one) => one.isAccepted && statementKey(one.text) === statementKey(within.text))
}
