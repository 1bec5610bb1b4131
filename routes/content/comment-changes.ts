import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CommentParams, ContentThread, ReplyToComment } from '../../schemas/content/comments.js'
import { NotOwner } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { edit, remove } from './lib/desk/comment.js'
import { ContentArchived } from './lib/errors.js'

/** Who may comment may take it back. */
const access = { scope: 'content:write', role: 'operator' as const }
const errors = [ContentArchived, NotOwner, StaleRevision]

const changes: FastifyPluginAsyncTypebox = async (app) => {
  app.patch('/:content_id/comments/:comment_id/replies/:reply_id', {
    config: { access, errors },
    schema: {
      operationId: 'editContentComment',
      summary: 'Change your comment',
      description: 'Of a thread, any comment that you wrote, the first one too. It shows when it was changed.',
      tags: ['content'],
      params: CommentParams,
      headers: IfMatch,
      body: ReplyToComment,
      response: { 200: ContentThread }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const thread = await edit(app.db, principal, params, body.text, readIfMatch(headers['if-match']))
    reply.header('etag', etag(thread.revision))
    return thread
  })

  app.delete('/:content_id/comments/:comment_id/replies/:reply_id', {
    config: { access, errors },
    schema: {
      operationId: 'deleteContentComment',
      summary: 'Delete your comment',
      description: 'One that was answered leaves a trace: who wrote it and when. With the last comment the thread ' +
        'goes.',
      tags: ['content'],
      params: CommentParams,
      headers: IfMatch,
      response: { 204: Type.Null({ description: 'It is gone' }) }
    }
  }, async ({ principal, params, headers }, reply) => {
    await remove(app.db, principal, params, readIfMatch(headers['if-match']))
    return reply.code(204).send(null)
  })
}

export default changes
