import type { ReportSentence } from '../../../../schemas/agent/reports.js'
import { findTokens } from './report-tokens.js'
import { factsIn, isIn, isPercentOf, type Facts } from './report-facts.js'

/** A stored result that a report may cite. */
export interface Source {
  id: string
  /** What stands for it in a citation. */
  names: readonly string[]
  /** Whole, as it is stored. */
  result: unknown
}

const citation = /\s{0,9}\[(?:call:([^\]\s]{1,64})|(alert))\]/g

/** A sentence goes on to its citations, also to those behind the full stop; a line break ends it. */
const sentence = /[^\n]*?(?:(?<!(?:^|\n)\s*\d{1,2})[.!?](?=\s|\[|$)(?:\s*\[(?:call:[^\]\s]{1,64}|alert)\])*(?:[^\S\n]+|(?=\n|$))|(?=\n|$))\n*/g

const splitSentences = (text: string): string[] => (text.match(sentence) ?? []).filter((part) => part !== '')

interface Cited { text: string, calls: string[], unknown: string[], alert: boolean }

const readCitations = (part: string, ids: ReadonlyMap<string, string>): Cited => {
  const cited: Cited = { text: part.replace(citation, ''), calls: [], unknown: [], alert: false }
  for (const [, name, alert] of part.matchAll(citation)) {
    const id = ids.get(name ?? '')
    if (alert) cited.alert = true
    else if (id === undefined) cited.unknown.push(`[call:${name ?? ''}]`)
    else if (!cited.calls.includes(id)) cited.calls.push(id)
  }
  return cited
}

const judge = (part: string, ids: ReadonlyMap<string, string>, facts: ReadonlyMap<string, Facts>): ReportSentence => {
  const { text, calls, unknown, alert } = readCitations(part, ids)
  const tokens = findTokens(text)
  const known = [...calls, ...(alert ? ['alert'] : [])].flatMap((id) => facts.get(id) ?? [])
  const found = tokens.filter((token) => known.some((one) => isIn(one, token)))
  const missing = tokens.filter((token) => !found.includes(token) && !isPercentOf(token, found))
  const cites = known.length + unknown.length > 0
  const base = { text, tool_call_ids: calls, cites_alert: alert }
  if (!cites) return { ...base, status: tokens.length > 0 ? 'uncited' : 'none', missing: [] }
  const lacks = [...new Set([...unknown, ...missing.map(({ text: token }) => token)])]
  return { ...base, status: lacks.length > 0 ? 'unsupported' : 'supported', missing: lacks }
}

/**
 * Compares a report with the results that it cites. Of each sentence, every number and every name must be in one of the
 * results that this very sentence cites. It is no proof that the sentence is true: it says where each figure is from.
 *
 * Allowed are: 1,234 for 1234; a number rounded to the digits that are shown; 37 % for 0.37; a size or a time in
 * another unit; the length of a list; and the share or the change, in percent, of two numbers of the same sentence.
 * @param alert what set the run off, which `[alert]` cites; undefined where nothing was sent
 * @returns all sentences, in their order, without the citations
 */
export const checkReport = (text: string, sources: readonly Source[], alert: unknown): ReportSentence[] => {
  const ids = new Map(sources.flatMap(({ id, names }) => names.map((name): [string, string] => [name, id])))
  const facts = new Map(sources.map(({ id, result }): [string, Facts] => [id, factsIn(result)]))
  if (alert !== undefined) facts.set('alert', factsIn(alert))
  return splitSentences(text).map((part) => judge(part, ids, facts))
}
