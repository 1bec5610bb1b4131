import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { findShared, listShared, type SharedRow } from '../../db/agent/feedback.js'
import type { Db } from '../../db/index.js'
import { listNames } from '../../lib/account/people.js'
import { paginateById } from '../../lib/http/paginate.js'
import type { Principal } from '../../lib/security/principal.js'
import {
  ChatMessagePage, SessionParams, SharedSession, SharedSessionPage
} from '../../schemas/agent/sessions.js'
import { PageQuery } from '../../schemas/common.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { SessionNotFound } from './lib/errors.js'
import { pageOfVisible } from './lib/sessions/show-sessions.js'
import { readsAll } from './lib/access.js'

const tags = ['agent']

const showShared = async (db: Db, { workspace_id }: Principal, rows: SharedRow[]): Promise<SharedSession[]> => {
  const names = await listNames(db, workspace_id, rows.map((row) => row.user_id))
  return rows.map(({ user_id: id, ...row }) => ({ ...row, owner: { id, name: names.get(id) ?? '' } }))
}

const shared: FastifyPluginAsyncTypebox = async (app) => {
  const read = async ({ workspace_id }: Principal, id: string): Promise<SharedRow> => {
    const row = await findShared(app.db, workspace_id, id)
    if (!row) throw SessionNotFound()
    return row
  }

  app.get('/shared-sessions', {
    config: { access: readsAll, errors: [InvalidCursor] },
    schema: {
      operationId: 'listSharedSessions',
      summary: 'Sessions that people share',
      description: 'Those of the workspace that their owners share with `PATCH …/sessions/{session_id}`, mine too: ' +
        'the newest first.',
      tags,
      querystring: Type.Object(PageQuery),
      response: { 200: SharedSessionPage }
    }
  }, async ({ principal, query }) => {
    const page = await paginateById(app, { principal, list: 'shared sessions', query },
      (slice) => listShared(app.db, principal.workspace_id, slice))
    return { ...page, items: await showShared(app.db, principal, page.items) }
  })

  app.get('/shared-sessions/:session_id', {
    config: { access: readsAll, errors: [SessionNotFound] },
    schema: {
      operationId: 'getSharedSession',
      summary: 'A session that someone shares',
      description: 'To read; only its owner goes on with it.',
      tags,
      params: SessionParams,
      response: { 200: SharedSession }
    }
  }, async ({ principal, params }) => {
    const [session] = await showShared(app.db, principal, [await read(principal, params.session_id)])
    if (session === undefined) throw SessionNotFound()
    return session
  })

  app.get('/shared-sessions/:session_id/messages', {
    config: { access: readsAll, errors: [SessionNotFound, InvalidCursor] },
    schema: {
      operationId: 'listSharedMessages',
      summary: 'Messages of a session that someone shares',
      description: 'Newest first; an assistant message carries the calls it made and how they ended.',
      tags,
      params: SessionParams,
      querystring: Type.Object(PageQuery),
      response: { 200: ChatMessagePage }
    }
  }, async ({ principal, params, query }) => {
    await read(principal, params.session_id)
    return pageOfVisible(app, principal, params.session_id, query)
  })
}

export default shared
