import { createHash } from 'node:crypto'
import type { Nodes, Root } from 'mdast'
import { splitRange } from 'steward-document-reader/document'
import { visit } from 'unist-util-visit'
import { readBody, type Passage, type Read } from '../markdown/prose.js'
import type { BrandRules } from '../schemas/brand.js'
import type { BriefBody, BriefFact } from '../schemas/brief.js'
import type { TextStatement, UncheckedReason, Verdict } from '../schemas/statements.js'
import type { ContentBody } from '../schemas/text.js'
import { keyOf, statementKey } from '../text/word-key.js'
import { Grounds, type Fault } from './judge-statement.js'

/** A sentence of a text, and the facts that its paragraph cites. */
export interface Statement { field: string, start: number, text: string, fact_ids: string[] }

const isStated = ({ kind, field }: Passage): boolean =>
  kind === 'paragraph' || kind === 'item' || kind === 'quote' || kind === 'cell' || field.startsWith('fields.posts.')

const startOf = (node: Nodes): number => node.position?.start.offset ?? 0
const endOf = (node: Nodes): number => node.position?.end.offset ?? 0

interface Mark { id: string, start: number, end: number }

const marksIn = (tree: Root): { notes: Mark[], definitions: Mark[] } => {
  const [notes, definitions]: [Mark[], Mark[]] = [[], []]
  visit(tree, (node) => {
    const mark = { start: startOf(node), end: endOf(node) }
    if (node.type === 'footnoteReference') notes.push({ id: node.label ?? node.identifier, ...mark })
    if (node.type === 'footnoteDefinition') definitions.push({ id: node.label ?? node.identifier, ...mark })
  })
  return { notes, definitions }
}

const isWithin = (outer: { start: number, end: number }, at: number): boolean => outer.start <= at && at < outer.end

/** @returns the passages that cite facts by footnotes */
export const citingPassages = (all: readonly Passage[], tree: Root): ReadonlySet<Passage> => {
  const { notes } = marksIn(tree)
  return new Set(all.filter(({ field, start, text }) =>
    field === 'body_markdown' && notes.some((one) => isWithin({ start, end: start + text.length }, one.start))))
}

/** @returns the ranges of a passage's sentences: a post has lines of its own, a paragraph is wrapped anywhere */
export const sentenceRanges = ({ text, kind }: Passage): [number, number][] => kind !== 'field'
  ? splitRange(text, 0, text.length)
  : [...text.matchAll(/[^\n]+/g)].flatMap(({ 0: line, index }) => splitRange(text, index, index + line.length))

/** @returns the sentences of a passage, with their offsets in the field */
const sentencesIn = (passage: Passage, { text, start } = passage): { start: number, text: string }[] =>
  sentenceRanges(passage).map(([from, to]) => ({ text: text.slice(from, to), start: start + from }))
    .filter(({ text: one }) => /\p{L}/u.test(one))

/** What statements rest on beside the facts of their footnotes. */
export interface Basis {
  /** What a text without footnotes, such as a post, rests on as a whole. */
  used: readonly string[]
  /** The texts that it was made of. */
  sources: readonly string[]
  /** What is no statement of the writer: the call to action and disclaimers, which the brief and the brand word. */
  given: readonly string[]
}

const nothing: Basis = { used: [], sources: [], given: [] }

export const statementsOf = (body: ContentBody, { used, sources, given } = nothing,
  { tree, all }: Read = readBody(body)): Statement[] => {
  const { notes, definitions } = marksIn(tree)
  const own = new Set(given.map(keyOf))
  return all.filter((passage) => isStated(passage) && !own.has(keyOf(passage.text)) &&
    !(passage.field === 'body_markdown' && definitions.some((one) => isWithin(one, passage.start))))
    .flatMap((passage) => {
      const end = passage.start + passage.text.length
      const cited = passage.field !== 'body_markdown' ? [] : notes.filter((one) => isWithin({ start: passage.start, end }, one.start))
      const fact_ids = notes.length > 0 ? [...new Set([...cited.map(({ id }) => id), ...sources])] : [...used, ...sources]
      return sentencesIn(passage).map((one) => ({ field: passage.field, ...one, fact_ids }))
    })
}

/** @returns what a fact says: its words, those of its source, and when that was */
export const saidBy = ({ text, source }: BriefFact): string => [text, source.quote, source.dated].filter(Boolean).join('\n')

/** @returns the texts of the brief and the brand that a text may use */
export const sourcesOf = (brief: BriefBody, brand: BrandRules): string[] => [
  brief.title, brief.goal, brief.key_message, brief.audience ?? '', brief.cta?.text ?? '',
  ...brief.points.map(({ text }) => text), ...brief.facts.map(saidBy), ...brief.keywords, ...brief.must_include,
  brand.name, brand.description, brand.voice.summary, ...brand.claims.disclaimers.map(({ text }) => text),
  ...brand.terms.protected, ...brand.terms.required.map(({ term }) => term)
]

/** @returns all that the brief and the brand say, as one key: a name may come from any of it */
const knownTo = (brief: BriefBody, brand: BrandRules): string => ` ${keyOf([
  ...sourcesOf(brief, brand), ...brief.facts.map(({ source }) => source.ref), ...brand.terms.preferred.map(({ use }) => use)
].join(' '))} `

type Judge = (statement: Pick<Statement, 'text' | 'fact_ids'>) => Fault[]

/** Judges by code: what cites facts by those alone, and reads each set of facts once; the rest by all sources. */
export const judgeWith = (brief: BriefBody, brand: BrandRules, locale: string): Judge => {
  const known = knownTo(brief, brand)
  const read = new Map<string, Grounds>()
  const groundsOf = (key: string, texts: () => string[]): Grounds => {
    const grounds = read.get(key) ?? new Grounds(texts(), known, locale)
    read.set(key, grounds)
    return grounds
  }
  return ({ text, fact_ids: ids }) => {
    const facts = brief.facts.filter(({ id }) => ids.includes(id))
    return facts.length === 0
      ? groundsOf('', () => sourcesOf(brief, brand)).missing(text)
      : groundsOf(ids.join(' '), () => facts.map(saidBy)).judge(text)
  }
}

/** @returns what identifies the words of these facts, so that a change of one is seen */
const hashOfFacts = (brief: BriefBody | null, ids: readonly string[]): string => createHash('sha256')
  .update(JSON.stringify(ids.map((id) => brief?.facts.filter((fact) => fact.id === id)
    .map((fact) => fact.source.changed ? [saidBy(fact), 'changed'] : saidBy(fact))))).digest('base64url')

/** A statement of a record as it was judged once. */
export interface Judgement { text: string, fact_ids: string[], facts_hash: string, verdict: Verdict, reason: string | null }

/** A statement that was judged, or that a person accepted as their own, or both. */
export interface KnownStatement {
  text: string
  fact_ids: readonly string[]
  facts_hash: string | null
  verdict: Verdict | null
  reason: string | null
  isAccepted: boolean
}

type Judged = Pick<TextStatement, 'verdict' | 'judged_by' | 'why' | 'reason'>

/** What a text is judged by. */
export interface Ground { brief: BriefBody | null, brand: BrandRules, locale: string, stated: readonly KnownStatement[] }

/** @returns each sentence of a text with what is known of it: by the facts as they are now, or as it was judged once */
export const readStatements = (body: ContentBody, { brief, brand, locale, stated }: Ground, read?: Read):
TextStatement[] => {
  const known = new Map(stated.map((one) => [statementKey(one.text), one]))
  const judge = brief && judgeWith(brief, brand, locale)
  const used = body.citations.map(({ fact_id: id }) => id)
  const unchecked = (why: UncheckedReason): Judged => ({ verdict: 'unchecked', judged_by: null, why, reason: null })
  const judged = (text: string, cited: readonly string[]): Judged => {
    const one = known.get(statementKey(text))
    const ids = cited.length > 0 ? [...cited] : [...one?.fact_ids ?? []]
    const [fault] = judge?.({ text, fact_ids: ids }) ?? []
    if (fault) {
      const verdict = one?.verdict === 'partly' ? 'partly' : 'not'
      return { verdict, judged_by: 'code', why: null, reason: fault.message }
    }
    if (one?.verdict != null) {
      if (one.facts_hash !== hashOfFacts(brief, one.fact_ids)) return unchecked('facts_changed')
      return { verdict: one.verdict, judged_by: one.reason === null ? 'model' : 'code', why: null, reason: one.reason }
    }
    return unchecked(!brief || brief.facts.length === 0 ? 'no_facts' : ids.length === 0 ? 'cites_no_fact' : 'not_judged')
  }
  return statementsOf(body, { used, sources: [], given: givenBy(brief, brand) }, read)
    .map(({ field, start, text, fact_ids: cited }, index) => ({
      number: index + 1,
      field,
      start,
      end: start + text.length,
      text,
      fact_ids: cited.length > 0 ? cited : [...known.get(statementKey(text))?.fact_ids ?? []],
      ...judged(text, cited)
    }))
}

/** @returns what is no statement of the writer */
export const givenBy = (brief: BriefBody | null, brand: BrandRules): string[] =>
  [...brief?.cta ? [brief.cta.text] : [], ...brand.claims.disclaimers.map(({ text }) => text)]

const without = (markdown: string, spans: readonly Mark[]): string => [...spans].sort((one, other) => other.start - one.start)
  .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), markdown)

/**
 * Footnotes and citations stay only where all that a paragraph says was found to follow.
 * @param said what the model says of each statement, in order
 * @returns the text, and what is known now of each statement
 */
export const withVerdicts = (body: ContentBody, brief: BriefBody, brand: BrandRules, locale: string, basis: Basis,
  said: readonly Verdict[]): { body: ContentBody, judgements: Judgement[] } => {
  const judge = judgeWith(brief, brand, locale)
  const all = statementsOf(body, basis).map((statement, index) => {
    const [fault] = statement.fact_ids.length > 0 ? judge(statement) : []
    const verdict = said[index] ?? 'not'
    return { ...statement, verdict: fault && verdict !== 'partly' ? 'not' as const : verdict, reason: fault?.message ?? null }
  })
  const open = all.filter(({ verdict }) => verdict === 'partly' || verdict === 'not')
  const { tree, all: passages } = readBody(body)
  const { notes, definitions } = marksIn(tree)
  const doubtful = passages.filter((passage) => open.some(({ field, start }) => field === passage.field &&
    isWithin({ start: passage.start, end: passage.start + passage.text.length }, start)))
  const isDoubtful = (at: number) => doubtful.some(({ field, start, text }) =>
    field === 'body_markdown' && isWithin({ start, end: start + text.length }, at))
  const gone = notes.filter(({ start }) => isDoubtful(start))
  const kept = new Set(notes.filter((one) => !gone.includes(one)).map(({ id }) => id))
  const markdown = without(body.body_markdown, [...gone, ...definitions.filter(({ id }) => !kept.has(id) &&
    gone.some((one) => one.id === id))]).replace(/\n{3,}/g, '\n\n')
  // Two lines at most are left at the end.
  const end = markdown.endsWith('\n\n') ? -2 : markdown.endsWith('\n') ? -1 : markdown.length
  const trimmed = markdown.slice(0, end) + (body.body_markdown.endsWith('\n') ? '\n' : '')
  const followed = new Set(all.filter(({ verdict }) => verdict === 'follows').flatMap(({ fact_ids: ids }) => ids))
  const supported = notes.length > 0 ? kept : followed
  return {
    body: { ...body, body_markdown: trimmed, citations: body.citations.filter(({ fact_id: id }) => supported.has(id)) },
    judgements: all.map(({ text, fact_ids, verdict, reason }) => {
      const own = fact_ids.filter((id) => !basis.sources.includes(id))
      return { text, fact_ids: own, facts_hash: hashOfFacts(brief, own), verdict, reason }
    })
  }
}
