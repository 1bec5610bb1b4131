import { createHash } from 'node:crypto'
import { readImage } from 'steward-document-reader/media'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { ownImage } from '../images/images.js'
import { escapeHtml, htmlOf } from '../texts/html-of.js'
import type { Deps } from './outcome.js'
import {
  makeSiteClient, requireAnswer, secretOf, type CallSite, type PostInput, type Site, type SitePost, SiteRefused
} from './site.js'

interface Media { id: number, slug: string }

const media = '/wp-json/wp/v2/media'
const maxBytes = 10 * 1_048_576

/** @throws SiteRefused image_unreadable, image_not_found; OutboundError */
const fetchImage = async (deps: Deps, workspaceId: string, url: string) => {
  const own = await ownImage(deps, workspaceId, url)
  const { status, body } = own ? { status: 200, body: own } : await deps.outbound.fetch({ url, maxBytes })
  if (status !== 200) throw new SiteRefused(status, false, 'image_not_found')
  const image = readImage(body)
  if (!image) throw new SiteRefused(status, false, 'image_unreadable')
  return { ...image, body }
}

/**
 * Puts the first image of a record into the site's library, once: its name there is the hash of its bytes.
 * @returns the field of the post; nothing where the record has no image
 * @throws SiteRefused, OutboundError
 */
export const featuredImage = async (deps: Deps, workspaceId: string, call: CallSite,
  { media: [first] }: Content): Promise<{ featured_media?: number }> => {
  if (!first) return {}
  const { mediaType, extension, body } = await fetchImage(deps, workspaceId, first.url)
  const slug = `steward-${createHash('sha256').update(body).digest('hex').slice(0, 24)}`
  const [known] = requireAnswer(await call('GET', `${media}?${new URLSearchParams({ slug })}`)) as Media[]
  if (known) return { featured_media: known.id }
  const query = new URLSearchParams({ slug, alt_text: first.alt, title: first.alt })
  const answer = await call('POST', `${media}?${query}`, body, {
    'content-type': mediaType, 'content-disposition': `attachment; filename="${slug}.${extension}"`
  })
  return { featured_media: (requireAnswer(answer) as Media).id }
}

/** A category or a user, as far as we read them. */
interface Named { id: number, slug: string }

const api = '/wp-json/wp/v2'

/** @throws SiteRefused with the code, where the site has none with one of the slugs */
const idsOf = async (call: CallSite, path: 'categories' | 'users', slugs: readonly string[], code: string):
Promise<number[]> => {
  const query = new URLSearchParams({ slug: slugs.join(','), per_page: '100' })
  // The API answers a list; requireAnswer has refused errors.
  const found = requireAnswer(await call('GET', `${api}/${path}?${query}`)) as Named[]
  return slugs.map((slug) => {
    const id = found.find((one) => one.slug === slug)?.id
    if (id === undefined) throw new SiteRefused(404, false, code)
    return id
  })
}

/**
 * @returns the author and the categories of a post, by their ids at the site
 * @throws SiteRefused, OutboundError
 */
export const termsOf = async (call: CallSite, { config: { categories = [], author } }: StoredTarget):
Promise<{ categories?: number[], author?: number }> => {
  const [by] = author === undefined ? [] : await idsOf(call, 'users', [author], 'author_not_found')
  const ids = categories.length === 0 ? [] : await idsOf(call, 'categories', categories, 'category_not_found')
  return { ...(ids.length > 0 && { categories: ids }), ...(by !== undefined && { author: by }) }
}

/** A post of the REST API, with context=edit. */
interface Post { id: number, link: string | null, modified_gmt: string, status: string, content: { raw: string } }

const toPost = ({ id, link, modified_gmt: revision, status, content }: Post): SitePost =>
  ({ id: String(id), url: link, revision, isPublic: status === 'publish', mark: content.raw })

/** WordPress takes titles and excerpts for HTML. @returns what readers get. @throws text_too_complex, overloaded */
export const toWordpressText = async (content: Content) => ({
  title: escapeHtml(content.title),
  slug: content.slug,
  excerpt: escapeHtml(content.summary),
  content: await htmlOf(content)
})

/** The mark is an HTML comment: every editor of the site keeps it, and readers do not see it. */
const bodyOf = async ({ content, mark }: PostInput): Promise<object> => {
  const text = await toWordpressText(content)
  return { ...text, content: `${text.content}\n<!-- ${mark} -->` }
}

const posts = '/wp-json/wp/v2/posts'

/** WordPress by its REST API, with an application password. */
export const openWordpress = async (deps: Deps, workspaceId: string, target: StoredTarget): Promise<Site> => {
  const password = await secretOf(deps, workspaceId, target)
  const basic = Buffer.from(`${target.config.username ?? ''}:${password}`).toString('base64')
  const call = makeSiteClient(deps, target, () => ({ authorization: `Basic ${basic}` }))
  // The API answers a post, or a list of them; requireAnswer has refused errors.
  const one = (answer: unknown) => toPost(answer as Post)
  const isDraft = target.config.draft === true
  const fieldsOf = async (input: PostInput) => ({
    ...await bodyOf(input),
    ...await termsOf(call, target),
    ...await featuredImage(deps, workspaceId, call, input.content)
  })
  return {
    makesDrafts: isDraft,
    async read (id) {
      const answer = await call('GET', `${posts}/${encodeURIComponent(id)}?context=edit`)
      return answer.status === 404 ? undefined : one(requireAnswer(answer))
    },
    async find (slug) {
      const query = new URLSearchParams({ slug, status: 'publish,draft,pending,future,private', context: 'edit' })
      return (requireAnswer(await call('GET', `${posts}?${query}`)) as Post[]).map(toPost)
    },
    create: async (input) => one(requireAnswer(await call('POST', posts,
      { ...await fieldsOf(input), status: isDraft ? 'draft' : 'publish' }))),
    async write ({ id }, input) {
      // Where the site's editors publish, what they have published stays public.
      const status = isDraft ? {} : { status: 'publish' }
      const post = input.isPublic ? { ...await fieldsOf(input), ...status } : { status: 'draft' }
      return one(requireAnswer(await call('POST', `${posts}/${id}`, post)))
    }
  }
}
