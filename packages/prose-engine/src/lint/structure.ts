import type { Heading, Root } from 'mdast'
import { visit } from 'unist-util-visit'
import { whyTooLong } from '../text/post-length.js'
import { networkLimits } from '../schemas/channels.js'
import { searchTitleOf } from '../text/search-title.js'
import { graphemes } from '../text/graphemes.js'
import { plainFields } from '../markdown/prose.js'
import { about, lower, type Finding, type Rule } from './rule.js'
import { keyOf } from '../text/word-key.js'

const placeholder = /\[\[WRITE[^\]]*(?:\]\])?|\b(?:TODO|TBD|FIXME)\b|\blorem ipsum\b/g

const placeholders: Rule = ({ body }) => [['body_markdown', body.body_markdown], ...plainFields(body)]
  .flatMap(([field = '', text = '']) => [...text.matchAll(placeholder)].map(({ 0: mark, index }) =>
    about('CNT-STR-PLACEHOLDER', 'error', field, 'Something is still to be written here', mark, index)))

const headingsOf = (tree: Root): Heading[] => tree.children.filter((node) => node.type === 'heading')

const headings: Rule = ({ tree }) => {
  const all = headingsOf(tree)
  const isEmpty = (heading: Heading) => {
    const next = tree.children[tree.children.indexOf(heading) + 1]
    return next === undefined || (next.type === 'heading' && next.depth <= heading.depth)
  }
  const say = (rule: string, heading: Heading, message: string) =>
    about(rule, 'warn', 'body_markdown', message, '#'.repeat(heading.depth), heading.position?.start.offset ?? 0)
  return [
    ...all.filter(isEmpty).map((heading) => say('CNT-STR-EMPTY-SECTION', heading, 'Nothing stands below this heading')),
    ...all.filter((heading, index) => index > 0 && heading.depth > (all[index - 1]?.depth ?? 6) + 1)
      .map((heading) => say('CNT-STR-HEADING-JUMP', heading, 'A level of headings is left out')),
    ...all.filter(({ depth }) => depth === 1).slice(1)
      .map((heading) => say('CNT-SEO-H1', heading, 'One heading of the first level'))
  ]
}

const duplicates: Rule = ({ all, body, isCopy, isSlugTaken, similar }) => {
  const seen = new Set<string>()
  const twice = all.filter(({ kind, text }) => {
    const key = kind === 'paragraph' ? keyOf(text) : ''
    if (key.length < 40) return false
    if (seen.has(key)) return true
    seen.add(key)
    return false
  })
  return [
    ...twice.map(({ text, start }) => about('CNT-STR-DUPLICATE-PARAGRAPH', 'warn', 'body_markdown',
      'The paragraph is there twice', text.trim(), start)),
    ...(isCopy
      ? [about('CNT-DUP-TEXT', 'error', 'body_markdown', 'Another record of the project has the same text')]
      : []),
    ...(isSlugTaken
      ? [{ ...about('CNT-DUP-SLUG', 'error', 'slug', 'Another record has this address', body.slug), end: 0 }]
      : []),
    ...similar.map(({ id, title, percent }) => ({
      ...about('CNT-DUP-SIMILAR', 'warn', 'body_markdown',
        `${percent} % the same as "${title}", which is published`, id),
      end: 0
    }))
  ]
}

const images: Rule = ({ tree, body }) => {
  const say = (field: string, url: string, start = 0) =>
    about('CNT-CHN-ALT', 'error', field, 'The image has no text for those who do not see it', url, start)
  const found: Finding[] = body.media.flatMap(({ alt, url }, index) =>
    alt.trim() === '' ? [say(`media.${index}`, url)] : [])
  visit(tree, 'image', ({ alt, url, position }) => {
    if (alt?.trim()) return
    found.push(say('body_markdown', url, position?.start.offset ?? 0))
  })
  return found
}

const social: Rule = ({ channel, network, body, brand }) => {
  if (channel !== 'social' || network === null) return []
  const settings = brand.channels.social[network]
  const limit = Math.min(settings.limit ?? Infinity, networkLimits[network])
  const posts = body.fields.posts ?? []
  const over = posts.flatMap(({ text }, index): Finding[] => {
    const why = whyTooLong(network, text, limit)
    const { max_hashtags: most } = settings
    const tags = text.match(/(?<![\p{L}\p{N}&])#[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
    return [
      ...(why === undefined ? [] : [about('CNT-CHN-LIMIT', 'error', `fields.posts.${index}`, why)]),
      ...(tags.length > most
        ? [about('CNT-CHN-HASHTAGS', 'warn', `fields.posts.${index}`, `${tags.length} hashtags; ${most} at most`)]
        : [])
    ]
  })
  const isNone = posts.every(({ text }) => text.trim() === '')
  const none = isNone ? [about('CNT-CHN-POSTS', 'error', 'fields.posts', 'There is no post')] : []
  const off = settings.enabled
    ? []
    : [about('CNT-CHN-NETWORK', 'error', 'fields.posts', `The brand does not post on ${network}`)]
  return [...none, ...off, ...over]
}

const noText = (): Finding => about('CNT-STR-EMPTY', 'error', 'body_markdown', 'There is no text')

const email: Rule = ({ channel, body, brand: { channels } }) => {
  if (channel !== 'email') return []
  const { fields } = body
  const tooLong = (field: 'subject' | 'preheader', most: number) => {
    const length = graphemes(fields[field] ?? '')
    const message = `${length} characters; ${most} at most`
    return length > most ? [about('CNT-CHN-LENGTH', 'warn', `fields.${field}`, message)] : []
  }
  return [
    ...(body.body_markdown.trim() === '' ? [noText()] : []),
    ...(fields.subject?.trim() ? [] : [about('CNT-CHN-SUBJECT', 'error', 'fields.subject', 'An e-mail has a subject')]),
    ...tooLong('subject', channels.email.subject_max), ...tooLong('preheader', channels.email.preheader_max)
  ]
}

const size: Rule = ({ channel, body, brand: { channels }, tree }) => {
  if (channel === 'social' || channel === 'email') return []
  const { min_words: least, max_words: most, h2_min: sections } = channels[channel]
  const words = body.body_markdown.split(/\s+/).filter(Boolean).length
  const h2 = headingsOf(tree).filter(({ depth }) => depth === 2).length
  const say = (rule: string, message: string) => [about(rule, 'warn', 'body_markdown', message)]
  return [
    ...(words < least ? say('CNT-CHN-WORDS', `${words} words; ${least} at least`) : []),
    ...(words > most ? say('CNT-CHN-WORDS', `${words} words; ${most} at most`) : []),
    ...(h2 < sections ? say('CNT-CHN-SECTIONS', `${h2} headings of the second level; ${sections} at least`) : []),
    ...(words === 0 ? [noText()] : [])
  ]
}

const search: Rule = ({ channel, body, brand: { seo } }) => {
  if (channel === 'social' || channel === 'email') return []
  const range = (field: 'title' | 'description', least: number, most: number) => {
    const text = field === 'title' ? searchTitleOf(body, seo) : body.seo[field]
    const length = text === undefined ? least : graphemes(text)
    return length < least || length > most
      ? [about('CNT-SEO-LENGTH', 'warn', `seo.${field}`, `${length} characters; ${least} to ${most}`)]
      : []
  }
  const text = lower(`${body.title} ${body.summary} ${body.body_markdown}`)
  const absent = body.seo.keywords.filter((keyword) => !text.includes(lower(keyword)))
  return [
    ...range('title', seo.title_min, seo.title_max), ...range('description', seo.description_min, seo.description_max),
    ...absent.map((keyword) => about('CNT-SEO-KEYWORD', 'suggestion', 'seo.keywords', `"${keyword}" stands nowhere`))
  ]
}

/** The canonical address is one of the brand's own site, or none. */
const canonical: Rule = ({ body, brand }) => {
  const { canonical: url } = body.seo
  const { canonical_base: base } = brand.seo
  if (url === undefined || base === undefined || url === base || url.startsWith(`${base.replace(/\/$/, '')}/`)) return []
  return [about('CNT-SEO-CANONICAL', 'error', 'seo.canonical', `The address is not below ${base}`, url)]
}

export const structureRules: Rule[] =
  [placeholders, headings, duplicates, images, social, email, size, search, canonical]
