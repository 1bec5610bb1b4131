import type { Root } from 'mdast'
import type { BrandRules } from '../schemas/brand.js'
import type { BriefBody } from '../schemas/brief.js'
import type { Severity } from '../schemas/brand-terms.js'
import type { Channel, Network } from '../schemas/channels.js'
import type { ContentBody } from '../schemas/text.js'
import type { ReportFinding } from '../schemas/reports.js'
import type { TextStatement } from '../schemas/statements.js'
import type { Style } from '../schemas/styles.js'
import type { KnownStatement } from '../claims/statements.js'
import type { ProtectedNames } from './names.js'
import { plainFields, type Passage, type Prose } from '../markdown/prose.js'

export { findTerm, lower } from './ranges.js'

/** `weight`: what it costs in a text of up to 300 words, where that is not what its severity costs. */
export type Finding = Omit<ReportFinding, 'waived' | 'points'> & { weight?: number }

/** The input of the rules: a text, its slot, and its sources. */
export interface Draft {
  body: ContentBody
  channel: Channel
  network: Network | null
  locale: string
  brand: BrandRules
  brief: BriefBody | null
  /** The day of the check, YYYY-MM-DD in UTC, for the age of sources; null: their age is not checked. */
  today: string | null
  tree: Root
  /** The sentences of the text, with what is known of each. */
  statements: readonly TextStatement[]
  /** What of the record was judged, or accepted by a person. */
  stated: readonly KnownStatement[]
  /** All passages except quotations. */
  prose: Prose
  /** The ranges of the brand's protected terms, to which no rule applies. */
  names: ProtectedNames
  /** All passages. */
  all: Passage[]
  /** Whether another record of the project has the same text. */
  isCopy: boolean
  /** Whether another record has its address. */
  isSlugTaken: boolean
  /** Published texts of the project that are nearly the same. */
  similar: Similar[]
  /** Vale's rules that were uploaded into the brand. */
  styles: readonly Style[]
}

export interface Similar { id: string, title: string, percent: number }

/** For a text that is not compared with others. */
export const uncompared = { isCopy: false, isSlugTaken: false, similar: [], stated: [] } satisfies Partial<Draft>

export type Rule = (draft: Draft) => Finding[]

interface Options { suggestions?: string[], fixable?: boolean, weight?: number }

export const isEnglish = ({ locale }: Draft): boolean => /^en\b/.test(locale)

/** @returns the text of a field, as it is written */
export const sourceOf = (body: ContentBody, field: string): string =>
  field === 'body_markdown' ? body.body_markdown : plainFields(body).find(([name]) => name === field)?.[1] ?? ''

const blanked = (text: string): string => text.replace(/\s/g, ' ')

/** @returns a finding at a range of the prose; fixable only where no markup, code or address stands inside */
export const found = ({ prose, body }: Draft, rule_id: string, severity: Severity, start: number, end: number,
  message: string, { suggestions = [], fixable = false, weight }: Options = {}): Finding => {
  const position = prose.locate(start, end)
  const match = sourceOf(body, position.field).slice(position.start, position.end)
  const isWhole = blanked(match) === blanked(prose.text.slice(start, end))
  return {
    rule_id,
    severity,
    ...position,
    match: match.slice(0, 300),
    message,
    suggestions,
    fixable: fixable && isWhole,
    ...(weight !== undefined && { weight })
  }
}

/** @returns whether a range of the prose is a protected term, or part of one */
export const isName = ({ prose, names }: Draft, start: number, end: number): boolean =>
  names.covers(prose.locate(start, end))

/** @returns a finding about a field as a whole */
export const about = (rule_id: string, severity: Severity, field: string, message: string, match = '', start = 0):
Finding => ({
  rule_id,
  severity,
  field,
  start,
  end: start + match.length,
  match: match.slice(0, 300),
  message,
  suggestions: [],
  fixable: false
})
