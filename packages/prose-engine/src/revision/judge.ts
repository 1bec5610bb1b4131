import type { ContentBody } from '../schemas/text.js'
import type { BrandReport, ReportFinding } from '../schemas/reports.js'
import { readBody } from '../markdown/prose.js'
import { reportOn } from '../lint/report.js'
import { uncompared } from '../lint/rule.js'
import { targetAt } from '../markdown/units.js'
import type { Measure } from './grounds.js'

export const judge = (measure: Measure, body: ContentBody): BrandReport => {
  const { brand_version: version, grounds: brief, ...slot } = measure
  // Rewording cannot change the age of a source or other published texts: only the record's report has those findings.
  return reportOn({ ...readBody(body), ...slot, ...uncompared, brief, body, today: null }, version)
}

/** Rules whose findings rewording one part cannot fix. */
const notByWords = new Set(['CNT-CHN-WORDS', 'CNT-CHN-SECTIONS', 'CNT-CHN-NETWORK', 'CNT-CHN-ALT', 'CNT-CHN-POSTS',
  'CNT-FCT-DISCLAIMER', 'CNT-FCT-UNSUPPORTED', 'CNT-DUP-TEXT', 'CNT-STR-EMPTY', 'CNT-SEO-CANONICAL'])

/** @returns the findings that the model may fix, by the part of the text */
export const problemsOf = (body: ContentBody, report: BrandReport): Map<string, ReportFinding[]> => {
  const found = new Map<string, ReportFinding[]>()
  for (const finding of report.findings) {
    const isOpen = !finding.waived && finding.severity !== 'suggestion' && !notByWords.has(finding.rule_id)
    const target = isOpen ? targetAt(body, finding.field, finding.start) : undefined
    if (target !== undefined) found.set(target, [...found.get(target) ?? [], finding])
  }
  return found
}
