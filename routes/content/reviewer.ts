import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ContentParams } from '../../schemas/content/contents.js'
import { AssignReviewer, ContentReviewer, ReviewerQuery } from '../../schemas/content/reviewers.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { ReviewerNotAllowed } from './lib/desk/comment.js'
import { assignReviewer, readReviewer } from './lib/desk/reviewer.js'
import { assignReviewerTool } from './lib/desk/desk-tools.js'
import { ContentArchived } from './lib/errors.js'
import { contentFields } from './lib/field-words.js'

const reviewer: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/:content_id/reviewer', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see who reviews an article or post, whether they may approve it, and who else could.',
        gives: 'the reviewer, and the people who could be asked.',
        keywords: 'reviewer who reviews approves asked candidates sign off article post content',
        fields: contentFields
      }
    },
    schema: {
      operationId: 'getContentReviewer',
      summary: 'Read who reviews a content record',
      description: 'Who was asked, whether they could approve the newest version now, and who else could be asked.',
      tags: ['content'],
      params: ContentParams,
      querystring: ReviewerQuery,
      response: { 200: ContentReviewer }
    }
  }, async ({ principal, params, query }, reply) => {
    const found = await readReviewer(app.db, principal.workspace_id, params.content_id, query.q)
    reply.header('etag', etag(found.revision))
    return found
  })

  app.put('/:content_id/reviewer', {
    config: {
      tool: assignReviewerTool,
      words: {
        foreign: false,
        use: 'Use this to ask a person to review an article or post, or to let nobody in particular review it.',
        gives: 'who reviews it now.',
        keywords: 'assign reviewer ask person to review approve hand over article post content give to editor',
        fields: contentFields
      },
      errors: [StaleRevision, ContentArchived, ReviewerNotAllowed]
    },
    schema: {
      operationId: 'assignContentReviewer',
      summary: 'Assign a reviewer',
      description: 'Asks a person who may approve to review the record. Their channels notify them: now, ' +
        'whenever it waits for review, and when another person approves it.',
      tags: ['content'],
      params: ContentParams,
      headers: IfMatch,
      body: AssignReviewer,
      response: { 200: ContentReviewer }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const found = await assignReviewer(app.db, principal, params.content_id, body.user_id, revisions)
    reply.header('etag', etag(found.revision))
    return found
  })
}

export default reviewer
