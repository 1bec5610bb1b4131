import { graphemes, postMarks, whyTooLong, withSearchTitle } from 'steward-prose-engine/text'
import type { Channel, ContentBody } from 'steward-prose-engine/schemas'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Db } from '../../../../db/index.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type {
  ContentRendering, ContentRenderings, RenderedPart, RenderingsQuery, RenderingProblem
} from '../../../../schemas/content/renderings.js'
import type { TargetKind } from '../../../../schemas/content/targets.js'
import { brandOf } from '../brands/read-brand.js'
import { invalid, ContentEmpty } from '../errors.js'
import { knownImages, strangeImages } from '../images/images.js'
import { toGhostText } from '../targets/ghost.js'
import { toMail } from '../targets/mail.js'
import { pathOf } from '../targets/open-pull.js'
import { imageLimits } from '../targets/site.js'
import { postsOf } from '../targets/outcome.js'
import { contentOf } from '../targets/send-webhook.js'
import { toWordpressText } from '../targets/wordpress.js'
import { readText } from '../text/read-text.js'
import { readContent } from '../texts/find-content.js'
import { addressOf, htmlOf } from '../texts/html-of.js'
import { describeTarget } from './describe-target.js'
import { fittingTargets } from './fitting-targets.js'

type Written = Pick<Content, 'id' | 'channel'> & ContentBody

const takesHtml: readonly TargetKind[] = ['feed', 'wordpress', 'ghost', 'mail']
const takesPosts: readonly TargetKind[] = ['mastodon', 'bluesky', 'linkedin']

const withoutTags = (html: string): string => {
  let text = ''
  let at = 0
  for (;;) {
    const open = html.indexOf('<', at)
    const close = open < 0 ? -1 : html.indexOf('>', open)
    if (close < 0) return text + html.slice(at)
    text += html.slice(at, open)
    at = close + 1
  }
}

/** @returns whether readers at a target of this kind would see anything; in HTML, raw HTML is left out */
export const isShown = async (kind: TargetKind, record: Written): Promise<boolean> => {
  const { channel, body_markdown, fields } = record
  if (takesPosts.includes(kind)) return postsOf(record).length > 0
  if ((await readText('textOf', channel, { body_markdown, fields })).trim() === '') return false
  if (!takesHtml.includes(kind)) return true
  const html = await htmlOf(record)
  return /<(?:img|input)\b/.test(html) || withoutTags(html).trim() !== ''
}

const whatToDo = (channel: Channel): string => channel === 'social'
  ? 'write its posts, fields.posts'
  : 'write body_markdown, as Markdown: raw HTML is shown by no feed or site'

/** @throws content_empty for a version that would be empty at one of the targets; text_too_complex, overloaded */
export const requireShown = async (targets: readonly { kind: TargetKind, name: string }[], number: number,
  record: Written): Promise<void> => {
  for (const { kind, name } of targets) {
    if (await isShown(kind, record)) continue
    const next = `${whatToDo(record.channel)}, have that version approved, and publish it`
    throw ContentEmpty(`Version ${number} has nothing that "${name}" (${kind}) could show: ${next}`)
  }
}

const plain = (name: string, text: string): RenderedPart => ({ name, media_type: 'text/plain', text })
const post = (kind: string, name: string, text: string): RenderedPart =>
  ({ ...plain(name, text), marks: postMarks(kind, text) })
const html = (text: string): RenderedPart => ({ name: 'html', media_type: 'text/html', text })

const renderFile = async (target: StoredTarget, content: Content): Promise<RenderedPart[]> => {
  // The writer of YAML loads when it is needed.
  const { fileOf } = await import('../targets/file-of.js')
  return [{ name: pathOf(target, content), media_type: 'text/markdown', text: fileOf(content) }]
}

/**
 * @param site the base of addresses without a host, where the text stands on a page that is not the brand's
 * @returns what the target gets of a version: the functions that deliver it make it
 * @throws text_too_complex, overloaded
 */
const renderTarget = async (target: StoredTarget, content: Content, site: string | undefined):
Promise<RenderedPart[]> => {
  switch (target.kind) {
    case 'git_pr': return renderFile(target, content)
    case 'feed': return [
      plain('title', content.title), plain('summary', content.summary),
      html(await htmlOf(content, target.config.site_url ?? site))
    ]
    case 'webhook': {
      const text = JSON.stringify(await contentOf(content, site), null, 2)
      return [{ name: 'content', media_type: 'application/json', text }, html(await htmlOf(content, site))]
    }
    case 'wordpress': {
      const { title, excerpt, content: text } = await toWordpressText(content)
      return [plain('title', title), plain('excerpt', excerpt), html(text)]
    }
    case 'ghost': {
      const { title, custom_excerpt: excerpt, html: text } = await toGhostText(content)
      return [plain('title', title), plain('excerpt', excerpt ?? ''), html(text)]
    }
    case 'mail': {
      const { subject, text, html: page } = await toMail(content, site)
      return [plain('subject', subject), plain('text', text), html(page)]
    }
    case 'linkedin': return [post(target.kind, 'text', postsOf(content).join('\n\n'))]
    case 'mastodon': case 'bluesky': return postsOf(content).map((text, index) => post(target.kind, `post ${index + 1}`, text))
  }
}

const unescape = (text: string): string =>
  text.replace(/&#x([0-9A-F]{1,6});/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Our own HTML has each attribute in double quotes, and no `<` or `>` outside of tags. */
const tagsOf = (html: string): string[] => [...html.matchAll(/<[a-z][^<>]*>/g)].map(([tag]) => tag)

const valueOf = (tag: string, name: string): string | undefined => {
  const start = tag.indexOf(` ${name}="`)
  if (start < 0) return undefined
  const from = start + name.length + 3
  return unescape(tag.slice(from, tag.indexOf('"', from)))
}

const decode = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/**
 * @param site where a page with this HTML stands; undefined = it has no address of its own, as in a mail
 * @returns links that lead nowhere from there, and images without a text
 */
const problemsOfHtml = ({ name: part, text }: RenderedPart, site: string | undefined): RenderingProblem[] => {
  const tags = tagsOf(text)
  const ids = new Set(tags.map((tag) => valueOf(tag, 'id')))
  const isDead = (address: string): boolean => address.startsWith('#')
    ? !ids.has(address.slice(1)) && !ids.has(decode(address.slice(1)))
    : !URL.canParse(address, site)
  return tags.flatMap((tag): RenderingProblem[] => {
    const address = valueOf(tag, 'href') ?? valueOf(tag, 'src')
    if (address === undefined) return []
    const isBlind = tag.startsWith('<img') && (valueOf(tag, 'alt') ?? '').trim() === ''
    return [
      ...(isDead(address) ? [{ code: 'dead_link' as const, part, address }] : []),
      ...(isBlind ? [{ code: 'missing_alt' as const, part, address }] : [])
    ]
  })
}

const part = 'images'

/** @returns the images that a target gets beside the text */
const imagesFor = ({ kind }: StoredTarget, { media }: Content): Content['media'] => {
  if (kind === 'wordpress') return media.slice(0, 1)
  return kind === 'mastodon' || kind === 'bluesky' || kind === 'linkedin' ? media : []
}

/** @param sizes bytes of our images by their ids */
const onNetwork = ({ kind }: StoredTarget, { media }: Content, sizeOf: (url: string) => number): RenderingProblem[] => {
  if (kind !== 'mastodon' && kind !== 'bluesky') return []
  const limits = imageLimits[kind]
  const ofEach = media.flatMap(({ url: address, alt }): RenderingProblem[] => [
    ...(alt.trim() === '' ? [{ code: 'missing_alt' as const, part, address }] : []),
    ...(graphemes(alt) > limits.alt ? [{ code: 'alt_too_long' as const, part, address }] : []),
    ...(sizeOf(address) > limits.bytes ? [{ code: 'image_too_large' as const, part, address }] : [])
  ])
  const many = media.length > limits.images ? [{ code: 'too_many_images' as const, part, address: '' }] : []
  return [...many, ...ofEach]
}

/**
 * @param origin where our images are
 * @returns what of a record's images would not work at a target; of foreign ones nothing is fetched before it publishes
 */
const findImageProblems = async (db: Db, workspaceId: string, target: StoredTarget, content: Content,
  origin: string): Promise<RenderingProblem[]> => {
  const known = await knownImages(db, workspaceId, content)
  const sizeOf = (url: string) => known.find(({ id }) => url.includes(id))?.size ?? 0
  const dead = strangeImages(content, known, origin)
    .map((address): RenderingProblem => ({ code: 'dead_link', part, address }))
  return [...dead, ...onNetwork(target, content, sizeOf)]
}

/** Where the HTML will stand: a post is on the target's own site, a feed and an event stand nowhere. */
const standsAt = ({ kind, config }: StoredTarget, content: Content): string | undefined =>
  kind === 'wordpress' || kind === 'ghost' ? addressOf(content, config.url) : undefined

const tooLong = (kind: StoredTarget['kind'], parts: RenderedPart[]): ContentRendering['problems'] => {
  if (kind !== 'mastodon' && kind !== 'bluesky' && kind !== 'linkedin') return []
  return parts.filter(({ text }) => whyTooLong(kind, text) !== undefined)
    .map(({ name: part }) => ({ code: 'too_long', part, address: '' }))
}

interface Shown { db: Db, workspaceId: string, content: Content, site: string | undefined, origin: string }

const problemsOf = async (target: StoredTarget, { db, workspaceId, content, origin }: Shown, parts: RenderedPart[]):
Promise<ContentRendering['problems']> => {
  const isEmpty = !await isShown(target.kind, content)
  return [
    ...(isEmpty ? [{ code: 'nothing_to_show' as const, part: parts.at(-1)?.name ?? '', address: '' }] : []),
    ...tooLong(target.kind, parts),
    ...await findImageProblems(db, workspaceId, target, content, origin),
    ...parts.filter(({ media_type: type }) => type === 'text/html')
      .flatMap((part) => problemsOfHtml(part, standsAt(target, content)))
  ]
}

/** @throws text_too_complex, overloaded */
const render = async (target: StoredTarget, shown: Shown): Promise<ContentRendering> => {
  const { content, site } = shown
  const parts = await renderTarget(target, content, site)
  return {
    target_id: target.target_id,
    target_name: target.name,
    kind: target.kind,
    destination: describeTarget(target),
    parts,
    images: imagesFor(target, content),
    problems: await problemsOf(target, shown, parts)
  }
}

/**
 * @param origin where browsers reach the workspace, and its images
 * @returns what each target of the brand would get of a version, approved or not
 * @throws not_found, invalid_request for a target that would not get it, text_too_complex, overloaded
 */
export const showRenderings = async (db: Db, workspaceId: string, origin: string, id: string,
  { version, target_id: only }: RenderingsQuery): Promise<ContentRenderings> => {
  const record = await readContent(db, workspaceId, id, version)
  const { settings } = await brandOf(db, workspaceId, record.project_id)
  const content = withSearchTitle(record, settings.seo)
  const all = fittingTargets(settings, record)
  const targets = only === undefined ? all : all.filter(({ target_id: one }) => one === only)
  if (only !== undefined && targets.length === 0) {
    throw invalid('/target_id', 'unknown', 'is no enabled target for this record')
  }
  const shown = { db, workspaceId, content, origin, site: settings.seo.canonical_base }
  const items = await Promise.all(targets.map((target) => render(target, shown)))
  return { version: record.version, items }
}
