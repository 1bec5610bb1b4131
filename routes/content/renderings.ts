import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ContentParams } from '../../schemas/content/contents.js'
import { ContentRenderings, RenderingsQuery } from '../../schemas/content/renderings.js'
import { contentFields } from './lib/field-words.js'
import { showRenderings } from './lib/publish/show-renderings.js'
import { textErrors } from './lib/text/read-text.js'

const renderings: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/:content_id/renderings', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to preview an article or post: how it will look at each target, before it is approved.',
        gives: 'the exact text that every target would get, with dead links and images without a text.',
        keywords: 'preview rendering look like appear before publishing html target links images alt article post',
        fields: contentFields
      },
      errors: textErrors
    },
    schema: {
      operationId: 'previewContent',
      summary: 'Preview content at its targets',
      description: 'What each target of the brand would get of a version, approved or not, made by the code that ' +
        'sends it, with what would not work there. Sends and stores nothing.',
      tags: ['content'],
      params: ContentParams,
      querystring: RenderingsQuery,
      response: { 200: ContentRenderings }
    }
  }, ({ principal: { workspace_id: home }, params, query }) =>
    showRenderings(app.db, home, app.workspaces.originOf(home), params.content_id, query))
}

export default renderings
