import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { endSession, listSessions } from '../../db/account/sessions.js'
import { cookieName } from '../../lib/security/browser-session.js'
import type { Access } from '../../lib/security/principal.js'
import { BrowserSessionPage, BrowserSessionParams, ListBrowserSessions } from '../../schemas/account/sessions.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { paginateById } from '../../lib/http/paginate.js'

const own: Access = { scope: 'account:write', role: 'viewer', owner: 'person' }

const sessions: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/sign-out', {
    config: { access: { scope: 'account:write', role: 'none' } },
    schema: {
      operationId: 'endCurrentSession',
      summary: 'Sign out',
      description: 'Ends the browser session that the request came through, if any, and clears its cookie.',
      tags: ['account'],
      response: { 204: Type.Null({ description: 'Signed out' }) }
    }
  }, async ({ principal }, reply) => {
    const session = principal.via === 'browser' ? principal.via_id : null
    if (session) await endSession(app.db, principal.workspace_id, principal.user_id, session)
    const name = cookieName(app)
    return reply.clearCookie(name, { path: '/', secure: name.startsWith('__Host-') }).code(204).send(null)
  })

  app.get('/sessions', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listBrowserSessions',
      summary: 'List your browser sessions',
      description: 'Where you are signed in, newest first.',
      tags: ['account'],
      querystring: ListBrowserSessions,
      response: { 200: BrowserSessionPage }
    }
  }, async ({ principal, query }) => {
    const page = await paginateById(app, { principal, list: 'sessions', query },
      (slice) => listSessions(app.db, principal.workspace_id, principal.user_id, slice))
    return { ...page, items: page.items.map((session) => ({ ...session, current: session.id === principal.via_id })) }
  })

  app.delete('/sessions/:session_id', {
    config: { access: own },
    schema: {
      operationId: 'endBrowserSession',
      summary: 'End one of your browser sessions',
      description: 'Its cookie is refused from the next request on. Again = the same answer.',
      tags: ['account'],
      params: BrowserSessionParams,
      response: { 204: Type.Null({ description: 'Ended' }) }
    }
  }, async ({ principal, params }, reply) => {
    if (!await endSession(app.db, principal.workspace_id, principal.user_id, params.session_id)) throw NotFound()
    return reply.code(204).send(null)
  })
}

export default sessions
