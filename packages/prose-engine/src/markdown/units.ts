import slugify from '@sindresorhus/slugify'
import type { RootContent } from 'mdast'
import type { ContentBody } from '../schemas/text.js'
import { parseMarkdown } from './prose.js'
import { isOneOf, itemAt } from '../schemas/values.js'

/** A part of a record that is written, kept or suggested as a whole. */
export interface Unit { target: string, text: string }

interface Part extends Unit { start: number, end: number }

const startOf = (node: RootContent): number => node.position?.start.offset ?? 0
const endOf = (node: RootContent): number => node.position?.end.offset ?? 0

const isNote = ({ type }: RootContent): boolean => type === 'footnoteDefinition' || type === 'definition'

const headingOf = (markdown: string, node: RootContent): string =>
  markdown.slice(startOf(node), endOf(node)).replace(/^#+\s*/, '')

/** @returns the text before the first heading of level two, then one part for each; without notes at the end */
const partsOf = (markdown: string): Part[] => {
  const all = parseMarkdown(markdown).children
  const last = all.findLastIndex((node) => !isNote(node))
  const nodes = all.slice(0, last + 1)
  const heads = nodes.filter((node) => node.type === 'heading' && node.depth === 2)
  const bounds = [...heads.map(startOf), nodes.length > 0 ? endOf(itemAt(nodes, nodes.length - 1)) : 0]
  const seen = new Map<string, number>()
  const cut = (target: string, start: number, end: number): Part => {
    const text = markdown.slice(start, end).trimEnd()
    return { target, text, start, end: start + text.length }
  }
  const intro = cut('intro', 0, bounds[0] ?? 0)
  return [...(intro.text === '' ? [] : [intro]), ...heads.map((head, index) => {
    const slug = slugify(headingOf(markdown, head), { decamelize: false }).slice(0, 96) || 'section'
    const count = (seen.get(slug) ?? 0) + 1
    seen.set(slug, count)
    return cut(`section:${count === 1 ? slug : `${slug}-${count}`}`, startOf(head), bounds[index + 1] ?? 0)
  })]
}

const plainTargets = ['title', 'summary', 'subject', 'preheader', 'seo.title', 'seo.description'] as const
type PlainTarget = typeof plainTargets[number]

const plainText = ({ title, summary, fields, seo }: ContentBody, target: PlainTarget): string | undefined => ({
  title,
  summary,
  subject: fields.subject,
  preheader: fields.preheader,
  'seo.title': seo.title,
  'seo.description': seo.description
})[target]

const withPlain = (body: ContentBody, target: PlainTarget, text: string): ContentBody => {
  switch (target) {
    case 'title': case 'summary': return { ...body, [target]: text }
    case 'subject': case 'preheader': return { ...body, fields: { ...body.fields, [target]: text } }
    default: return { ...body, seo: { ...body.seo, [target.slice(4)]: text } }
  }
}

const isPlain = (target: string): target is PlainTarget => isOneOf(plainTargets, target)

const postOf = (target: string): number => Number(/^post:(\d+)$/.exec(target)?.[1] ?? 0) - 1

/** @returns the parts of a record that are not empty */
export const unitsOf = (body: ContentBody): Unit[] => [
  ...plainTargets.map((target) => ({ target, text: plainText(body, target) ?? '' })).filter(({ text }) => text !== ''),
  ...partsOf(body.body_markdown).map(({ target, text }) => ({ target, text })),
  ...(body.fields.posts ?? []).map(({ text }, index) => ({ target: `post:${index + 1}`, text }))
]

const withPart = (markdown: string, target: string, text: string): string => {
  const part = partsOf(markdown).find((one) => one.target === target)
  return part ? markdown.slice(0, part.start) + text.trim() + markdown.slice(part.end) : markdown
}

/** @returns the record with another text for a target; a record without this target stays as it is */
export const withUnit = (body: ContentBody, { target, text }: Unit): ContentBody => {
  if (isPlain(target)) return withPlain(body, target, text)
  if (target === 'body_markdown') return { ...body, body_markdown: text }
  const post = postOf(target)
  if (post < 0) return { ...body, body_markdown: withPart(body.body_markdown, target, text) }
  const posts = body.fields.posts?.map((one, index) => index === post ? { text } : one)
  return posts ? { ...body, fields: { ...body.fields, posts } } : body
}

/** @returns the target of the part in which a finding's field and offset lie */
export const targetAt = (body: ContentBody, field: string, offset: number): string | undefined => {
  if (field === 'body_markdown') {
    return partsOf(body.body_markdown).findLast(({ start }) => start <= offset)?.target
  }
  const post = /^fields\.posts\.(\d+)$/.exec(field)?.[1]
  const target = post === undefined ? field.replace(/^fields\./, '') : `post:${Number(post) + 1}`
  return post !== undefined || isPlain(target) ? target : undefined
}
