import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { endSession } from '../../db/account/sessions.js'
import { cookieName } from '../../lib/security/browser-session.js'

const signOut: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/sign-out', {
    config: { access: { scope: 'account:write', role: 'viewer' } },
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
}

export default signOut
