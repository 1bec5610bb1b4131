import type { Paragraph, PhrasingContent, Root, RootContent } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import type { Channel } from '../schemas/channels.js'
import type { ContentBody } from '../schemas/text.js'

const writer = unified().use(remarkGfm).use(remarkStringify).freeze()

/** A mark at the end of an address belongs to the sentence. */
const address = /\bhttps?:\/\/[^\s<>"]*[^\s<>".,;:!?'’”)\]]/g

const withLinks = (line: string): PhrasingContent[] => {
  const parts: PhrasingContent[] = []
  let at = 0
  for (const { 0: url, index } of line.matchAll(address)) {
    parts.push({ type: 'text', value: line.slice(at, index) },
      { type: 'link', url, children: [{ type: 'text', value: url }] })
    at = index + url.length
  }
  return [...parts, { type: 'text', value: line.slice(at) }]
}

const paragraphOf = (text: string): Paragraph => ({
  type: 'paragraph',
  children: text.split('\n').flatMap((line, index): PhrasingContent[] =>
    [...(index === 0 ? [] : [{ type: 'break' as const }]), ...withLinks(line.trim())])
})

const isThere = (text: string): boolean => text.trim() !== ''

/** A post is plain text: Markdown syntax in it is escaped. */
const markdownOfPosts = (posts: readonly { text: string }[]): string => {
  const blocks = posts.map(({ text }) => text.trim().split(/\n\s*\n/).filter(isThere).map(paragraphOf))
  const children = blocks.flatMap((block, index): RootContent[] =>
    index === 0 ? block : [{ type: 'thematicBreak' }, ...block])
  const root: Root = { type: 'root', children }
  return writer.stringify(root)
}

export type Written = Pick<ContentBody, 'body_markdown' | 'fields'>

/** @returns the text for readers of a record, as Markdown: the posts of social content, else the body */
export const textOf = (channel: Channel, written: Written): string => {
  const { body_markdown: body, fields } = written
  const posts = (fields.posts ?? []).filter(({ text }) => isThere(text))
  return channel === 'social' && posts.length > 0 ? markdownOfPosts(posts) : body
}
