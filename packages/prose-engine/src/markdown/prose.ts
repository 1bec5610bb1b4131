import type { Nodes, Parent, Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { ContentBody } from '../schemas/text.js'

export type PassageKind = 'heading' | 'paragraph' | 'item' | 'cell' | 'quote' | 'field'

/** A piece of prose: `text` is as long as its source, with blanks for markup, code and addresses. */
export interface Passage { field: string, kind: PassageKind, text: string, start: number, depth: number }

const parser = unified().use(remarkParse).use(remarkGfm)

/** Levels of a tree: far more than people write, and few enough for recursive functions. */
const maxDepth = 100

/** @throws RangeError, as a reader whose stack is exhausted does */
export const requireShallow = (root: Parent): void => {
  let level: Parent[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new RangeError(`More than ${maxDepth} levels`)
    level = level.flatMap(({ children }) => children.filter((child) => 'children' in child))
  }
}

/** @throws RangeError when it is nested too deeply */
export const parseMarkdown = (markdown: string): Root => {
  const root = parser.parse(markdown)
  requireShallow(root)
  return root
}

interface Span { start: number, end: number }

const spanOf = (node: Nodes): Span =>
  ({ start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 })

const childrenOf = (node: Nodes): Nodes[] => 'children' in node ? node.children as Nodes[] : []

const textSpans = (node: Nodes): Span[] => node.type === 'text' ? [spanOf(node)] : childrenOf(node).flatMap(textSpans)

/** @returns the source between two offsets, blank outside the given spans and without the line marks of quotes */
const keep = (source: string, { start, end }: Span, spans: Span[]): string => {
  const parts: string[] = []
  let at = start
  for (const span of spans) {
    parts.push(' '.repeat(span.start - at),
      source.slice(span.start, span.end).replace(/\n[ >]*/g, (mark) => ' '.repeat(mark.length)))
    at = span.end
  }
  return parts.join('') + ' '.repeat(Math.max(0, end - at))
}

/** Neither an address nor a mark of what is still to be written is prose. */
const withoutUrls = (text: string): string =>
  text.replace(/\bhttps?:\/\/\S+|\[\[WRITE[^\]]*(?:\]\])?/g, (url) => url.replace(/[^\n]/g, ' '))

const kinds: Partial<Record<Nodes['type'], PassageKind>> =
  { heading: 'heading', paragraph: 'paragraph', tableCell: 'cell' }

const passagesIn = (node: Nodes, source: string, inside: 'quote' | 'item' | undefined, found: Passage[]): void => {
  const kind = kinds[node.type]
  if (kind !== undefined) {
    const span = spanOf(node)
    // The text of a bare address is the address, not prose.
    const text = withoutUrls(keep(source, span, textSpans(node)))
    const depth = node.type === 'heading' ? node.depth : 0
    const shown = inside === 'quote' ? 'quote' : kind === 'paragraph' && inside === 'item' ? 'item' : kind
    found.push({ field: 'body_markdown', kind: shown, text, start: span.start, depth })
    return
  }
  const next = node.type === 'blockquote' ? 'quote' : node.type === 'listItem' && inside !== 'quote' ? 'item' : inside
  for (const child of childrenOf(node)) passagesIn(child, source, next, found)
}

/** @returns the texts beside the body, by their path in the record */
export const plainFields = ({ title, summary, seo, fields }: ContentBody): [string, string][] => {
  const all: [string, string | undefined][] = [
    ['title', title], ['summary', summary], ['seo.title', seo.title], ['seo.description', seo.description],
    ['fields.subject', fields.subject], ['fields.preheader', fields.preheader],
    ...(fields.posts ?? []).map(({ text }, index): [string, string] => [`fields.posts.${index}`, text])
  ]
  return all.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
}

export interface Position { field: string, start: number, end: number }

/** All prose of a record as one text, so that every rule reads it once; `locate` maps offsets back to the record. */
export class Prose {
  readonly text: string
  readonly #starts: number[] = []

  constructor (readonly passages: Passage[]) {
    let at = 0
    for (const { text } of passages) {
      this.#starts.push(at)
      at += text.length + 2
    }
    this.text = passages.map(({ text }) => text).join('\n\n')
  }

  /** @returns the passage in which an offset of the text lies, and where that begins */
  at (offset: number): { passage: Passage, from: number } | undefined {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const passage = this.passages[low]
    return passage && { passage, from: this.#starts[low] ?? 0 }
  }

  locate (start: number, end: number): Position {
    const found = this.at(start)
    if (!found) return { field: 'body_markdown', start: 0, end: 0 }
    const { passage, from } = found
    const first = passage.start + start - from
    const last = Math.min(first + end - start, passage.start + passage.text.length)
    return { field: passage.field, start: first, end: last }
  }
}

export interface Read { tree: Root, all: Passage[] }

/** @returns the passages of a record, without code, addresses and markup, and the syntax tree of its body */
export const readBody = (body: ContentBody): Read => {
  const tree = parseMarkdown(body.body_markdown)
  const all: Passage[] = plainFields(body).map(([field, text]) =>
    ({ field, kind: 'field', text: withoutUrls(text), start: 0, depth: 0 }))
  passagesIn(tree, body.body_markdown, undefined, all)
  return { tree, all }
}
