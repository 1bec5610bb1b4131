import type { Root } from 'mdast'
import type { StoredBrand } from '../../../../db/content/tables.js'
import type { BriefBody } from '../../../../schemas/content/briefs.js'
import type { Severity } from '../../../../schemas/content/brand-terms.js'
import type { Channel, Network } from '../../../../schemas/content/channels.js'
import type { ContentBody } from '../../../../schemas/content/contents.js'
import type { ReportFinding } from '../../../../schemas/content/reports.js'
import type { Passage, Prose } from './prose.js'

export type Finding = Omit<ReportFinding, 'waived'>

/** What the rules look at: a text, where it goes, and what it may rest on. */
export interface Draft {
  body: ContentBody
  channel: Channel
  network: Network | null
  locale: string
  brand: StoredBrand
  brief: BriefBody | null
  /** The day of the check, YYYY-MM-DD in UTC, by which sources are old; null where their age is not asked. */
  today: string | null
  tree: Root
  /** Everything but what is quoted. */
  prose: Prose
  /** Everything. */
  all: Passage[]
  /** Whether another record of the project has the same text. */
  isCopy: boolean
  /** Whether another record has its address. */
  isSlugTaken: boolean
  /** What is published of the project and nearly the same. */
  similar: Similar[]
}

export interface Similar { id: string, title: string, percent: number }

/** A text that is compared with no other one. */
export const alone = { isCopy: false, isSlugTaken: false, similar: [] } satisfies Partial<Draft>

export type Rule = (draft: Draft) => Finding[]

interface Options { suggestions?: string[], fixable?: boolean }

export const isEnglish = ({ locale }: Draft): boolean => /^en\b/.test(locale)

/** @returns a finding at a range of the prose */
export const found = ({ prose, body }: Draft, rule_id: string, severity: Severity, start: number, end: number,
  message: string, { suggestions = [], fixable = false }: Options = {}): Finding => {
  const place = prose.place(start, end)
  const source = place.field === 'body_markdown' ? body.body_markdown.slice(place.start, place.end) : undefined
  const match = source ?? prose.text.slice(start, end)
  return { rule_id, severity, ...place, match: match.slice(0, 300), message, suggestions, fixable }
}

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

const isWordPart = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char)

/** Lower case of the same length, so that offsets stay. */
export const lower = (text: string): string => {
  const all = text.toLowerCase()
  return all.length === text.length ? all : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** @returns where a term stands, as whole words unless `within` */
export const findTerm = (text: string, term: string, within = false): [number, number][] => {
  const ranges: [number, number][] = []
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    const end = at + term.length
    if (within || (!isWordPart(text[at - 1]) && !isWordPart(text[end]))) ranges.push([at, end])
  }
  return ranges
}
