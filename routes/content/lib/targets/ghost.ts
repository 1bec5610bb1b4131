import { createHmac } from 'node:crypto'
import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { htmlOf } from '../texts/html-of.js'
import {
  makeSiteClient, requireAnswer, secretOf, type SiteAnswer, SiteRefused, type PostInput, type Site, type SitePost
} from './site.js'
import type { Deps } from './outcome.js'

/** A post of the Admin API. */
interface Post { id: string, url: string | null, updated_at: string, status: string, codeinjection_head: string | null }

const toPost = ({ id, url, updated_at: revision, status, codeinjection_head: mark }: Post): SitePost =>
  ({ id, url, revision, isPublic: status === 'published', mark: mark ?? '' })

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const tokenSeconds = 300

/** @returns a token of five minutes, as the Admin API requires: HS256 by the key's secret, its id as kid */
const tokenOf = (key: string): string => {
  const [kid = '', secret = ''] = key.split(':')
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iat, exp: iat + tokenSeconds, aud: '/admin/' }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`
}

const maxExcerpt = 300

/** Ghost converts HTML to its own document, without ids; an HTML card it keeps as it is. */
const cardOf = (html: string): string =>
  html.includes('href="#') ? `<!--kg-card-begin: html-->\n${html}\n<!--kg-card-end: html-->` : html

/** @returns what readers of the site get. @throws text_too_complex, overloaded */
export const toGhostText = async (content: Content) => ({
  title: content.title,
  slug: content.slug,
  html: cardOf(await htmlOf(content)),
  custom_excerpt: content.summary.slice(0, maxExcerpt).toWellFormed() || null
})

const bodyOf = async ({ content, content: { seo }, mark }: PostInput): Promise<object> => ({
  ...await toGhostText(content),
  meta_title: seo.title ?? null,
  meta_description: seo.description ?? null,
  canonical_url: seo.canonical ?? null,
  codeinjection_head: `<!-- ${mark} -->`,
  status: 'published'
})

const posts = '/ghost/api/admin/posts'

/** The site refuses a change of a revision that is not the newest. */
const changed = (answer: SiteAnswer): unknown => {
  if (answer.status === 409) throw new SiteRefused(409, true)
  return requireAnswer(answer)
}

/** Ghost by its Admin API, with the key of a custom integration. */
export const openGhost = async (deps: Deps, workspaceId: string, target: StoredTarget): Promise<Site> => {
  const key = await secretOf(deps, workspaceId, target)
  const call = makeSiteClient(deps, target,
    () => ({ authorization: `Ghost ${tokenOf(key)}`, 'accept-version': 'v5.0' }))
  const one = (answer: unknown): SitePost => {
    // The API answers posts in a list, one for one.
    const [post] = (answer as { posts: Post[] }).posts
    if (!post) throw new SiteRefused(502)
    return toPost(post)
  }
  const readOne = async (path: string): Promise<SitePost | undefined> => {
    const answer = await call('GET', `${posts}/${path}/?formats=html`)
    return answer.status === 404 ? undefined : one(requireAnswer(answer))
  }
  return {
    read: (id) => readOne(encodeURIComponent(id)),
    async find (slug) {
      const found = await readOne(`slug/${encodeURIComponent(slug)}`)
      return found ? [found] : []
    },
    create: async (input) =>
      one(requireAnswer(await call('POST', `${posts}/?source=html`, { posts: [await bodyOf(input)] }))),
    async write ({ id, revision: updated_at }, input) {
      const post = input.isPublic ? await bodyOf(input) : { status: 'draft' }
      return one(changed(await call('PUT', `${posts}/${id}/?source=html`, { posts: [{ ...post, updated_at }] })))
    }
  }
}
