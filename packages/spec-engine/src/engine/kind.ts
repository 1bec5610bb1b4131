import type { RequirementKind } from '../schemas/document.js'
import type { Statement } from './rewrite.js'
import type { Role } from 'steward-document-reader/document'

const measured = /\b\d+[.,]*\s?(?:%|percent|ms|milliseconds?|s|sec|seconds?|minutes?|hours?|days?|kb|mb|gb|requests?|users?|concurrent|rps)(?![\p{L}])/iu
const bounded = /\b(?:within|under|below|less than|fewer than|at least|at most|up to|no more than|per|every|uptime|p9\d)\b|%/i
const quality = /\b(?:availab\w+|uptime|latency|response time|throughput|encrypt\w*|accessib\w+|wcag|secur\w+|privacy|scalab\w+|usab\w+|reliab\w+|performance|concurrent\w*|recover\w*)\b/i
const constraint = /\b(?:comply|complies|compliant|compliance|gdpr|regulation\w*|law|legal\w*|licen[cs]e\w*|run on|built with|use only|hosted (?:in|on)|budget|deadline)\b/i
const contact = /\b(?:api|apis|endpoint\w*|webhook\w*|integrat\w+|import\w*|export\w*|rest|graphql|http|sso|oauth)\b/i
const data = /\b(?:stor(?:e|ed|es|age)|retain\w*|retention|persist\w*|record(?:s|ed)?|archiv(?!ing)\w+|delet(?!ing)\w+|backup\w*|back up)\b/i

/** Words of a column of categories. */
const categories: [RequirementKind, RegExp][] = [
  ['quality', /perform|availab|secur|accessib|usab|reliab|compatib|maintain|portab|scalab|quality|non-?functional|leistung|sicherheit|verfügbar|bedien/i],
  ['constraint', /constraint|legal|complian|randbedingung|contrainte/i],
  ['interface', /interface|integration|schnittstelle/i],
  ['data', /^data\b|^daten/i]
]

/**
 * @param category what the column of categories says of it
 * @returns the kind of a requirement, by its category or the words it uses
 */
export const kindOf = ({ pattern }: Statement, text: string, role: Role | undefined, category = ''):
RequirementKind => {
  const named = category === '' ? undefined : categories.find(([, words]) => words.test(category))
  if (named) return named[0]
  if (constraint.test(text)) return 'constraint'
  const isGeneral = pattern !== 'event' && pattern !== 'unwanted'
  if (isGeneral && (quality.test(text) || (measured.test(text) && bounded.test(text)))) return 'quality'
  if (role === 'interfaces' || contact.test(text)) return 'interface'
  if (isGeneral && (role === 'entities' || data.test(text))) return 'data'
  return 'functional'
}
