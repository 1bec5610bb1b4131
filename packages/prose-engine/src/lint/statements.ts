import { judgeWith, sentencesIn, statementsOf } from '../claims/statements.js'
import { keyOf } from '../text/word-key.js'
import { about, type Rule } from './rule.js'

/** What a paragraph says is judged against the facts that it cites, and only those. */
export const cited: Rule = ({ body, brief, brand, locale }) => {
  if (!brief) return []
  const judge = judgeWith(brief, brand, locale)
  return statementsOf(body, locale).flatMap((statement) => judge(statement).map(({ kind, start, end, message }) =>
    about(`CNT-FCT-${kind}`, 'error', statement.field, message, statement.text.slice(start, end), statement.start + start)))
}

/** Statements that were not found to follow, as long as they stand: a person changes them, or accepts them as their own. */
export const unsupported: Rule = ({ body, all, locale }) => {
  const open = new Map(body.citations.flatMap((one) => one.statement === undefined ? [] : [[keyOf(one.statement), one]]))
  if (open.size === 0) return []
  return all.flatMap((passage) => sentencesIn(passage, locale).flatMap(({ text, start }) => {
    const one = open.get(keyOf(text))
    if (!one) return []
    const what = one.verdict === 'partly' ? 'The facts say only a part of this' : 'No fact says this'
    return [about('CNT-FCT-UNSUPPORTED', 'error', passage.field, one.reason ?? what, text, start)]
  }))
}
