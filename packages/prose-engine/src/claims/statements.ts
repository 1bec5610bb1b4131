import type { Nodes, Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { readBody, type Passage } from '../markdown/prose.js'
import type { BrandRules } from '../schemas/brand.js'
import type { BriefBody, BriefFact } from '../schemas/brief.js'
import type { ContentBody, FactCitation } from '../schemas/text.js'
import { keyOf } from '../text/word-key.js'
import { Grounds } from './judge-statement.js'

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

/** @returns the sentences of a passage, with their offsets in the field */
export const sentencesIn = ({ text, start }: Passage, locale: string): { start: number, text: string }[] =>
  [...new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(text)]
    .map(({ segment, index }) => ({ text: segment.trim(), start: start + index + segment.search(/\S|$/) }))
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

export const statementsOf = (body: ContentBody, locale: string, { used, sources, given } = nothing): Statement[] => {
  const { tree, all } = readBody(body)
  const { notes, definitions } = marksIn(tree)
  const own = new Set(given.map(keyOf))
  return all.filter((passage) => isStated(passage) && !own.has(keyOf(passage.text)) &&
    !(passage.field === 'body_markdown' && definitions.some((one) => isWithin(one, passage.start))))
    .flatMap((passage) => {
      const end = passage.start + passage.text.length
      const cited = passage.field !== 'body_markdown' ? [] : notes.filter((one) => isWithin({ start: passage.start, end }, one.start))
      const fact_ids = notes.length > 0 ? [...new Set([...cited.map(({ id }) => id), ...sources])] : [...used, ...sources]
      return sentencesIn(passage, locale).map((one) => ({ field: passage.field, ...one, fact_ids }))
    })
}

/** @returns what a fact says: its words, those of its source, and when that was */
export const saidBy = ({ text, source }: BriefFact): string => [text, source.quote, source.dated].filter(Boolean).join('\n')

/** @returns all that the brief and the brand say, as one key: a name may come from any of it */
export const knownTo = (brief: BriefBody, brand: BrandRules): string => ` ${keyOf([
  brief.title, brief.goal, brief.key_message, brief.audience ?? '', brief.cta?.text ?? '', brand.name, brand.description,
  ...brief.points.map(({ text }) => text), ...brief.facts.map((fact) => `${saidBy(fact)} ${fact.source.ref}`), ...brief.keywords,
  ...brief.must_include, ...brand.terms.protected, ...brand.terms.required.map(({ term }) => term),
  ...brand.terms.preferred.map(({ use }) => use), ...brand.claims.disclaimers.map(({ text }) => text)
].join(' '))} `

/** Judges by code what the cited facts of a brief say, and reads each set of facts once. */
export const judgeWith = (brief: BriefBody, brand: BrandRules, locale: string) => {
  const known = knownTo(brief, brand)
  const read = new Map<string, Grounds>()
  return ({ text, fact_ids: ids }: Pick<Statement, 'text' | 'fact_ids'>) => {
    const facts = brief.facts.filter(({ id }) => ids.includes(id))
    if (facts.length === 0) return []
    const key = ids.join(' ')
    const grounds = read.get(key) ?? new Grounds(facts.map(saidBy), known, locale)
    read.set(key, grounds)
    return grounds.judge(text)
  }
}

export const verdicts = ['follows', 'partly', 'not', 'no_claim'] as const
export type Verdict = typeof verdicts[number]

const without = (markdown: string, spans: readonly Mark[]): string => [...spans].sort((one, other) => other.start - one.start)
  .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), markdown)

/** Footnotes and citations stay only where all that a paragraph says was found to follow. @param judged in order */
export const withVerdicts = (body: ContentBody, brief: BriefBody, brand: BrandRules, locale: string, basis: Basis,
  judged: readonly Verdict[]): ContentBody => {
  const judge = judgeWith(brief, brand, locale)
  const all = statementsOf(body, locale, basis).map((statement, index) => {
    const [fault] = judge(statement)
    const said = judged[index] ?? 'not'
    return { ...statement, verdict: fault && said !== 'partly' ? 'not' as const : said, reason: fault?.message }
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
    ...body,
    body_markdown: trimmed,
    citations: [
      ...body.citations.filter(({ fact_id: id, statement }) => statement === undefined && supported.has(id)),
      ...open.map(({ text, fact_ids: [id = ''], verdict, reason }): FactCitation => ({
        fact_id: id,
        quote: '',
        statement: text.slice(0, 1000),
        verdict: verdict === 'partly' ? 'partly' : 'not',
        ...(reason !== undefined && { reason })
      }))
    ]
  }
}
