import type { SpecDocument } from '../schemas/document.js'
import type { ResolvedStandard } from '../schemas/standards.js'
import { keyOf } from '../engine/words.js'

type Term = SpecDocument['glossary'][number]

const maxWords = 6
const maxTerms = 1_000
const separators = [': ', ' – ', ' — ', ' - ']

const plain = (text: string): string => text.replace(/[*_`]/g, '').trim()

const listOf = (text: string): string[] => text.split(/[,;]/).map(plain).filter(Boolean)

/** "Locker (not: box, cabinet)" names a term and the words that it replaces. */
const namesIn = (text: string): { term: string, aliases: string[] } => {
  const open = text.toLowerCase().indexOf('(not:')
  const close = text.indexOf(')', open)
  return open < 0 || close < 0
    ? { term: plain(text), aliases: [] }
    : { term: plain(text.slice(0, open)), aliases: listOf(text.slice(open + 5, close)) }
}

/** Skips the brackets: a colon inside them does not end the term. */
const cutOf = (line: string): [number, number] | undefined => {
  const from = line.toLowerCase().includes('(not:') ? line.indexOf(')') : 0
  const cuts = separators.map((mark): [number, number] => [line.indexOf(mark, Math.max(0, from)), mark.length])
    .filter(([at]) => at > 0)
  return cuts.sort(([one], [other]) => one - other)[0]
}

const isTerm = (term: string): boolean => term !== '' && term.split(/\s+/).length <= maxWords

const termOfLine = (line: string): Term[] => {
  const item = /^\s{0,6}(?:[-*+]|\d{1,9}[.)])\s+(?=\S)/.exec(line)
  if (!item && !line.trimStart().startsWith('**')) return []
  const text = line.slice(item?.[0].length ?? 0).replaceAll(':**', '**:').trim()
  const cut = cutOf(text)
  const { term, aliases } = namesIn(cut ? text.slice(0, cut[0]) : text)
  return isTerm(term) ? [{ term, definition: cut ? plain(text.slice(cut[0] + cut[1])) : '', aliases }] : []
}

const cellsOf = (row: string): string[] => row.trim().replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim())

const isRule = (row: string | undefined): boolean => row !== undefined && /^[|:\s-]+$/.test(row) && row.includes('-')

/** The first column of a table has the terms, the second their meaning, and one named "not" the words to avoid. */
const termsOfTable = (rows: readonly string[]): Term[] => {
  const [head = '', rule, ...body] = rows
  if (!isRule(rule)) return []
  const avoided = cellsOf(head).findIndex((name) => /^(?:not|avoid|alias|aliases|synonyms?)\b/i.test(plain(name)))
  return body.map(cellsOf).flatMap((cells) => {
    const { term, aliases } = namesIn(cells[0] ?? '')
    const all = [...aliases, ...avoided > 0 ? listOf(cells[avoided] ?? '') : []]
    return isTerm(term) ? [{ term, definition: plain(cells[1] ?? ''), aliases: all }] : []
  })
}

/**
 * @param body the Markdown of a glossary: list items or bold lines `Term (not: word, word): what it means`, or tables
 * @returns its terms; `aliases` are the words that they replace
 */
export const termsIn = (body: string): Term[] => {
  const terms: Term[] = []
  let table: string[] = []
  for (const line of [...body.split('\n'), '']) {
    if (line.trimStart().startsWith('|')) {
      table.push(line)
      continue
    }
    terms.push(...termsOfTable(table), ...termOfLine(line))
    table = []
  }
  return terms.slice(0, maxTerms)
}

/** @returns the terms of the attached glossaries */
export const standardTerms = (standards: readonly ResolvedStandard[]): Term[] =>
  standards.filter(({ kind }) => kind === 'glossary').flatMap(({ body_markdown: body }) => termsIn(body))

/** @returns the terms that apply to a spec: those of its standards, then its own that do not conflict with them */
export const glossaryOf = ({ glossary }: SpecDocument, terms: readonly Term[]): Term[] => {
  const known = new Set(terms.map(({ term }) => keyOf(term)))
  const own = glossary.filter(({ term }) => !known.has(keyOf(term)))
    .map((one) => ({ ...one, aliases: one.aliases.filter((alias) => !known.has(keyOf(alias))) }))
  return [...terms, ...own]
}
