import { readImage, type ImageFacts } from 'steward-document-reader/media'
import { findSecrets } from '../../../../db/content/brands.js'
import type { PublicationRow } from '../../../../db/content/publications.js'
import type { StoredTarget } from '../../../../db/content/tables.js'
import { toWebLink } from '../../../../lib/http/addresses.js'
import { OutboundError } from '../../../../lib/outbound/errors.js'
import type { OutboundRequest } from '../../../../plugins/outbound.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { External } from '../../../../schemas/content/publications.js'
import { ApiError } from '../../../../schemas/errors.js'
import { secretContext } from '../brands/replace-brand.js'
import { ownImage } from '../images/images.js'
import { byStatus, type Outcome, type Deps } from './outcome.js'

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

const timeoutMs = 15_000
const maxAnswer = 5 * 1_048_576

export interface SiteAnswer { status: number, body: unknown }
export type CallSite = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object | Buffer,
  headers?: Record<string, string>) => Promise<SiteAnswer>

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @returns the secret that the target has now. @throws SiteRefused 401 when it has none */
export const secretOf = async (deps: Deps, workspaceId: string, { target_id: id }: StoredTarget): Promise<string> => {
  const [encrypted] = await findSecrets(deps.db, workspaceId, id)
  if (!encrypted) throw new SiteRefused(401)
  return deps.secrets.decrypt(secretContext(id), encrypted)
}

/** @param authorize makes new headers for every request: a token may be short-lived */
export const makeSiteClient = ({ outbound }: Deps, { config }: StoredTarget, authorize: () => Record<string, string>):
CallSite => async (method, path, body, more) => {
  const request: OutboundRequest = {
    url: `${(config.url ?? '').replace(/\/$/, '')}${path}`,
    method,
    timeoutMs,
    maxBytes: maxAnswer,
    // A redirect would send the credential to another host.
    maxRedirects: 0,
    headers: {
      accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...authorize(), ...more
    },
    ...(body && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) })
  }
  const { status, body: text } = await outbound.fetch(request)
  return { status, body: parse(text.toString()) }
}

/** @returns an answer's body. @throws SiteRefused for anything but a success */
export const requireAnswer = ({ status, body }: SiteAnswer): unknown => {
  if (status >= 200 && status < 300 && body !== undefined) return body
  throw new SiteRefused(status >= 200 && status < 300 ? 502 : status)
}

/** What a network takes with a post, and the longest text of an image in characters. */
export const imageLimits = {
  mastodon: { images: 4, bytes: 16_000_000, alt: 1_500 },
  bluesky: { images: 4, bytes: 2_000_000, alt: 10_000 }
} as const
export type ImageNetwork = keyof typeof imageLimits

const maxBytes = 16_000_000

export interface PostImage extends ImageFacts { body: Buffer, alt: string }

const fetchOne = async (deps: Deps, workspaceId: string, { url, alt }: Content['media'][number]):
Promise<PostImage> => {
  const own = await ownImage(deps, workspaceId, url)
  const { status, body } = own ? { status: 200, body: own } : await deps.outbound.fetch({ url, maxBytes })
  if (status !== 200) throw new SiteRefused(status, false, 'image_not_found')
  const image = readImage(body)
  if (!image) throw new SiteRefused(status, false, 'image_unreadable')
  return { ...image, body, alt }
}

/**
 * @returns the images of a record, which go with its first post
 * @throws SiteRefused image_not_found, image_unreadable, image_too_large, too_many_images; OutboundError
 */
export const imagesOfPost = async (deps: Deps, workspaceId: string, network: ImageNetwork, { media }: Content):
Promise<PostImage[]> => {
  const limits = imageLimits[network]
  if (media.length > limits.images) throw new SiteRefused(422, false, 'too_many_images')
  const images: PostImage[] = []
  for (const one of media) images.push(await fetchOne(deps, workspaceId, one))
  if (images.some(({ body }) => body.length > limits.bytes)) throw new SiteRefused(422, false, 'image_too_large')
  return images
}
