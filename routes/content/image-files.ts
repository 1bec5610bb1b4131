import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findImage } from '../../db/content/placements.js'
import { isHeld } from '../../lib/http/requests.js'
import { documentHeaders } from '../../lib/security/requests.js'
import { visibleProjects } from '../../lib/access/require-access.js'
import { ImageHeaders, ImageParams, ImageSizeQuery, type ImageWidth } from '../../schemas/content/images.js'
import { NotFound, Overloaded } from '../../schemas/errors.js'
import { ImageStoreFailed } from './lib/errors.js'
import { bytesOf } from './lib/images/images.js'
import { resized } from './lib/images/resized-images.js'

const file = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(?:png|jpg|gif|webp)$/
const openQuery = 'browsers add parameters of their own, against caches'
/** An image whose text is taken back is gone from caches so soon. */
const publicSeconds = 300

/** @throws not_found, and the errors of authentication where no published text has the image */
const openImage = async (app: FastifyInstance, request: FastifyRequest, id: string | undefined) => {
  const home = await app.workspaces.workspaceOf(request)
  const known = id === undefined ? undefined : await findImage(app.db, home, id)
  if (known?.is_public) return known
  // Only a caller with credentials learns whether there is such an image, in their own workspace.
  await app.authenticate(request)
  const { principal } = request
  const found = id === undefined ? undefined : await findImage(app.db, principal.workspace_id, id)
  const visible = visibleProjects(principal)
  if (!found || (visible !== undefined && !visible.includes(found.project_id))) throw NotFound()
  return found
}

/** @returns the width to scale to; undefined = the image stays as it is */
const smaller = (wanted: ImageWidth | undefined, width: number): ImageWidth | undefined =>
  wanted !== undefined && wanted < width ? wanted : undefined

/** Readers of published texts have no credentials: their images are served without any. */
const imageFiles: FastifyPluginAsyncTypebox = async (app) => {
  const binary = { schema: { type: 'string', format: 'binary' } }
  app.get('/images/:image_id', {
    config: {
      access: { scope: 'content:read', role: 'viewer' },
      openQuery,
      errors: [NotFound, ImageStoreFailed, Overloaded]
    },
    schema: {
      operationId: 'getContentImage',
      summary: 'The bytes of an image of a text',
      description: 'Without credentials while a text that has it is published; else with `content:read`. With ' +
        '`width` it is scaled down to that width, with all its frames.',
      tags: ['content'],
      params: ImageParams,
      querystring: ImageSizeQuery,
      headers: ImageHeaders,
      response: {
        200: {
          description: 'The image',
          content: { 'image/png': binary, 'image/jpeg': binary, 'image/gif': binary, 'image/webp': binary }
        },
        304: { type: 'null', description: 'It is what the reader has, by If-None-Match' }
      }
    }
  }, async (request, reply) => {
    const [, id] = file.exec(request.params.image_id) ?? []
    const found = await openImage(app, request, id)
    const cacheControl = found.is_public ? `public, max-age=${publicSeconds}` : 'private, no-cache'
    const width = smaller(request.query.width, found.width)
    const etag = width === undefined ? `"${found.hash}"` : `"${found.hash}-${width}"`
    const caching = { etag, 'cache-control': cacheControl }
    if (isHeld(request.headers['if-none-match'] ?? '', etag)) return reply.headers(caching).code(304).send()
    const read = () => bytesOf(app, found)
    const bytes = width === undefined ? await read() : await resized(found, width, read)
    if (!bytes) throw NotFound()
    // An image runs nothing, and pages of other sites may show it.
    return reply.headers({ ...documentHeaders, ...caching, 'cross-origin-resource-policy': 'cross-origin' })
      .type(found.media_type).send(bytes)
  })
}

export default imageFiles
