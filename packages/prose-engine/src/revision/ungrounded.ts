import type { Link, Nodes } from 'mdast'
import { SKIP, visit } from 'unist-util-visit'
import type { ContentBody } from '../schemas/text.js'
import { parseMarkdown } from '../markdown/prose.js'
import { judge } from './judge.js'
import type { Measure } from './grounds.js'

interface Edit { start: number, end: number, text: string }

const spanOf = (node: Nodes) =>
  ({ start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 })

const applyEdits = (markdown: string, edits: Edit[]): string => edits.sort((one, other) => other.start - one.start)
  .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), markdown)

const labelOf = (markdown: string, node: Link): string => {
  const [first, last] = [node.children[0], node.children.at(-1)]
  if (!first || !last) return ''
  const label = markdown.slice(spanOf(first).start, spanOf(last).end)
  return label === node.url ? '' : label
}

/** Replaces forbidden links by their words, and images by their description. */
const unlink = (markdown: string, urls: ReadonlySet<string>): string => {
  const edits: Edit[] = []
  visit(parseMarkdown(markdown), (node) => {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return undefined
    if (!urls.has(node.url)) return undefined
    const text = node.type === 'link' ? labelOf(markdown, node) : node.type === 'image' ? node.alt ?? '' : ''
    edits.push({ ...spanOf(node), text })
    return SKIP
  })
  return applyEdits(markdown, edits)
}

const withoutUrls = (text: string, urls: ReadonlySet<string>): string =>
  [...urls].reduce((left, url) => left.replaceAll(url, ''), text).replace(/[ \t]{2,}/g, ' ').trim()

/** Removes the addresses that no source and no allowed host has. @returns the text, and the removed addresses */
export const removeUngroundedLinks = (measure: Measure, body: ContentBody):
{ body: ContentBody, refused: string[] } => {
  const found = judge(measure, body).findings.filter(({ rule_id: rule }) => rule === 'CNT-FCT-URL')
  if (found.length === 0) return { body, refused: [] }
  const urls = new Set(found.map(({ match }) => match))
  const posts = body.fields.posts?.map(({ text }) => ({ text: withoutUrls(text, urls) }))
  const fields = posts ? { ...body.fields, posts } : body.fields
  return { body: { ...body, fields, body_markdown: unlink(body.body_markdown, urls) }, refused: [...urls] }
}
