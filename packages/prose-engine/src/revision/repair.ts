import type { ContentBody } from '../schemas/text.js'
import type { ReportFinding } from '../schemas/reports.js'
import { beginsSentence } from '../lint/sentence-start.js'

/** @returns the text of a field that fixes may change; undefined for other fields */
export const textAt = (body: ContentBody, field: string): string | undefined => {
  if (field === 'title' || field === 'summary' || field === 'body_markdown') return body[field]
  const post = /^fields\.posts\.(\d+)$/.exec(field)?.[1]
  if (post !== undefined) return body.fields.posts?.[Number(post)]?.text
  if (field === 'fields.subject') return body.fields.subject
  if (field === 'fields.preheader') return body.fields.preheader
  return undefined
}

/** @returns the fields that repairs may change */
export const repairableFields = ({ fields }: ContentBody): string[] => [
  'title', 'summary', 'body_markdown', 'fields.subject', 'fields.preheader',
  ...(fields.posts ?? []).map((_, index) => `fields.posts.${index}`)
]

export const withText = (body: ContentBody, field: string, text: string): ContentBody => {
  if (field === 'title' || field === 'summary' || field === 'body_markdown') return { ...body, [field]: text }
  const post = /^fields\.posts\.(\d+)$/.exec(field)?.[1]
  const posts = body.fields.posts?.map((one, index) => index === Number(post) ? { text } : one)
  const name = field === 'fields.subject' ? 'subject' : 'preheader'
  return { ...body, fields: { ...body.fields, ...(post === undefined ? { [name]: text } : { posts }) } }
}

const firstWord = (text: string): string => /^[\p{L}\p{N}]*/u.exec(text)?.[0] ?? ''

/** @returns whether a word is capitalised, and not an acronym unless it begins a sentence */
const isCapitalised = (word: string, isFirst: boolean): boolean =>
  /^\p{Lu}/u.test(word) && (isFirst || /\p{Ll}/u.test(word))

/** A replacement keeps the capital of the replaced word, but a name, or "iPhone", is written as it is. */
const inCase = (found: string, suggestion: string, isFirst: boolean, names: readonly string[]): string => {
  const first = firstWord(suggestion)
  const isAsItIs = first !== first.toLowerCase() || names.some((name) => firstWord(name) === first)
  return isAsItIs || !isCapitalised(firstWord(found), isFirst)
    ? suggestion
    : suggestion.charAt(0).toUpperCase() + suggestion.slice(1)
}

const ofField = (findings: ReportFinding[], field: string): ReportFinding[] => {
  const own = findings.filter((finding) => finding.fixable && !finding.waived && finding.field === field)
    .sort((one, other) => other.start - one.start)
  // Of two findings that overlap, the earlier one waits for the next round.
  return own.filter(({ end }, index) => index === 0 || end <= (own[index - 1]?.start ?? Infinity))
}

/** One change of a repair, by its position in the repaired text. */
export interface Repaired {
  field: string
  start_at: number
  end_at: number
  before: string
  after: string
  finding: ReportFinding
}

/** @param findings the last one first, so that a change moves nothing that is still to be changed */
const fixField = (text: string, field: string, findings: ReportFinding[], names: readonly string[]):
{ text: string, repairs: Repaired[] } => {
  const repairs: Repaired[] = []
  const fixed = findings.reduce((whole, finding) => {
    const { start, end, suggestions } = finding
    const before = whole.slice(start, end)
    const after = inCase(before, suggestions[0] ?? before, beginsSentence(whole, start), names)
    repairs.unshift({ field, start_at: start, end_at: start + after.length, before, after, finding })
    return whole.slice(0, start) + after + whole.slice(end)
  }, text)
  let moved = 0
  for (const one of repairs) {
    one.start_at += moved
    one.end_at += moved
    moved += one.after.length - one.before.length
  }
  return { text: fixed, repairs }
}

/**
 * Applies the fixable findings.
 * @param names the brand's protected terms
 * @returns the text, the number of applied findings, and each change
 */
export const repair = (body: ContentBody, findings: ReportFinding[], names: readonly string[]):
{ body: ContentBody, fixed: number, repairs: Repaired[] } => {
  const repairs: Repaired[] = []
  let repaired = body
  for (const field of new Set(findings.map((finding) => finding.field))) {
    const text = textAt(body, field)
    const own = text === undefined ? [] : ofField(findings, field)
    if (text === undefined || own.length === 0) continue
    const fixed = fixField(text, field, own, names)
    repaired = withText(repaired, field, fixed.text)
    repairs.push(...fixed.repairs)
  }
  return { body: repaired, fixed: repairs.length, repairs }
}
