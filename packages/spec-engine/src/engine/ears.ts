import type { Requirement } from '../schemas/document.js'

type Pattern = Requirement['pattern']

/** A statement's parts; the condition without its keyword. */
export interface Parsed {
  pattern: Pattern
  condition: string | null
  subject: string
  keyword: string
  response: string
}

const main = /\b(?:SHALL|MUST|SHOULD|MAY)(?: NOT)?\b/
const openers: Record<string, Pattern> = { WHEN: 'event', WHILE: 'state', WHERE: 'optional', IF: 'unwanted' }
const maxSubjectWords = 14

/** @returns the condition and the subject, split at the last comma */
const splitHead = (head: string): [string, string] => {
  const comma = head.lastIndexOf(', ')
  return comma === -1 ? ['', head] : [head.slice(0, comma), head.slice(comma + 2)]
}

const patternOf = (condition: string): Pattern | undefined => {
  const used = condition.match(/(?:^|, )(?:WHEN|WHILE|WHERE|IF)\b/g) ?? []
  if (used.length > 1) return 'complex'
  return openers[condition.slice(0, condition.indexOf(' '))]
}

/** @returns the parts of a statement in one of the EARS patterns; undefined = it has none */
export const parseEars = (statement: string): Parsed | undefined => {
  const found = main.exec(statement)
  if (!found) return undefined
  const head = statement.slice(0, found.index).trim()
  const response = statement.slice(found.index + found[0].length).trim().replace(/\.$/, '')
  const isConditional = /^(?:WHEN|WHILE|WHERE|IF)\b/.test(head)
  const [condition, tail] = isConditional ? splitHead(head) : ['', head]
  const pattern = isConditional ? patternOf(condition) : 'ubiquitous'
  const subject = tail.replace(/^THEN /, '')
  // "After payment, the door" is not a subject, and "after" does not open an EARS pattern.
  const isWhole = isConditional || !head.includes(', ')
  const isShort = isWhole && subject !== '' && subject.split(' ').length <= maxSubjectWords
  if (!pattern || !isShort || response === '') return undefined
  // The unwanted pattern is "IF …, THEN the … SHALL".
  if (pattern === 'unwanted' && !tail.startsWith('THEN ')) return undefined
  const bare = condition.replace(/^(?:WHEN|WHILE|WHERE|IF) /, '')
  return { pattern, condition: bare || null, subject, keyword: found[0], response }
}
