import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Type } from '@sinclair/typebox'
import { listSessions } from '../../db/pse/sessions.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { maxInputBody } from '../../schemas/pse/inputs.js'
import { CreateSpecSession } from '../../schemas/pse/new-session.js'
import {
  ListSpecSessions, MoveSpecSession, SpecSession, SpecSessionPage, SpecSessionParams, UpdateSpecSession
} from '../../schemas/pse/sessions.js'
import { SpecSessionQuery, WholeSpecSession } from '../../schemas/pse/whole-session.js'
import { prepareInputs, storeInputs } from './lib/add-inputs.js'
import { changeSession, createSession, readSession, removeSession } from './lib/change-session.js'
import { describeSession, describeSummary } from './lib/describe-session.js'
import { GenerationInProgress, inputErrors, moveErrors, ProjectUnknown, SessionArchived } from './lib/errors.js'
import { moveSession } from './lib/move-session.js'
import { paginate } from './lib/paginate.js'
import { readIncluded } from './lib/read-included.js'
import { createSessionTool, deleteSessionTool, moveSessionTool, updateSessionTool } from './lib/session-tools.js'
import { StandardUnknown } from './lib/standards/errors.js'

const lists: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions', {
    config: { tool: 'read', errors: [InvalidCursor] },
    schema: {
      operationId: 'listSpecSessions',
      summary: 'List spec sessions',
      description: 'The sessions in which specs are made, newest first: their state, their current version.',
      tags: ['pse'],
      querystring: ListSpecSessions,
      response: { 200: SpecSessionPage }
    }
  }, ({ principal, query }) => {
    const { project_id, state, spec_type, q } = query
    const filter = { project_id, state, spec_type, q }
    return paginate(app, { principal, list: 'pse-sessions', filter, page: query },
      (key, limit) => listSessions(app.db, principal.workspace_id, filter, key, limit),
      describeSummary, ({ id }) => id)
  })
}

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sessions/:session_id', {
    config: { tool: 'read' },
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
}

const show = async ({ db }: Pick<FastifyInstance, 'db'>, workspaceId: string, id: string) =>
  describeSession(db, await readSession(db, workspaceId, id))

const creation: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/sessions', {
    bodyLimit: maxInputBody,
    config: { tool: createSessionTool, errors: [ProjectUnknown, StandardUnknown, ...inputErrors] },
    schema: {
      operationId: 'createSpecSession',
      summary: 'Create a spec session',
      description: 'A place in which a spec is made of inputs. The inputs may come along, or be added later.',
      tags: ['pse'],
      body: CreateSpecSession,
      response: { 201: SpecSession }
    }
  }, async ({ principal, body }, reply) => {
    const { inputs = [], ...wish } = body
    const prepared = await prepareInputs(app, principal, inputs)
    const id = await app.db.transaction().execute(async (trx) => {
      const made = await createSession(trx, principal, wish)
      await storeInputs(trx, principal, made, prepared)
      return made
    })
    const made = await show(app, principal.workspace_id, id)
    reply.code(201).header('etag', etag(made.revision)).header('location', `/pse/sessions/${id}`)
    return made
  })
}

const changes: FastifyPluginAsyncTypebox = async (app) => {
  app.patch('/sessions/:session_id', {
    config: { tool: updateSessionTool, errors: [ProjectUnknown, StandardUnknown, SessionArchived, StaleRevision] },
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
    config: { tool: deleteSessionTool, errors: [GenerationInProgress, StaleRevision] },
    schema: {
      operationId: 'deleteSpecSession',
      summary: 'Delete a spec session',
      description: 'Deletes the session with its inputs, versions and generations. Archive it to keep them.',
      tags: ['pse'],
      params: SpecSessionParams,
      headers: IfMatch,
      response: { 204: Type.Null({ description: 'It is gone' }) }
    }
  }, async ({ principal, params, headers }, reply) => {
    await removeSession(app.db, principal.workspace_id, params.session_id, readIfMatch(headers['if-match']))
    return reply.code(204).send(null)
  })
}

const moves: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/sessions/:session_id/transitions', {
    config: { tool: moveSessionTool, errors: [SessionArchived, ...moveErrors] },
    schema: {
      operationId: 'moveSpecSession',
      summary: 'Approve, reopen, archive or restore a spec session',
      description: 'Approval needs the role admin, no open error of the checks, no blocking question, and a version ' +
        'that nothing is newer than. An edit, an answer or a decision opens an approved spec again.',
      tags: ['pse'],
      params: SpecSessionParams,
      body: MoveSpecSession,
      response: { 200: SpecSession }
    }
  }, async ({ principal, params, body }, reply) => {
    await moveSession(app.db, principal, params.session_id, body)
    const moved = await show(app, principal.workspace_id, params.session_id)
    reply.header('etag', etag(moved.revision))
    return moved
  })
}

const sessions: FastifyPluginAsyncTypebox = async (app) => {
  for (const part of [lists, reads, creation, changes, moves]) await app.register(part)
}

export default sessions
