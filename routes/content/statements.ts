import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ContentParams } from '../../schemas/content/contents.js'
import { AcceptStatement, ContentStatements, StatementsQuery } from '../../schemas/content/statements.js'
import { IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { ContentArchived, StatementUnknown } from './lib/errors.js'
import { contentFields } from './lib/field-words.js'
import { textErrors } from './lib/text/read-text.js'
import { readStatements, takeOn } from './lib/texts/statements.js'

const statements: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/:content_id/statements', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see which sentences of an article or post follow from the facts of its brief, which do not, and ' +
          'what nobody has checked.',
        gives: 'each sentence with its verdict, the facts that it rests on, and who accepted it.',
        keywords: 'claims statements sentences facts proved verdict follows unsupported unchecked invented article post text',
        fields: contentFields
      },
      errors: textErrors
    },
    schema: {
      operationId: 'listContentStatements',
      summary: 'List the statements of a content record',
      description: 'Each sentence of a version with its verdict: it follows from the facts that it cites, in part, or not; it ' +
        'claims nothing; or nobody has judged it, and why. What does not follow keeps the text unapproved until it is ' +
        'changed, or a person accepts it as their own.',
      tags: ['content'],
      params: ContentParams,
      querystring: StatementsQuery,
      response: { 200: ContentStatements }
    }
  }, ({ principal, params, query }) =>
    readStatements(app.db, principal.workspace_id, params.content_id, query.version))

  // No tool: the assistant takes nothing on itself in a person's name.
  app.post('/:content_id/statements/accept', {
    config: { errors: [StaleRevision, ContentArchived, StatementUnknown, ...textErrors] },
    schema: {
      operationId: 'acceptContentStatement',
      summary: 'Accept a statement as your own',
      description: 'You vouch for a sentence of the newest version that no fact proves; your name and the time are kept. It ' +
        'holds as long as the words of the sentence stay. Again = the same answer.',
      tags: ['content'],
      params: ContentParams,
      headers: IfMatch,
      body: AcceptStatement,
      response: { 200: ContentStatements }
    }
  }, ({ principal, params, headers, body }) =>
    takeOn(app.db, principal, params.content_id, body, readIfMatch(headers['if-match'])))
}

export default statements
