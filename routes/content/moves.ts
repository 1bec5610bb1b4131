import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Content, ContentParams, TransitionContent, UndeleteContent } from '../../schemas/content/contents.js'
import { NotOwner } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { NotReviewer } from './lib/desk/comment.js'
import {
  ChecksFailed, CommentRequired, ContentArchived, ContentIncomplete, ContentLive, ReviewState, SelfApproval, SlugTaken
} from './lib/errors.js'
import { deleteContent, transitionContent, undeleteContent } from './lib/texts/move-content.js'
import { deleteContentTool, transitionContentTool, undeleteContentTool } from './lib/texts/move-tools.js'
import { textErrors } from './lib/text/read-text.js'
import { contentFields } from './lib/field-words.js'

const moves: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/:content_id/transitions', {
    config: {
      tool: transitionContentTool,
      words: {
        foreign: false,
        use: 'Use this to move an article or post through its review: send it to review, approve it, take it ' +
          'back, archive it.',
        gives: 'the record in its new state, or what keeps it from being approved.',
        keywords: 'review approve send to review request changes archive article post content finished sign off ' +
          'release',
        fields: contentFields
      },
      errors: [
        StaleRevision, ReviewState, ContentIncomplete, ChecksFailed, CommentRequired, SelfApproval, NotReviewer,
        ContentLive, ContentArchived, NotOwner,
        ...textErrors
      ]
    },
    schema: {
      operationId: 'transitionContent',
      summary: 'Move content through its review',
      description: 'in_review asks for a review of the newest version, draft takes it back or asks for changes (with ' +
        'a comment), approved makes it publishable: checked again, without errors that are not waived, with the ' +
        'brand\'s minimum score, and by a person other than its author unless the brand allows that, or by the ' +
        'assigned reviewer alone where the brand asks for that. withdrawn takes an approval back, with a ' +
        'comment where the version is another person\'s: it is not published any more, and what is scheduled of it ' +
        'ends. archived takes ' +
        'a record that is neither live nor scheduled out of the lists, restore brings it back.',
      tags: ['content'],
      params: ContentParams,
      headers: IfMatch,
      body: TransitionContent,
      response: { 200: Content }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const content = await transitionContent(app.db, principal, params.content_id, body, revisions)
    reply.header('etag', etag(content.revision))
    return content
  })

  app.delete('/:content_id', {
    config: {
      tool: deleteContentTool,
      words: {
        foreign: false,
        use: 'Use this to delete an article or post. For 30 days it can be brought back; refused while it is ' +
          'published or scheduled.',
        gives: 'nothing but that it is done.',
        keywords: 'delete remove throw away article post draft content remove post',
        fields: contentFields
      },
      errors: [StaleRevision, ContentLive, NotOwner]
    },
    schema: {
      operationId: 'deleteContent',
      summary: 'Delete a content record',
      description: 'Takes the record out of sight; for 30 days it can be brought back. Refused while it is published ' +
        'or scheduled. Members delete their own, admins any.',
      tags: ['content'],
      params: ContentParams,
      headers: IfMatch,
      response: { 204: Type.Null({ description: 'It is deleted' }) }
    }
  }, async ({ principal, params, headers }, reply) => {
    await deleteContent(app.db, principal, params.content_id, readIfMatch(headers['if-match']))
    return reply.code(204).send(null)
  })

  app.post('/:content_id/undelete', {
    config: {
      emptyBody: { dry_run: false },
      tool: undeleteContentTool,
      words: {
        foreign: false,
        use: 'Use this to bring back an article or post that was deleted within the last 30 days.',
        gives: 'the record as it was.',
        keywords: 'undelete bring back recover restore deleted article post content accident',
        fields: contentFields
      },
      errors: [SlugTaken, NotOwner]
    },
    schema: {
      operationId: 'undeleteContent',
      summary: 'Bring a deleted content record back',
      description: 'Within 30 days, as it was, if no other record took its slug. Members bring back their own, ' +
        'admins any.',
      tags: ['content'],
      params: ContentParams,
      body: UndeleteContent,
      response: { 200: Content }
    }
  }, async ({ principal, params, body }, reply) => {
    const content = await undeleteContent(app.db, principal, params.content_id, body.dry_run)
    reply.header('etag', etag(content.revision))
    return content
  })
}

export default moves
