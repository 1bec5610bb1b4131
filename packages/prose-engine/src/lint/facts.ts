import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import type { BriefBody } from '../schemas/brief.js'
import type { Passage } from '../markdown/prose.js'
import type { BrandRules } from '../schemas/brand.js'
import { decodeFragment, headingNames } from '../markdown/heading-names.js'
import { citingPassages } from '../claims/statements.js'
import { keyOf } from '../text/word-key.js'
import { cited, unsupported } from './statements.js'
import { about, findTerm, found, lower, type Draft, type Finding, type Rule } from './rule.js'

const numerals = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven',
  'twelve', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety', 'hundred']
const values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 30, 40, 50, 60, 70, 80, 90, 100]

/** Digits, and spelled numbers before a unit: "one" alone is a pronoun as often as a number. */
const units = 'percent|per cent|million|billion|thousand|hundred|times|seconds|minutes|hours|days|weeks|months|years'
const numbers = new RegExp('(?<![\\p{L}\\p{N}_])([$€£¥]?)(\\d+(?:[.,]\\d+)*)\\s?(%|percent|per cent)?' +
  `|\\b(${numerals.join('|')})(?= (?:${units}))`, 'giu')

interface Figure { value: string, unit: string, index: number, text: string }

const plain = (digits: string): string => {
  const isGrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)
  const grouped = isGrouped ? digits.replaceAll(',', '') : digits.replace(/,(?=\d+$)/, '.')
  return /^\d+(?:\.\d+)?$/.test(grouped) ? String(Number(grouped)) : grouped
}

const figuresOf = (text: string): Figure[] => [...text.matchAll(numbers)].map((match) => {
  const [whole, currency = '', digits, percent, word] = match
  const value = digits === undefined ? String(values[numerals.indexOf((word ?? '').toLowerCase())]) : plain(digits)
  return { value, unit: currency || (percent ? '%' : ''), index: match.index, text: whole.trimEnd() }
})

/** @returns the texts of the brief and the brand that the text may use */
const sourcesOf = (brief: BriefBody, brand: BrandRules): string[] => [
  brief.title, brief.goal, brief.key_message, brief.audience ?? '', brief.cta?.text ?? '',
  ...brief.points.map(({ text }) => text),
  ...brief.facts.flatMap(({ text, source }) => [text, source.quote ?? '', source.dated ?? '']),
  ...brief.keywords, ...brief.must_include,
  brand.name, brand.description, brand.voice.summary, ...brand.claims.disclaimers.map(({ text }) => text),
  ...brand.terms.protected, ...brand.terms.required.map(({ term }) => term)
]

/** What cites facts is judged by those alone. */
const uncitedIn = ({ all, tree }: Draft): Passage[] => {
  const citing = citingPassages(all, tree)
  return all.filter((passage) => !citing.has(passage))
}

/** A number of the text is grounded if a source has it, with its unit where the text gives one. */
const isGrounded = ({ value, unit }: Figure, known: Figure[]): boolean =>
  known.some((one) => one.value === value && (unit === '' || one.unit === unit))

const figures: Rule = (draft) => {
  if (!draft.brief) return []
  const known = sourcesOf(draft.brief, draft.brand).flatMap(figuresOf)
  return uncitedIn(draft).flatMap(({ field, text, start }) => figuresOf(text).filter((figure) => !isGrounded(figure, known))
    .map((figure) => about('CNT-FCT-NUMBER', 'error', field, 'The number is in no source of the brief', figure.text,
      start + figure.index)))
}

const minQuotedWords = 4

const quotes: Rule = (draft) => {
  if (!draft.brief) return []
  const known = ` ${sourcesOf(draft.brief, draft.brand).map(keyOf).join(' | ')} `
  const isKnown = (quote: string) => known.includes(` ${keyOf(quote)} `)
  return uncitedIn(draft).flatMap(({ field, kind, text, start }) => {
    const quoted = kind === 'quote' ? [{ 0: text, 1: text, index: 0 }] : [...text.matchAll(/[“"„«]([^“”"„«»\n]+)[”"“»]/g)]
    return quoted.filter(({ 1: quote = '' }) => keyOf(quote).split(' ').length >= minQuotedWords && !isKnown(quote))
      .map(({ 0: quote, index }) => about('CNT-FCT-QUOTE', 'error', field, 'The quotation is in no source of the brief',
        quote, start + index))
  })
}

const hostOf = (url: string): string | undefined => URL.canParse(url) ? new URL(url).hostname : undefined

const knownUrls = ({ brief, body }: Draft): Set<string> => new Set([
  ...(brief?.facts.map(({ source }) => source.ref) ?? []), brief?.cta?.url ?? '', ...body.media.map(({ url }) => url),
  body.seo.canonical ?? ''
])

interface Address { url: string, field: string, start: number }

const addressesOf = ({ tree, body, all }: Draft): Address[] => {
  const found: Address[] = []
  visit(tree, (node) => {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return
    found.push({ url: node.url, field: 'body_markdown', start: node.position?.start.offset ?? 0 })
  })
  for (const { field } of all.filter(({ kind }) => kind === 'field')) {
    const [, post = ''] = /^fields\.posts\.(\d+)$/.exec(field) ?? []
    const text = post === '' ? '' : body.fields.posts?.[Number(post)]?.text ?? ''
    const urls = text.matchAll(/\bhttps?:\/\/[^\s)>\]]+/g)
    found.push(...[...urls].map(({ 0: url, index }) => ({ url, field, start: index })))
  }
  return found
}

const lost = (field: string, url: string, start: number): Finding =>
  about('CNT-STR-LINK', 'warn', field, 'The link leads nowhere', url, start)

/** @returns the link targets within a text: its headings */
const namesIn = (tree: Root): Set<string> => {
  const texts: string[] = []
  visit(tree, 'heading', (heading) => {
    let text = ''
    visit(heading, (node) => { if (node.type === 'text' || node.type === 'inlineCode') text += node.value })
    texts.push(text)
  })
  return new Set(headingNames(texts))
}

/** Links may lead to the brief's sources, to hosts that the brand allows, and anywhere within the site. */
const links: Rule = (draft) => {
  const names = namesIn(draft.tree)
  const known = knownUrls(draft)
  const hosts = new Set([...draft.brand.allowed_link_hosts, hostOf(draft.brand.seo.canonical_base ?? '') ?? ''])
  const isAllowed = (url: string) => known.has(url) || hosts.has(hostOf(url) ?? '-')
  const checked = draft.brief !== null || draft.brand.allowed_link_hosts.length > 0
  return addressesOf(draft).flatMap(({ url, field, start }): Finding[] => {
    if (/^(?:\/(?!\/)|mailto:)/.test(url)) return []
    if (url.startsWith('#')) return names.has(decodeFragment(url.slice(1))) ? [] : [lost(field, url, start)]
    if (!/^https?:\/\//.test(url) || hostOf(url) === undefined) {
      return [lost(field, url, start)]
    }
    if (!checked || isAllowed(url)) return []
    return [about('CNT-FCT-URL', 'error', field, 'Neither an address of the brief nor an allowed host', url, start)]
  })
}

const claims: Rule = (draft) => {
  const lowered = lower(draft.prose.text)
  const { forbidden, disclaimers } = draft.brand.claims
  const whole = ` ${draft.all.map(({ text }) => keyOf(text)).join(' ')} `
  return [
    ...forbidden.flatMap((claim) => findTerm(lowered, lower(claim)).map(([start, end]) =>
      found(draft, 'CNT-FCT-CLAIM', 'error', start, end, 'The brand may not claim this'))),
    ...disclaimers
      .filter(({ required_on: on, text }) => on.includes(draft.channel) && !whole.includes(` ${keyOf(text)} `))
      .map(({ key }) => about('CNT-FCT-DISCLAIMER', 'error', 'body_markdown', `The disclaimer "${key}" is missing`))
  ]
}

const runWords = 12

/** Finds long passages copied from a source without quotation marks. */
const copied: Rule = (draft) => {
  const runs = new Set((draft.brief?.facts ?? []).flatMap(({ source }) => {
    const words = keyOf(source.quote ?? '').split(' ')
    return words.slice(runWords - 1).map((_, index) => words.slice(index, index + runWords).join(' '))
  }))
  if (runs.size === 0) return []
  return draft.all.filter(({ kind }) => kind === 'paragraph' || kind === 'item').filter(({ text }) => {
    const words = keyOf(text.replace(/[“"„«][^“”"„«»\n]+[”"“»]/g, ' ')).split(' ')
    return words.some((_, index) => runs.has(words.slice(index, index + runWords).join(' ')))
  }).map(({ field, text, start }) =>
    about('CNT-DUP-COPIED', 'warn', field, 'Copied from a source without quotation marks', text.trim(), start))
}

const maxAgeDays = 365
const dayMs = 86_400_000

/** Checks the sources of the cited facts, or of all facts where none is cited. A source without a date is not old. */
const stale: Rule = ({ brief, body, today }) => {
  if (today === null) return []
  const cited = new Set(body.citations.map(({ fact_id: id }) => id))
  const facts = (brief?.facts ?? []).filter(({ id }) => cited.size === 0 || cited.has(id))
  return facts.filter(({ source: { dated } }) =>
    dated !== undefined && Date.parse(today) - Date.parse(dated) > maxAgeDays * dayMs)
    .map(({ id, source: { dated } }) => about('CNT-FCT-STALE', 'warn', 'body_markdown',
      `The source of fact "${id}" is of ${dated}, more than ${maxAgeDays} days ago`))
}

export const factRules: Rule[] = [figures, quotes, cited, unsupported, links, claims, copied, stale]
