import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { listImages } from '../../db/content/placements.js'
import { visibleProjects } from '../../lib/access/require-access.js'
import { paginateById } from '../../lib/http/paginate.js'
import {
  AddImage, ContentImage, ContentImagePage, ImageIdParams, ListImages, maxImageBody
} from '../../schemas/content/images.js'
import { InvalidCursor, NotFound, Overloaded } from '../../schemas/errors.js'
import { ImageInUse, ImagesFull, ImageStoreFailed, ImageTooLarge, ImageUnreadable } from './lib/errors.js'
import { addImage, describeImage, removeImage } from './lib/images/images.js'

const images: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/images', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see which images there are for texts, or to find the address of one.',
        gives: 'the images, newest first, with type, size and whether strangers see them.',
        keywords: 'images pictures photos media library uploaded texts'
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listContentImages',
      summary: 'List the images for texts',
      description: 'Of all projects or of one, newest first.',
      tags: ['content'],
      querystring: ListImages,
      response: { 200: ContentImagePage }
    }
  }, async ({ principal, query }) => {
    const { limit, cursor, ...filter } = query
    const origin = app.workspaces.originOf(principal.workspace_id)
    const { items, next_cursor } = await paginateById(app, { principal, list: 'content images', filter, query },
      (slice) => listImages(app.db, principal.workspace_id, { ...filter, projects: visibleProjects(principal) }, slice))
    return { items: items.map((row) => describeImage(row, origin)), next_cursor }
  })

  app.post('/images', {
    bodyLimit: maxImageBody,
    config: { errors: [NotFound, ImageUnreadable, ImageTooLarge, ImagesFull, ImageStoreFailed, Overloaded] },
    schema: {
      operationId: 'addContentImage',
      summary: 'Add an image for texts',
      description: 'Its content decides what it is, not its name; its size is read from it, and what a camera wrote ' +
        'into it, such as the place, is not stored. The same bytes in a project are one image.' +
        ' Put its url into a text, or into the media of a record, with a text for those who do ' +
        'not see it: without one the record is not approved.',
      tags: ['content'],
      body: AddImage,
      response: { 201: ContentImage }
    }
  }, async ({ principal, body }, reply) => {
    const made = await addImage(app, principal, body, app.workspaces.originOf(principal.workspace_id))
    return reply.code(201).header('location', made.url).send(made)
  })

  app.delete('/images/:image_id', {
    config: { errors: [NotFound, ImageInUse, ImageStoreFailed] },
    schema: {
      operationId: 'deleteContentImage',
      summary: 'Delete an image',
      description: 'Refused while a version of a record has its address (409 `image_in_use`, with the versions): ' +
        'versions never change, and may be shown again.',
      tags: ['content'],
      params: ImageIdParams,
      response: { 204: Type.Null({ description: 'It is gone' }) }
    }
  }, async ({ principal, params }, reply) => {
    await removeImage(app, principal.workspace_id, params.image_id)
    return reply.code(204).send(null)
  })
}

export default images
