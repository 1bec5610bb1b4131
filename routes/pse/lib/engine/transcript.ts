import { aside, type Verdict } from '../classify/verdict.js'
import type { Role } from '../classify/roles.js'

/** "ABL: I think", "<ian> we could", "Anna Meier: yes" at the beginning of a line. */
const speaker = /^(?:\p{Lu}{2,4}|\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\p{Ll}{1,20})?|<[\w.-]{2,30}>|[a-z]{2,12})(?: \([^()\n]{2,40}\))?:[ \t]+\S/gmu
const resolution = /^(?:#+ .{0,40}(?:conclusion|resolution|decision|beschl[uü]ss|décision)|\W{0,3}(?:RESOLUTION|RESOLVED|CONSENSUS|AGREED)\W{0,3}:)/imu

/** Lines with a speaker that a record of a discussion has at least. */
const fewest = 8

/** @returns whether a text records who said what, and apart from it what was decided */
export const isTranscript = (text: string): boolean =>
  resolution.test(text) && (text.match(speaker)?.length ?? 0) >= fewest

const settledRoles = new Set<Role | undefined>(['decisions', 'requirements', 'acceptance', 'stories'])
const formal = /^\W{0,3}(?:resolution|resolved|consensus|agreed|decision|decided)\W{0,3}:/i
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
  if (formal.test(written)) return undefined
  if (!settledRoles.has(role)) return aside('unclear', 'A speaker said it; what was decided stands apart')
  const isWork = role === 'decisions' && ofWork.test(written)
  return isWork ? aside('task', 'It is about the work, not the product') : undefined
}
