import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { paginateById } from '../../lib/http/paginate.js'
import { Content, ContentParams } from '../../schemas/content/contents.js'
import { ContentRepairPage, ListRepairs, RepairParams } from '../../schemas/content/comparisons.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { RepairOverwritten } from './lib/desk/comment.js'
import { listRepairsOf, undoRepair } from './lib/desk/undo-repair.js'
import { ContentArchived } from './lib/errors.js'
import { requireContent } from './lib/texts/find-content.js'
import { textErrors } from './lib/text/read-text.js'

const repairs: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/:content_id/repairs', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listContentRepairs',
      summary: 'List the automatic repairs of a content record',
      description: 'Newest first: what stood there, what was written instead, and the finding that it repaired.',
      tags: ['content'],
      params: ContentParams,
      querystring: ListRepairs,
      response: { 200: ContentRepairPage }
    }
  }, async ({ principal, params: { content_id: id }, query }) => {
    await requireContent(app.db, principal.workspace_id, id)
    return paginateById(app, { principal, list: 'content repairs', filter: id, query },
      (slice) => listRepairsOf(app.db, principal.workspace_id, id, slice))
  })

  app.post('/:content_id/repairs/:repair_id/undo', {
    config: { errors: [StaleRevision, ContentArchived, RepairOverwritten, ...textErrors] },
    schema: {
      operationId: 'undoContentRepair',
      summary: 'Take back one repair',
      description: 'Puts back what stood there, wherever it is by now, as a new draft version; the other repairs ' +
        'stay, and the finding is open again. Refused where the repaired words have changed since.',
      tags: ['content'],
      params: RepairParams,
      headers: IfMatch,
      response: { 200: Content }
    }
  }, async ({ principal, params, headers }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const content = await undoRepair(app.db, principal, params.content_id, params.repair_id, revisions)
    reply.header('etag', etag(content.revision))
    return content
  })
}

export default repairs
