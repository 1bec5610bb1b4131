import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import { visibleProjects } from '../../lib/access/require-access.js'
import { paginateById } from '../../lib/http/paginate.js'
import { listSessions } from '../../db/pse/sessions.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { InvalidCursor, NotOwner } from '../../schemas/errors.js'
import { maxInputBody } from '../../schemas/pse/inputs.js'
import {
  CreateSpecSession, ListSpecSessions, MoveSpecSession, SpecSession, SpecSessionPage, SpecSessionParams,
  UpdateSpecSession, SpecSessionQuery, WholeSpecSession
} from '../../schemas/pse/sessions.js'
import { prepareInputs, storeInputs } from './lib/inputs/add-inputs.js'
import {
  bringBackSession, changeSession, createSession, readSession, removeSession, describeSession, describeSummary
} from './lib/sessions/read-version.js'
import { GenerationInProgress, inputErrors, moveErrors, ProjectUnknown, SessionArchived } from './lib/errors.js'
import { moveSession } from './lib/move-session.js'
import { readIncluded } from './lib/read-included.js'
import { createSessionTool, deleteSessionTool, moveSessionTool, updateSessionTool } from './lib/sessions/session-tools.js'
import { StandardUnknown } from './lib/standards/resolve-standards.js'
import { specFields } from './lib/field-words.js'

const show = async ({ db }: Pick<FastifyInstance, 'db'>, workspaceId: string, id: string) =>
  describeSession(db, await readSession(db, workspaceId, id))

const sessions: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this to see which specs are being made, or to find the id of a session.',
        gives: 'the sessions, newest first, with title, state and current version.',
        keywords: 'specs specifications requirements documents sessions working on',
        fields: specFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listSpecSessions',
      summary: 'List spec sessions',
      description: 'The sessions in which specs are made, newest first: their state, their current version.',
      tags: ['pse'],
      querystring: ListSpecSessions,
      response: { 200: SpecSessionPage }
    }
  }, async ({ principal, query }) => {
    const { project_id, state, spec_type, q } = query
    const filter = { project_id, state, spec_type, q }
    const page = await paginateById(app, { principal, list: 'pse-sessions', filter, query },
      ({ before, limit }) => listSessions(app.db, principal.workspace_id,
        { ...filter, projects: visibleProjects(principal) }, before, limit))
    return { ...page, items: page.items.map(describeSummary) }
  })

  app.get('/sessions/:session_id', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to see how far a spec is: its state, open questions and what it cost.',
        gives: 'the session with its settings, and with include its inputs, questions and current version too.',
        keywords: 'spec specification requirements session state progress open questions how far',
        fields: specFields
      }
    },
    schema: {
      operationId: 'getSpecSession',
      summary: 'Read one spec session',
      description: 'One session: settings, state, what its generations cost; with `include` its parts too. The ETag ' +
        'is its revision.',
      tags: ['pse'],
      params: SpecSessionParams,
      querystring: SpecSessionQuery,
      response: { 200: WholeSpecSession }
    }
  }, async ({ principal, params, query }, reply) => {
    const row = await readSession(app.db, principal.workspace_id, params.session_id)
    reply.header('etag', etag(row.revision))
    const session = await describeSession(app.db, row)
    return query.include === undefined ? session : { ...session, included: await readIncluded(app.db, row, query) }
  })

  app.post('/sessions', {
    bodyLimit: maxInputBody,
    config: {
      tool: createSessionTool,
      words: {
        foreign: false,
        use: 'Use this to begin a spec, with the inputs that it is made of if they are at hand.',
        gives: 'the new session with its id; generateSpec makes the spec.',
        keywords: 'feature needs begin start new spec specification requirements ' +
          'document session notes',
        fields: specFields
      },
      errors: [ProjectUnknown, StandardUnknown, ...inputErrors]
    },
    schema: {
      operationId: 'createSpecSession',
      summary: 'Create a spec session',
      description: 'A session makes a spec of its inputs. The body may contain inputs; others may be added later.',
      tags: ['pse'],
      body: CreateSpecSession,
      response: { 201: SpecSession }
    }
  }, async ({ principal, body }, reply) => {
    const { inputs = [], ...input } = body
    const prepared = await prepareInputs(app, principal, inputs)
    const id = await app.db.transaction().execute(async (trx) => {
      const created = await createSession(trx, principal, input)
      await storeInputs(trx, principal, created, prepared)
      return created
    })
    const made = await show(app, principal.workspace_id, id)
    reply.code(201).header('etag', etag(made.revision)).header('location', `/pse/sessions/${id}`)
    return made
  })

  app.patch('/sessions/:session_id', {
    config: {
      tool: updateSessionTool,
      words: {
        foreign: false,
        use: 'Use this to change the settings of a spec session: title, language, profile, notation, standards, ' +
          'artifacts.',
        gives: 'the session as it is after the change.',
        keywords: 'change edit settings spec specification session title locale language profile notation ' +
          'gherkin',
        fields: specFields
      },
      errors: [ProjectUnknown, StandardUnknown, SessionArchived, StaleRevision]
    },
    schema: {
      operationId: 'updateSpecSession',
      summary: 'Change a spec session',
      description: 'Changes what is sent. What a spec depends on makes the current version stale; no version changes.',
      tags: ['pse'],
      params: SpecSessionParams,
      headers: IfMatch,
      body: UpdateSpecSession,
      response: { 200: SpecSession }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const { workspace_id: workspaceId } = principal
    await changeSession(app.db, workspaceId, params.session_id, body, readIfMatch(headers['if-match']))
    const changed = await show(app, workspaceId, params.session_id)
    reply.header('etag', etag(changed.revision))
    return changed
  })

  app.delete('/sessions/:session_id', {
    config: {
      tool: deleteSessionTool,
      words: {
        foreign: false,
        use: 'Use this to delete a spec session with its inputs and versions. For 30 days it can be brought back.',
        gives: 'nothing but that it is done.',
        keywords: 'delete remove spec specification session',
        fields: specFields
      },
      errors: [GenerationInProgress, StaleRevision, NotOwner]
    },
    schema: {
      operationId: 'deleteSpecSession',
      summary: 'Delete a spec session',
      description: 'Takes the session with its inputs, versions and generations out of sight; for 30 days it can be ' +
        'brought back, then it is gone. Members delete their own, admins any.',
      tags: ['pse'],
      params: SpecSessionParams,
      headers: IfMatch,
      response: { 204: Type.Null({ description: 'It is deleted' }) }
    }
  }, async ({ principal, params, headers }, reply) => {
    await removeSession(app.db, principal, params.session_id, readIfMatch(headers['if-match']))
    return reply.code(204).send(null)
  })

  app.post('/sessions/:session_id/undelete', {
    config: { errors: [NotOwner] },
    schema: {
      operationId: 'undeleteSpecSession',
      summary: 'Bring a deleted spec session back',
      description: 'Within 30 days, as it was. Members bring back their own, admins any.',
      tags: ['pse'],
      params: SpecSessionParams,
      response: { 200: SpecSession }
    }
  }, async ({ principal, params }, reply) => {
    await bringBackSession(app.db, principal, params.session_id)
    const session = await show(app, principal.workspace_id, params.session_id)
    reply.header('etag', etag(session.revision))
    return session
  })

  app.post('/sessions/:session_id/transitions', {
    config: {
      tool: moveSessionTool,
      words: {
        foreign: false,
        use: 'Use this to approve a spec, reopen it, archive it, or take it out of the archive.',
        gives: 'the session in its new state, or what keeps it from being approved.',
        keywords: 'approve release sign off accept reopen archive restore spec specification requirements ' +
          'finished',
        fields: specFields
      },
      refuses: { insufficient_role: 'an admin approves' },
      errors: [SessionArchived, StaleRevision, NotOwner, ...moveErrors]
    },
    schema: {
      operationId: 'moveSpecSession',
      summary: 'Approve, reopen, archive or restore a spec session',
      description: 'Approval needs the role admin, no open error of the checks, no blocking question, a version that ' +
        'nothing is newer than, and a yes to each question that its standards ask, in reviewed. An edit, an answer ' +
        'or a decision opens an approved spec again. Members archive and restore their own, admins any.',
      tags: ['pse'],
      params: SpecSessionParams,
      headers: IfMatch,
      body: MoveSpecSession,
      response: { 200: SpecSession }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    await moveSession(app, principal, params.session_id, body, readIfMatch(headers['if-match']))
    const moved = await show(app, principal.workspace_id, params.session_id)
    reply.header('etag', etag(moved.revision))
    return moved
  })
}

export default sessions
