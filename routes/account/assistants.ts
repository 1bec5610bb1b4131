import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { endAssistant, listAssistants } from '../../db/account/assistants.js'
import { paginateById } from '../../lib/http/paginate.js'
import { hasRole, type Access } from '../../lib/security/principal.js'
import {
  ConnectedAssistantPage, ConnectedAssistantParams, ListConnectedAssistants
} from '../../schemas/account/assistants.js'
import { InsufficientRole, InvalidCursor, NotFound } from '../../schemas/errors.js'

const own: Access = { scope: 'account:write', role: 'viewer', owner: 'person_or_admin' }

/** Programs that people let in by OAuth. */
const assistants: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/assistants', {
    config: { refuses: { insufficient_role: 'those of others are shown to admins' }, errors: [InvalidCursor] },
    schema: {
      operationId: 'listConnectedAssistants',
      summary: 'List connected assistants',
      description: 'The programs that you let in and that are still connected, newest first: what they may do, and ' +
        'when they last did. Admins may ask for those of others.',
      tags: ['account'],
      querystring: ListConnectedAssistants,
      response: { 200: ConnectedAssistantPage }
    }
  }, ({ principal, query }) => {
    const whose = query.user_id?.toLowerCase() ?? principal.user_id
    if (whose !== principal.user_id && !hasRole(principal, 'admin')) {
      throw InsufficientRole('The assistants of others need the role admin')
    }
    return paginateById(app, { principal, list: 'assistants', filter: whose, query },
      (slice) => listAssistants(app.db, principal.workspace_id, whose === 'all' ? null : whose, slice))
  })

  app.delete('/assistants/:assistant_id', {
    config: { access: own },
    schema: {
      operationId: 'disconnectAssistant',
      summary: 'Disconnect an assistant',
      description: 'Its tokens are refused from the next request on, for ever, and what it proposed and nobody has ' +
        'decided is not carried out. Again = the same answer. Admins may disconnect anybody\'s.',
      tags: ['account'],
      params: ConnectedAssistantParams,
      response: { 204: Type.Null({ description: 'Disconnected' }) }
    }
  }, async ({ principal, params }, reply) => {
    const whose = hasRole(principal, 'admin') ? null : principal.user_id
    if (!await endAssistant(app.db, principal.workspace_id, whose, params.assistant_id)) throw NotFound()
    return reply.code(204).send(null)
  })
}

export default assistants
