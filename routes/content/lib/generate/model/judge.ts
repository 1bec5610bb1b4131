import type { StoredBrand } from '../../../../../db/content/tables.js'
import type { BriefBody } from '../../../../../schemas/content/briefs.js'
import type { Channel, Network } from '../../../../../schemas/content/channels.js'
import type { ContentBody } from '../../../../../schemas/content/contents.js'
import type { BrandReport, ReportFinding } from '../../../../../schemas/content/reports.js'
import { readBody } from '../../lint/prose.js'
import { reportOn } from '../../lint/report.js'
import { alone } from '../../lint/rule.js'
import { targetAt } from '../units.js'

/** What a text is judged by, and what it may rest on. */
export interface Measure {
  channel: Channel
  network: Network | null
  locale: string
  brand: StoredBrand
  brand_version: number
  /** The brief, with the source's text among its facts where there is one. */
  grounds: BriefBody
}

const nothing: BriefBody = {
  title: '-',
  goal: '',
  key_message: '-',
  points: [],
  facts: [],
  channels: [],
  locales: [],
  keywords: [],
  must_include: [],
  must_avoid: []
}

const linkedIn = (markdown: string): string[] => markdown.match(/\bhttps?:\/\/[^\s)>\]"']+/g) ?? []

/** @returns what the text may rest on: the brief, and the texts that it is made of */
export const groundsOf = (brief: BriefBody | null, sources: readonly ContentBody[]): BriefBody => {
  const base = brief ?? nothing
  const facts = sources.flatMap((source, at) => {
    const { title, summary, body_markdown, fields, seo } = source
    const posts = fields.posts?.map(({ text }) => text) ?? []
    const said = [title, summary, body_markdown, fields.subject, fields.preheader, seo.title, seo.description, ...posts]
      .filter((text) => text !== undefined).join('\n\n')
    const refs = ['', ...linkedIn(said)]
    return refs.map((ref, index) => ({
      id: `source-${at + 1}-${index}`, text: index === 0 ? said : '', source: { kind: 'url' as const, ref }
    }))
  })
  return { ...base, facts: [...base.facts, ...facts] }
}

export const judge = (measure: Measure, body: ContentBody): BrandReport => {
  const { brand_version: version, grounds: brief, ...place } = measure
  // No wording makes a source younger: its age, and what else is published, is said in the record's report alone.
  return reportOn({ ...readBody(body), ...place, ...alone, brief, body, today: null }, version)
}

const ungrounded: readonly string[] = ['CNT-FCT-NUMBER', 'CNT-FCT-QUOTE', 'CNT-FCT-URL']

/** @returns the findings of what no source has */
export const ungroundedIn = (report: BrandReport): ReportFinding[] =>
  report.findings.filter(({ rule_id: rule }) => ungrounded.includes(rule))

/** What no other wording of one part puts right. */
const notByWords = new Set(['CNT-CHN-WORDS', 'CNT-CHN-SECTIONS', 'CNT-CHN-NETWORK', 'CNT-CHN-ALT', 'CNT-CHN-POSTS',
  'CNT-FCT-DISCLAIMER', 'CNT-DUP-TEXT', 'CNT-STR-EMPTY', 'CNT-SEO-CANONICAL'])

/** @returns what the model may put right, by the part of the text that it is about */
export const problemsOf = (body: ContentBody, report: BrandReport): Map<string, ReportFinding[]> => {
  const found = new Map<string, ReportFinding[]>()
  for (const finding of report.findings) {
    const isOpen = !finding.waived && finding.severity !== 'suggestion' && !notByWords.has(finding.rule_id)
    const target = isOpen ? targetAt(body, finding.field, finding.start) : undefined
    if (target !== undefined) found.set(target, [...found.get(target) ?? [], finding])
  }
  return found
}

const errorRules = ({ findings }: BrandReport): string[] =>
  findings.filter(({ severity, waived }) => severity === 'error' && !waived).map(({ rule_id: rule }) => rule)

/** Better is: fewer errors and none of a new rule, or as many and a higher score. */
export const isBetter = (before: BrandReport, after: BrandReport): boolean => {
  const [was, now] = [errorRules(before), errorRules(after)]
  if (now.some((rule) => !was.includes(rule))) return false
  return now.length < was.length || (now.length === was.length && after.score > before.score)
}
