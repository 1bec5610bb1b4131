import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isHeld } from '../../lib/http/requests.js'
import { onShareOf } from '../../lib/processes/share.js'
import { FeedHeaders, FeedParams } from '../../schemas/content/publications.js'
import { NotFound, Overloaded } from '../../schemas/errors.js'
import { describeFeed, feedTarget, feedTypes } from './lib/feeds/feed.js'
import { isOneOf, keysOf } from '../../schemas/unknown.js'

const text = { schema: { type: 'string' } }
const nameOfFeed = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(xml|atom|json)$/

const openQuery = 'feed readers add parameters of their own, against caches'

/** @throws not_found, and the errors of authentication where the feed is not public */
const openFeed = async (app: FastifyInstance, request: FastifyRequest, projectId: string) => {
  const home = { workspaceId: await app.workspaces.workspaceOf(request), projectId }
  const known = projectId === '' ? undefined : await feedTarget(app.db, home)
  const isPublic = known?.target.config.public === true
  // Only a caller with credentials learns whether such a feed exists, in their own workspace.
  if (!isPublic) await app.authenticate(request)
  if (projectId === '') throw NotFound()
  const key = isPublic ? home : { ...home, workspaceId: request.principal.workspace_id }
  const found = isPublic ? known : await feedTarget(app.db, key)
  if (!found) throw NotFound()
  return { key, found, isPublic }
}

interface Conditions { 'if-none-match'?: string | undefined, 'if-modified-since'?: string | undefined }

/** @returns whether the reader has this already; times are to the second, as they cross the wire */
const isFresh = ({ 'if-none-match': tags, 'if-modified-since': since }: Conditions, etag: string,
  updated: Date): boolean => {
  if (tags !== undefined) return isHeld(tags, etag)
  return since !== undefined && Math.floor(updated.getTime() / 1000) * 1000 <= Date.parse(since)
}

/** Feed readers have no credentials: a public feed is served without any, other feeds need content:read. */
const feeds: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/feeds/:feed', {
    config: { access: { scope: 'content:read', role: 'viewer' }, openQuery, errors: [NotFound, Overloaded] },
    schema: {
      operationId: 'getFeed',
      summary: 'Read the feed of a project',
      description: 'What is live at the project\'s feed target, newest first, as RSS 2.0, Atom or JSON Feed. The id ' +
        'of an item never changes. Without credentials only if the target is public; else with ' +
        '`content:read`, in the project\'s workspace.',
      tags: ['content'],
      params: FeedParams,
      headers: FeedHeaders,
      response: {
        200: {
          description: 'The feed',
          content: { 'application/rss+xml': text, 'application/atom+xml': text, 'application/feed+json': text }
        },
        304: { type: 'null', description: 'It is what the reader has: by If-None-Match, else by If-Modified-Since' }
      }
    }
  }, async (request, reply) => {
    const [, projectId = '', ending] = nameOfFeed.exec(request.params.feed) ?? []
    const format = isOneOf(keysOf(feedTypes), ending) ? ending : 'xml'
    const { key, found, isPublic } = await openFeed(app, request, projectId)
    const described = await describeFeed(app.db, key, found, format, app.workspaces.originOf(key.workspaceId))
    const { etag, updated } = described
    const cacheControl = isPublic ? 'max-age=60' : 'private, max-age=60'
    reply.headers({ etag, 'last-modified': updated.toUTCString(), 'cache-control': cacheControl })
    if (isFresh(request.headers, etag, updated)) return reply.code(304).send()
    const { renderFeed } = await import('./lib/feeds/render-feed.js')
    const reader = isPublic ? undefined : request.principal.user_id
    const shown = await onShareOf(key.workspaceId, reader, () => renderFeed(app.db, described, format))
    return reply.type(feedTypes[format]).send(shown)
  })
}

export default feeds
