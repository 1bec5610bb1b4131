import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { listBriefs } from '../../db/content/briefs.js'
import { visibleProjects } from '../../lib/access/require-access.js'
import { paginateById } from '../../lib/http/paginate.js'
import {
  Brief, BriefPage, BriefParams, BriefTransition, CreateBrief, ListBriefs, ReplaceBrief
} from '../../schemas/content/briefs.js'
import { InvalidCursor, NotFound, NotOwner } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { archiveBriefTool, createBriefTool, replaceBriefTool, transitionBriefTool } from './lib/brands/brief-tools.js'
import { createBrief, describeBrief, readBrief, replaceBrief, transitionBrief } from './lib/brands/change-brief.js'
import { BriefState, ProjectArchived, ReadOnlyField } from './lib/errors.js'
import { contentFields } from './lib/field-words.js'

const briefs: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/briefs', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see which briefs there are for content, or to find the id of one.',
        gives: 'the briefs, newest first, with title, status and channels.',
        keywords: 'briefs briefings content planned ready to be written',
        fields: contentFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listBriefs',
      summary: 'List briefs',
      description: 'The briefs of all projects or of one, newest first; without the archived ones unless asked for.',
      tags: ['content'],
      querystring: ListBriefs,
      response: { 200: BriefPage }
    }
  }, async ({ principal, query }) => {
    const { limit, cursor, ...filter } = query
    const found = await paginateById(app, { principal, list: 'briefs', filter, query },
      (slice) => listBriefs(app.db, principal.workspace_id, { ...filter, projects: visibleProjects(principal) }, slice))
    return { ...found, items: found.items.map(describeBrief) }
  })

  app.get('/briefs/:brief_id', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to read one brief: what is to be said, to whom, and the facts that it rests on.',
        gives: 'the brief with its revision.',
        keywords: 'brief briefing facts key message audience',
        fields: contentFields
      }
    },
    schema: {
      operationId: 'getBrief',
      summary: 'Read one brief',
      description: 'What is to be said, to whom, and the facts that it rests on. The ETag is its revision.',
      tags: ['content'],
      params: BriefParams,
      response: { 200: Brief }
    }
  }, async ({ principal, params }, reply) => {
    const brief = await readBrief(app.db, principal.workspace_id, params.brief_id)
    reply.header('etag', etag(brief.revision))
    return brief
  })

  app.post('/briefs', {
    config: {
      tool: createBriefTool,
      words: {
        foreign: false,
        use: 'Use this to write down what content is to be made of. Generated content may use no number, quote or ' +
          'address that is not in its brief.',
        gives: 'the new brief with its id; generateContent writes from it.',
        keywords: 'new write brief briefing facts announcement launch',
        fields: contentFields
      },
      errors: [NotFound, ProjectArchived]
    },
    schema: {
      operationId: 'createBrief',
      summary: 'Create a brief',
      description: 'Says what content is to be made of: a key message, points, and the facts with their sources. ' +
        'Generated content may use no number, quote or address that is not here.',
      tags: ['content'],
      body: CreateBrief,
      response: { 201: Brief }
    }
  }, async ({ principal, body }, reply) => {
    const brief = await createBrief(app.db, principal, body)
    reply.code(201).header('etag', etag(brief.revision)).header('location', `/content/briefs/${brief.id}`)
    return brief
  })

  app.put('/briefs/:brief_id', {
    config: {
      tool: replaceBriefTool,
      words: {
        foreign: false,
        use: 'Use this to change what a brief says. Send it whole; what was generated from it stays.',
        gives: 'the brief as it is after the change.',
        keywords: 'change edit add fact brief briefing key message',
        fields: contentFields
      },
      errors: [StaleRevision, ReadOnlyField, BriefState]
    },
    schema: {
      operationId: 'replaceBrief',
      summary: 'Replace a brief',
      description: 'Replaces what the brief says; what was generated from it stays as it is.',
      tags: ['content'],
      params: BriefParams,
      headers: IfMatch,
      body: ReplaceBrief,
      response: { 200: Brief }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const brief = await replaceBrief(app.db, principal.workspace_id, params.brief_id, body, revisions)
    reply.header('etag', etag(brief.revision))
    return brief
  })

  app.post('/briefs/:brief_id/transitions', {
    config: {
      tool: transitionBriefTool,
      words: {
        foreign: false,
        use: 'Use this to move a brief to draft, ready, done or archived, or to bring an archived one back.',
        gives: 'the brief in its new state.',
        keywords: 'mark set brief briefing ready done draft state',
        fields: contentFields
      },
      errors: [StaleRevision, BriefState, NotOwner]
    },
    schema: {
      operationId: 'transitionBrief',
      summary: 'Move a brief to another state',
      description: 'draft and ready as work goes on, done when nothing more is to come of it, archived out of the ' +
        'lists; draft or ready bring an archived one back. in_use is set by the first generation. Members archive ' +
        'and bring back their own, admins any.',
      tags: ['content'],
      params: BriefParams,
      headers: IfMatch,
      body: BriefTransition,
      response: { 200: Brief }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const brief = await transitionBrief(app.db, principal, params.brief_id, body.to, revisions)
    reply.header('etag', etag(brief.revision))
    return brief
  })

  app.delete('/briefs/:brief_id', {
    config: {
      tool: archiveBriefTool,
      words: {
        foreign: false,
        use: 'Use this to take a brief out of the lists. Content that came of it keeps naming it.',
        gives: 'the archived brief.',
        keywords: 'archive put away brief briefing',
        fields: contentFields
      },
      errors: [StaleRevision, NotOwner]
    },
    schema: {
      operationId: 'archiveBrief',
      summary: 'Archive a brief',
      description: 'Takes the brief out of the lists; content that came of it keeps naming it. Again = the same ' +
        'answer. Members archive their own, admins any.',
      tags: ['content'],
      params: BriefParams,
      headers: IfMatch,
      response: { 204: Type.Null({ description: 'It is archived' }) }
    }
  }, async ({ principal, params, headers }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    await transitionBrief(app.db, principal, params.brief_id, 'archived', revisions)
    return reply.code(204).send(null)
  })
}

export default briefs
