import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Brief, BriefParams } from '../../schemas/content/briefs.js'
import { AcceptFacts, AddSource, BriefSources, maxSourceBody, ReadSource, SourceParams } from '../../schemas/content/sources.js'
import { StateChanged } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { acceptFacts, addSource, listBriefSources, readSource } from './lib/brands/brief-sources.js'
import { BriefState, SourcesFull, SourceUnreadable } from './lib/errors.js'
import { contentFields } from './lib/field-words.js'
import { textErrors } from './lib/text/read-text.js'

const sources: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/briefs/:brief_id/sources', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see from which documents the facts of a brief are, and which facts a changed document no longer has.',
        gives: 'the documents, without their sentences.',
        keywords: 'brief sources documents files addresses facts from where changed',
        fields: contentFields
      }
    },
    schema: {
      operationId: 'listBriefSources',
      summary: 'List the sources of a brief',
      description: 'The documents that were read for it, and the facts that a changed one no longer has.',
      tags: ['content'],
      params: BriefParams,
      response: { 200: BriefSources }
    }
  }, ({ principal, params }) => listBriefSources(app.db, principal.workspace_id, params.brief_id))

  app.get('/briefs/:brief_id/sources/:source_id', {
    config: { errors: textErrors },
    schema: {
      operationId: 'getBriefSource',
      summary: 'Read one source of a brief',
      description: 'Its sentences with their places: what could be facts, and what was accepted.',
      tags: ['content'],
      params: SourceParams,
      response: { 200: ReadSource }
    }
  }, ({ principal, params: { brief_id: brief, source_id: id } }) => readSource(app.db, principal.workspace_id, brief, id))

  app.post('/briefs/:brief_id/sources', {
    bodyLimit: maxSourceBody,
    config: { errors: [BriefState, SourceUnreadable, SourcesFull, StaleRevision, ...textErrors] },
    schema: {
      operationId: 'addBriefSource',
      summary: 'Add a source to a brief',
      description: 'Reads a file or an address, and proposes its sentences as facts. One of the same name is read again: facts ' +
        'whose sentence it no longer has are marked, and so is what was judged by them.',
      tags: ['content'],
      params: BriefParams,
      body: AddSource,
      response: { 200: ReadSource }
    }
  }, ({ principal, params, body }) => addSource(app, principal, params.brief_id, body))

  app.post('/briefs/:brief_id/sources/:source_id/facts', {
    config: { errors: [BriefState, StaleRevision, StateChanged, ...textErrors] },
    schema: {
      operationId: 'acceptBriefFacts',
      summary: 'Accept facts from a source',
      description: 'Sentences of the source become facts of the brief, with their place in it.',
      tags: ['content'],
      params: SourceParams,
      headers: IfMatch,
      body: AcceptFacts,
      response: { 200: Brief }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const brief = await acceptFacts(app.db, principal, params, body, readIfMatch(headers['if-match']))
    reply.header('etag', etag(brief.revision))
    return brief
  })
}

export default sources
