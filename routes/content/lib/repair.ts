import type { ContentBody } from '../../../schemas/content/contents.js'
import type { ReportFinding } from '../../../schemas/content/reports.js'
import { beginsSentence } from './lint/sentence-start.js'

/** @returns the text of a field that fixes may change; undefined for other fields */
const textAt = (body: ContentBody, field: string): string | undefined => {
  if (field === 'title' || field === 'summary' || field === 'body_markdown') return body[field]
  const post = /^fields\.posts\.(\d+)$/.exec(field)?.[1]
  if (post !== undefined) return body.fields.posts?.[Number(post)]?.text
  if (field === 'fields.subject') return body.fields.subject
  if (field === 'fields.preheader') return body.fields.preheader
  return undefined
}

const withText = (body: ContentBody, field: string, text: string): ContentBody => {
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

const fixField = (text: string, findings: ReportFinding[], names: readonly string[]): string =>
  findings.reduce((fixed, { start, end, suggestions }) => {
    const found = fixed.slice(start, end)
    const put = inCase(found, suggestions[0] ?? found, beginsSentence(fixed, start), names)
    return fixed.slice(0, start) + put + fixed.slice(end)
  }, text)

/**
 * Applies the fixable findings.
 * @param names the brand's protected terms
 * @returns the text, and the number of applied findings
 */
export const repair = (body: ContentBody, findings: ReportFinding[], names: readonly string[]):
{ body: ContentBody, fixed: number } => {
  let fixed = 0
  let repaired = body
  for (const field of new Set(findings.map((finding) => finding.field))) {
    const text = textAt(body, field)
    const own = text === undefined ? [] : ofField(findings, field)
    if (text === undefined || own.length === 0) continue
    repaired = withText(repaired, field, fixField(text, own, names))
    fixed += own.length
  }
  return { body: repaired, fixed }
}
