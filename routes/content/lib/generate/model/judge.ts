import type { ContentBody } from '../../../../../schemas/content/contents.js'
import type { BrandReport, ReportFinding } from '../../../../../schemas/content/reports.js'
import { readBody } from '../../lint/prose.js'
import { reportOn } from '../../lint/report.js'
import { uncompared } from '../../lint/rule.js'
import { targetAt } from '../units.js'
import type { Measure } from './measure.js'

export const judge = (measure: Measure, body: ContentBody): BrandReport => {
  const { brand_version: version, grounds: brief, ...slot } = measure
  // No wording makes a source younger: its age, and what else is published, is said in the record's report alone.
  return reportOn({ ...readBody(body), ...slot, ...uncompared, brief, body, today: null }, version)
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
