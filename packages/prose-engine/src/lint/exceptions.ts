import type { ReportFinding } from '../schemas/reports.js'
import type { Draft, Finding } from './rule.js'
import { isAccepted } from './statements.js'

/** Rules whose findings no waiver covers: what does not follow is accepted by a person, statement by statement. */
const unwaivable = new Set(
  ['CNT-FCT-UNSUPPORTED', 'CNT-STR-PLACEHOLDER', 'CNT-STR-EMPTY', 'CNT-CHN-LIMIT', 'CNT-CHN-POSTS', 'CNT-CHN-SUBJECT', 'CNT-DUP-SLUG'])

const keyOf = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** @returns whether a finding stands in a passage of the record that contains the text */
const isInPassage = ({ all }: Draft, { field, start }: Finding, passage: string): boolean => all.some((one) =>
  one.field === field && one.start <= start && start <= one.start + one.text.length &&
    keyOf(one.text).includes(keyOf(passage)))

/** @returns whether the record, or its brand, lets a finding stand, and why */
export const exceptionOf = (draft: Draft, finding: Finding): Pick<ReportFinding, 'waived' | 'waived_because'> => {
  if (isAccepted(draft, finding)) return { waived: true, waived_because: 'A person has accepted the statement as their own' }
  if (unwaivable.has(finding.rule_id)) return { waived: false }
  const isMeant = ({ rule_id: rule, match }: { rule_id: string, match?: string | undefined }) =>
    rule === finding.rule_id && (match === undefined || match === finding.match)
  const waiver = draft.body.waivers.find((one) =>
    isMeant(one) && (one.passage === undefined || isInPassage(draft, finding, one.passage)))
  const exception = waiver ?? draft.brand.exceptions.find((one) =>
    isMeant(one) && (one.channels === undefined || one.channels.length === 0 || one.channels.includes(draft.channel)))
  return exception ? { waived: true, waived_because: exception.reason } : { waived: false }
}
