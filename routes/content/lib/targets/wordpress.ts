import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { escapeHtml, htmlOf } from '../texts/html-of.js'
import { featuredImage } from './featured-image.js'
import { makeSiteClient, requireAnswer, secretOf } from './site-client.js'
import type { Deps } from './deps.js'
import type { PostInput, Site, SitePost } from './site.js'
import { termsOf } from './wordpress-terms.js'

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
