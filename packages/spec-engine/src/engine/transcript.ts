import { aside, type Verdict } from '../classify/verdict.js'
import type { Role } from 'steward-document-reader/document'

/** "ABL: I think", "<ian> we could", "**Anna Meier:** yes", "- mt: no" at the beginning of a line. */
const speaker = /^[ \t]{0,8}(?:[-*>][ \t]+)?(?:\*{1,3})?(\p{Lu}{2,4}|\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\p{Ll}{1,20}){0,2}|<[\w.-]{2,30}>|[a-z]{2,12}(?: [a-z]{2,12})?)(?: [([][^()\n[\]]{1,40}[)\]])?\*{0,3}:\*{0,3}[ \t]+\S/gmu
/** In the header of a PEP "Resolution:" links to one. */
const resolution = /^(?:#+ .{0,40}(?:conclusion|resolution|decision|beschl[uü]ss|décision)|\W{0,3}(?:RESOLUTION|RESOLVED|CONSENSUS|AGREED)(?: ?#\d+)?\W{0,3}:(?![ \t]{0,8}(?:`|<|https?:)))/imu
const minutes = /\b(?:minutes|transcript|scribes?|meeting notes|agenda|telco|plenary|protokoll|compte[- ]rendu|acta)\b/i
/** Fields of a form are no speakers. */
const fields = /^(?:note|notes|todo|example|default|type|name|title|status|description|version|date|author|see|warning|id|given|when|then|priority|input|output)$/i

/** Lines of speakers that a record of a discussion has at least; more where no resolution stands in it. */
const fewest = 8
const many = 20
const headOf = 3_000

/** @returns how many lines begin with someone who speaks more than once */
const spokenLines = (text: string): number => {
  const counts = new Map<string, number>()
  for (const [, name = ''] of text.matchAll(speaker)) {
    if (!fields.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0)
}

/** @returns whether a text records who said what, and apart from it what was decided */
export const isTranscript = (text: string): boolean => {
  const isResolved = resolution.test(text)
  if (!isResolved && !minutes.test(text.slice(0, headOf))) return false
  return spokenLines(text) >= (isResolved ? fewest : many)
}

const settledRoles = new Set<Role | undefined>(['decisions', 'requirements', 'acceptance', 'stories'])
const formal = /^\W{0,5}(?:resolution|resolved|consensus|agreed|decision|decided)(?: ?#\d+)?\W{0,3}:/i
/** What a group resolves about its papers. */
const ofPapers = /^[^:]{0,30}:\W{0,3}(?:publish|merge|adopt|close|leave|accept the minutes|defer)\b/i
const proposed = /^\W{0,3}(?:proposed|draft) (?:resolution|consensus|decision)\b/i
const assigned = /^\W{0,3}action(?: item)?\W{0,3}(?::|-)/i
/** The work on a proposal, not what it demands. */
const ofWork = /\b(?:champions?|stage \d|pull request|pull\/\d+|plenary|agenda|next meeting|following meeting|this proposal|the proposal|committee)\b/i

/**
 * @param written the sentence as the text has it, with its label
 * @returns why a sentence of a recorded discussion demands nothing; undefined where it does
 */
export const asideInTranscript = (written: string, role: Role | undefined, verdict: Verdict):
Verdict | undefined => {
  if (verdict.sense !== 'normative' && verdict.sense !== 'story') return undefined
  if (assigned.test(written)) return aside('task', 'It is a task of somebody, not of the product')
  if (proposed.test(written)) return aside('unclear', 'It was proposed, and nothing says that it was decided')
  if (formal.test(written)) {
    return ofPapers.test(written) ? aside('task', 'It is about the work, not the product') : undefined
  }
  if (!settledRoles.has(role)) return aside('unclear', 'A speaker said it; what was decided stands apart')
  const isWork = role === 'decisions' && ofWork.test(written)
  return isWork ? aside('task', 'It is about the work, not the product') : undefined
}
