import type { Link, Nodes, Root } from 'mdast'
import { SKIP, visit } from 'unist-util-visit'
import type { ContentBody } from '../schemas/text.js'
import type { ReportFinding } from '../schemas/reports.js'
import { parseMarkdown } from '../markdown/prose.js'
import { targetAt, withUnit } from '../markdown/units.js'
import { judge, ungroundedIn } from './judge.js'
import type { Measure } from './grounds.js'
import { refusedMark } from './refused-mark.js'

const maxShown = 20

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
  const found = ungroundedIn(judge(measure, body)).filter(({ rule_id: rule }) => rule === 'CNT-FCT-URL')
  if (found.length === 0) return { body, refused: [] }
  const urls = new Set(found.map(({ match }) => match))
  const posts = body.fields.posts?.map(({ text }) => ({ text: withoutUrls(text, urls) }))
  const fields = posts ? { ...body.fields, posts } : body.fields
  return { body: { ...body, fields, body_markdown: unlink(body.body_markdown, urls) }, refused: [...urls] }
}

/** @returns the smallest whole passage around an offset */
const passageAt = (tree: Root, offset: number): Nodes | undefined => {
  let found: Nodes | undefined
  visit(tree, (node) => {
    if (node.type !== 'paragraph' && node.type !== 'heading' && node.type !== 'table') return
    const { start, end } = spanOf(node)
    if (start <= offset && offset < end) found = node
  })
  return found
}

const markInBody = (markdown: string, findings: ReportFinding[]): string => {
  const tree = parseMarkdown(markdown)
  const edits = new Map<number, Edit>()
  for (const { start } of findings) {
    const node = passageAt(tree, start)
    if (!node) continue
    const span = spanOf(node)
    const mark = node.type === 'heading' ? `${'#'.repeat(node.depth)} ${refusedMark}` : refusedMark
    edits.set(span.start, { ...span, text: mark })
  }
  return applyEdits(markdown, [...edits.values()])
}

const inField = (target: string, title: string): string => {
  if (target === 'title' || target === 'subject') return title
  return target.startsWith('post:') ? refusedMark : ''
}

/**
 * Refuses what no source has: a passage with such a number or quotation becomes a mark.
 * @param title replaces a title that is refused
 */
export const markUngrounded = (measure: Measure, body: ContentBody, title: string):
{ body: ContentBody, refused: string[] } => {
  const found = ungroundedIn(judge(measure, body))
  const inText = found.filter(({ field }) => field === 'body_markdown')
  const markdown = inText.length > 0 ? markInBody(body.body_markdown, inText) : body.body_markdown
  const others = new Set(found.flatMap(({ field, start }) =>
    field === 'body_markdown' ? [] : targetAt(body, field, start) ?? []))
  const whole = [...others].reduce((kept, target) => withUnit(kept, { target, text: inField(target, title) }),
    { ...body, body_markdown: markdown })
  return { body: whole, refused: found.slice(0, maxShown).map(({ match }) => match) }
}
