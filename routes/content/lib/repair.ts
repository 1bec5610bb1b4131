import type { ContentBody } from '../../../schemas/content/contents.js'
import type { ReportFinding } from '../../../schemas/content/reports.js'

/** Fields whose text the fixes may change, by their place in the record. */
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

/** A word at the begin of a sentence keeps its capital. */
const inCase = (found: string, suggestion: string): string =>
  /^\p{Lu}/u.test(found) && /^\p{Ll}/u.test(suggestion)
    ? suggestion.charAt(0).toUpperCase() + suggestion.slice(1)
    : suggestion

const ofField = (findings: ReportFinding[], field: string): ReportFinding[] => {
  const own = findings.filter((finding) => finding.fixable && !finding.waived && finding.field === field)
    .sort((one, other) => other.start - one.start)
  // Of two that overlap, the later one is left for the next round.
  return own.filter(({ end }, index) => index === 0 || end <= (own[index - 1]?.start ?? Infinity))
}

const fixField = (text: string, findings: ReportFinding[]): string => findings.reduce((fixed, finding) => {
  const found = fixed.slice(finding.start, finding.end)
  const keeps = finding.rule_id === 'CNT-BRD-CASING'
  const suggestion = finding.suggestions[0] ?? found
  return fixed.slice(0, finding.start) + (keeps ? suggestion : inCase(found, suggestion)) + fixed.slice(finding.end)
}, text)

/** Puts right what has one right form. @returns the text, and how many findings that were */
export const repair = (body: ContentBody, findings: ReportFinding[]): { body: ContentBody, fixed: number } => {
  let fixed = 0
  let repaired = body
  for (const field of new Set(findings.map((finding) => finding.field))) {
    const text = textAt(body, field)
    const own = text === undefined ? [] : ofField(findings, field)
    if (text === undefined || own.length === 0) continue
    repaired = withText(repaired, field, fixField(text, own))
    fixed += own.length
  }
  return { body: repaired, fixed }
}
