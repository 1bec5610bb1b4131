import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Content } from '../../schemas/content/contents.js'
import { DecideSuggestion, SuggestionParams } from '../../schemas/content/suggestions.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { ContentArchived, SuggestionDecided, SuggestionStale } from './lib/errors.js'
import { decide } from './lib/texts/decide-suggestion.js'
import { decideSuggestionTool } from './lib/texts/suggestion-tool.js'
import { textErrors } from './lib/text/read-text.js'
import { contentFields } from './lib/field-words.js'

const suggestions: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/:content_id/suggestions/:suggestion_id', {
    config: {
      tool: decideSuggestionTool,
      words: {
        foreign: false,
        use: 'Use this to accept or reject a text that the model suggests beside what a person wrote.',
        gives: 'the record; an accepted suggestion is a new draft version.',
        keywords: 'accept reject suggestion proposed text model article content',
        fields: contentFields
      },
      errors: [StaleRevision, ContentArchived, SuggestionDecided, SuggestionStale, ...textErrors]
    },
    schema: {
      operationId: 'decideContentSuggestion',
      summary: 'Accept or reject a suggestion',
      description: 'Accepted, its text replaces the text that it stands beside, as a new draft version; rejected, ' +
        'it is put aside. The same decision again = the same answer.',
      tags: ['content'],
      params: SuggestionParams,
      headers: IfMatch,
      body: DecideSuggestion,
      response: { 200: Content }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const content = await decide(app.db, principal, params, body.accept, revisions)
    reply.header('etag', etag(content.revision))
    return content
  })
}

export default suggestions
