import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ContentParams } from '../../schemas/content/contents.js'
import { ContentTranslation, SetTranslation } from '../../schemas/content/comparisons.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { TranslationCycle } from './lib/desk/comment.js'
import { readTranslation, setTranslation } from './lib/desk/translation.js'
import { ContentArchived } from './lib/errors.js'
import { textErrors } from './lib/text/read-text.js'

const translations: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/:content_id/translation', {
    config: { errors: textErrors },
    schema: {
      operationId: 'getContentTranslation',
      summary: 'Read what a content record translates',
      description: 'The source with the version that this text corresponds to, what changed there since, and the ' +
        'translations of this record. A source that only changed what readers do not see has not changed.',
      tags: ['content'],
      params: ContentParams,
      response: { 200: ContentTranslation }
    }
  }, async ({ principal, params }, reply) => {
    const found = await readTranslation(app.db, principal.workspace_id, params.content_id)
    reply.header('etag', etag(found.revision))
    return found
  })

  app.put('/:content_id/translation', {
    config: { errors: [StaleRevision, ContentArchived, TranslationCycle, ...textErrors] },
    schema: {
      operationId: 'setContentTranslation',
      summary: 'Say what a content record translates',
      description: 'Names the source and the version that this text corresponds to: the same source with its newest ' +
        'version marks the translation as up to date. A text cannot translate its own translation.',
      tags: ['content'],
      params: ContentParams,
      headers: IfMatch,
      body: SetTranslation,
      response: { 200: ContentTranslation }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const found = await setTranslation(app.db, principal, params.content_id, body, revisions)
    reply.header('etag', etag(found.revision))
    return found
  })
}

export default translations
