import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { publicOrigin } from '../../plugins/public-origin.js'
import { FeedHeaders, FeedParams } from '../../schemas/content/publications.js'
import { InsufficientScope, NotFound, TokenExpired, TokenRevoked, Unauthenticated } from '../../schemas/errors.js'
import { etagOf, isFresh } from './lib/publish/feed-freshness.js'
import { feedTarget, feedTypes, type FeedFormat } from './lib/publish/feed.js'

const text = { schema: { type: 'string' } }
const nameOfFeed = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(xml|atom|json)$/

/** Feed readers hold no credentials: a feed that the brand calls public is served to anybody. */
const feeds: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/feeds/:feed', {
    config: { errors: [NotFound, Unauthenticated, TokenExpired, TokenRevoked, InsufficientScope] },
    schema: {
      operationId: 'getFeed',
      summary: 'Read the feed of a project',
      description: 'What is live at the project\'s feed target, newest first, as RSS 2.0, Atom or JSON Feed. The id ' +
        'of an item never changes. Without credentials only if the target is public.',
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
    const [, projectId = '', format = 'xml'] = nameOfFeed.exec(request.params.feed) ?? []
    const place = { workspaceId: app.home.workspace_id, projectId }
    const found = projectId === '' ? undefined : await feedTarget(app.db, place)
    // Whether there is such a feed is told to those who may ask.
    if (found?.target.config.public !== true) await app.authenticate(request)
    if (projectId === '') throw NotFound()
    const { renderFeed } = await import('./lib/publish/render-feed.js')
    // The name of a feed ends in one of these three.
    const { text: shown, updated } = await renderFeed(app.db, place, format as FeedFormat, publicOrigin(app))
    const etag = etagOf(shown)
    reply.headers({ etag, 'last-modified': updated.toUTCString(), 'cache-control': 'max-age=60' })
    if (isFresh(request.headers, etag, updated)) return reply.code(304).send()
    return reply.type(feedTypes[format as FeedFormat]).send(shown)
  })
}

export default feeds
