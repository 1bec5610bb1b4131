import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CompareQuery, ContentComparison } from '../../schemas/content/comparisons.js'
import { ContentParams } from '../../schemas/content/contents.js'
import { compareVersions } from './lib/desk/translation.js'
import { textErrors } from './lib/text/read-text.js'

const comparison: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/:content_id/comparison', {
    config: { errors: textErrors },
    schema: {
      operationId: 'compareContentVersions',
      summary: 'Compare two versions side by side',
      description: 'Line beside line, with the findings of both: which are new, which are gone, which stay.',
      tags: ['content'],
      params: ContentParams,
      querystring: CompareQuery,
      response: { 200: ContentComparison }
    }
  }, ({ principal, params, query }) => compareVersions(app.db, principal.workspace_id, params.content_id, query))
}

export default comparison
