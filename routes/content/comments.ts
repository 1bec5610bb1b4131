import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listThreads } from '../../db/content/threads.js'
import { paginateById } from '../../lib/http/paginate.js'
import {
  AddComment, ContentThread, ContentThreadPage, ListThreads, ReplyToComment, ResolveComment, ThreadParams
} from '../../schemas/content/comments.js'
import { ContentParams } from '../../schemas/content/contents.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import {
  addThread, readThread, reply as replyTo, resolve, describeThreads, CommentsFull, PassageAmbiguous, PassageNotFound
} from './lib/desk/comment.js'
import { addCommentTool, replyTool, resolveTool } from './lib/desk/desk-tools.js'
import { ContentArchived } from './lib/errors.js'
import { requireContent, requireVersion } from './lib/texts/find-content.js'
import { textErrors } from './lib/text/read-text.js'
import { commentFields, contentFields } from './lib/field-words.js'

/** A comment changes no text, so who may propose changes may comment. */
const access = { scope: 'content:write', role: 'operator' as const }

const comments: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/:content_id/comments', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see what people remarked on an article or post, and which of it is still open.',
        gives: 'the threads, newest first: the words, what became of them, and what was said.',
        keywords: 'comments remarks feedback notes annotations threads discussion editor open unresolved article text',
        fields: { ...contentFields, ...commentFields }
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listContentComments',
      summary: 'List the comments on a content record',
      description: 'Threads on passages, newest first, with where each passage is in the newest version and what ' +
        'became of it. A passage that is gone is shown with the words that the comment was made on.',
      tags: ['content'],
      params: ContentParams,
      querystring: ListThreads,
      response: { 200: ContentThreadPage }
    }
  }, async ({ principal, params: { content_id: id }, query }) => {
    const { workspace_id: workspaceId } = principal
    const { head_version: version } = await requireContent(app.db, workspaceId, id)
    const { items, next_cursor } = await paginateById(app,
      { principal, list: 'content comments', filter: [id, query.status], query },
      (slice) => listThreads(app.db, workspaceId, id, query.status, slice))
    const head = await requireVersion(app.db, workspaceId, id, version)
    return { items: await describeThreads(app.db, workspaceId, items, head), next_cursor }
  })

  app.get('/:content_id/comments/:comment_id', {
    schema: {
      operationId: 'getContentComment',
      summary: 'Read a comment on a content record',
      description: 'The thread, with where its passage is in the newest version.',
      tags: ['content'],
      params: ThreadParams,
      response: { 200: ContentThread }
    }
  }, async ({ principal, params }, reply) => {
    const { content_id: id, comment_id: threadId } = params
    const thread = await readThread(app.db, principal.workspace_id, id, threadId)
    reply.header('etag', etag(thread.revision))
    return thread
  })

  app.post('/:content_id/comments', {
    config: {
      tool: addCommentTool,
      words: {
        foreign: false,
        use: 'Use this to remark on words of an article or post without changing them.',
        gives: 'the thread that begins with the comment.',
        keywords: 'comment remark annotate note feedback suggest passage sentence leave comment on text article',
        fields: { ...contentFields, ...commentFields }
      },
      access,
      errors: [ContentArchived, PassageNotFound, PassageAmbiguous, CommentsFull, ...textErrors]
    },
    schema: {
      operationId: 'addContentComment',
      summary: 'Comment on a passage',
      description: 'Names the words as they stand in a version. Words that occur more than once need start, or as ' +
        'much of prefix and suffix as says which are meant. The comment follows the passage through later versions.',
      tags: ['content'],
      params: ContentParams,
      body: AddComment,
      response: { 201: ContentThread }
    }
  }, async ({ principal, params, body }, reply) => {
    const made = await addThread(app.db, principal, params.content_id, body)
    return reply.code(201).header('etag', etag(made.revision))
      .header('location', `/content/${params.content_id}/comments`).send(made)
  })

  app.post('/:content_id/comments/:comment_id/replies', {
    config: {
      tool: replyTool,
      words: {
        foreign: false,
        use: 'Use this to answer a comment on an article or post.',
        gives: 'the thread with the reply.',
        keywords: 'reply answer respond comment thread remark article text',
        fields: { ...contentFields, ...commentFields }
      },
      access,
      errors: [ContentArchived, CommentsFull]
    },
    schema: {
      operationId: 'replyToContentComment',
      summary: 'Reply to a comment',
      description: 'Adds to the thread; a thread that is resolved stays so.',
      tags: ['content'],
      params: ThreadParams,
      body: ReplyToComment,
      response: { 201: ContentThread }
    }
  }, async ({ principal, params, body }, reply) => {
    const thread = await replyTo(app.db, principal, params, body.text)
    return reply.code(201).header('etag', etag(thread.revision))
      .header('location', `/content/${params.content_id}/comments`).send(thread)
  })

  app.patch('/:content_id/comments/:comment_id', {
    config: {
      tool: resolveTool,
      words: {
        foreign: false,
        use: 'Use this to settle a comment on an article or post, or to open it again.',
        gives: 'the thread in its new state.',
        keywords: 'resolve settle close comment done reopen open again thread remark article text',
        fields: { ...contentFields, ...commentFields }
      },
      access,
      errors: [ContentArchived, StaleRevision]
    },
    schema: {
      operationId: 'resolveContentComment',
      summary: 'Resolve a comment, or open it again',
      description: 'Says who settled the thread, and when.',
      tags: ['content'],
      params: ThreadParams,
      headers: IfMatch,
      body: ResolveComment,
      response: { 200: ContentThread }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const thread = await resolve(app.db, principal, params, body.resolved, readIfMatch(headers['if-match']))
    reply.header('etag', etag(thread.revision))
    return thread
  })
}

export default comments
