import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import type { Passage } from '../markdown/prose.js'
import { decodeFragment, headingNames } from '../markdown/heading-names.js'
import { Grounds } from '../claims/judge-statement.js'
import { citingPassages, sourcesOf } from '../claims/statements.js'
import { keyOf } from '../text/word-key.js'
import { cited, unsupported } from './statements.js'
import { about, findTerm, found, lower, type Draft, type Finding, type Rule } from './rule.js'

/** What cites facts is judged by those alone. */
const uncitedIn = ({ all, tree }: Draft): Passage[] => {
  const citing = citingPassages(all, tree)
  return all.filter((passage) => !citing.has(passage))
}

/** What cites nothing may use the numbers, dates and quotations of all sources. */
const ungrounded: Rule = (draft) => {
  if (!draft.brief) return []
  const grounds = new Grounds(sourcesOf(draft.brief, draft.brand), '', draft.locale)
  return uncitedIn(draft).flatMap(({ field, kind, text, start }) => grounds.missing(text, kind === 'quote')
    .map((fault) => about(`CNT-FCT-${fault.kind}`, 'error', field, fault.message, text.slice(fault.start, fault.end),
      start + fault.start)))
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

export const factRules: Rule[] = [ungrounded, cited, unsupported, links, claims, copied, stale]
