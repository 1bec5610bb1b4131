import type { PublicationRow } from '../../../../db/content/publications.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import { toWebLink } from '../../../../lib/http/web-link.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { External } from '../../../../schemas/content/publications.js'
import { ApiError } from '../../../../schemas/errors.js'
import { byStatus, type Outcome } from './outcome.js'

/** A post at a site. */
export interface SitePost {
  id: string
  url: string | null
  /** Changes with every change there. */
  revision: string
  isPublic: boolean
  /** The text that has our mark, if the post is ours. */
  mark: string
}

export interface PostInput { isPublic: true, content: Content, mark: string }

/** A site that keeps posts, in its own protocol. Each call may throw SiteRefused or OutboundError. */
export interface Site {
  /** Whether posts are made as drafts: an editor publishes them there. */
  makesDrafts?: boolean
  read: (id: string) => Promise<SitePost | undefined>
  /** @returns posts whose address ends in this slug */
  find: (slug: string) => Promise<SitePost[]>
  create: (input: PostInput) => Promise<SitePost>
  /** Changes a post, from the revision that was read. */
  write: (post: SitePost, input: PostInput | { isPublic: false }) => Promise<SitePost>
}

/** A site answered with an error. */
export class SiteRefused extends Error {
  constructor (readonly status: number, readonly isCollision = false, readonly code?: string) {
    super(`answered_${status}`)
  }
}

/** The mark in a post names its record and publication: so a post whose outcome is unknown can be found. */
const markOf = ({ content_id: content, id }: PublicationRow): string => `steward:${content}:${id}`
const ownMark = ({ content_id: content }: PublicationRow): string => `steward:${content}:`

const externalOf = ({ id, url, revision }: SitePost): External =>
  ({ id, url: toWebLink(url), pr_number: null, revision })

const done = (post: SitePost): Outcome =>
  ({ state: 'succeeded', error: null, http_status: 200, external: externalOf(post) })

const drifted: Outcome = { state: 'failed', error: 'target_drift', http_status: null }

const unpublishPost = async (site: Site, external: External | null): Promise<Outcome> => {
  const post = external?.id ? await site.read(external.id) : undefined
  if (!post) return { state: 'succeeded', error: null, http_status: 404 }
  return done(post.isPublic ? await site.write(post, { isPublic: false }) : post)
}

/** @returns the earlier post, or the one of an attempt whose answer was lost */
const findPost = async (site: Site, row: PublicationRow, content: Content, external: External | null):
Promise<SitePost | undefined> => {
  const known = external?.id ? await site.read(external.id) : undefined
  return known ?? (await site.find(content.slug)).find(({ mark }) => mark.includes(ownMark(row)))
}

const publishPost = async (site: Site, row: PublicationRow, content: Content, external: External | null):
Promise<Outcome> => {
  const post = await findPost(site, row, content, external)
  const input = { isPublic: true as const, content, mark: markOf(row) }
  if (!post) return done(await site.create(input))
  // An earlier attempt was sent, and only its answer was lost.
  if ((post.isPublic || site.makesDrafts) && post.mark.includes(markOf(row))) return done(post)
  const last = external?.revision ?? undefined
  if (last !== undefined && post.revision !== last && !row.overwrite) return drifted
  return done(await site.write(post, input))
}

/** @returns how an attempt ended that threw. @throws what is no error of a site */
export const toFailure = (error: unknown): Outcome => {
  if (error instanceof SiteRefused && error.code !== undefined) {
    return { state: 'failed', error: error.code, http_status: error.status }
  }
  if (error instanceof SiteRefused) return error.isCollision ? drifted : byStatus(error.status)
  // The text was not rendered, so nothing was sent.
  if (error instanceof ApiError) {
    return { state: error.statusCode < 500 ? 'failed' : 'retrying', error: error.code, http_status: null }
  }
  if (!(error instanceof OutboundError)) throw error
  if (error.code === 'url_not_allowed') return { state: 'failed', error: 'target_not_allowed', http_status: null }
  // The request may have arrived: the next attempt reads before it writes.
  return { state: 'unknown', error: error.code, http_status: null }
}

/**
 * Makes the post, changes it, or takes it back. It reads before it writes: so it finds an attempt whose outcome is
 * unknown, and does not overwrite a change that was made at the site.
 * @param external the record's post when it was last live at the site
 */
export const deliverToSite = async (open: () => Promise<Site>, row: PublicationRow, content: Content,
  external: External | null): Promise<Outcome> => {
  try {
    const site = await open()
    return row.action === 'unpublish'
      ? await unpublishPost(site, external)
      : await publishPost(site, row, content, external)
  } catch (error) {
    return toFailure(error)
  }
}
