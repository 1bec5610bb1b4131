import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listIdentities } from '../../db/account/identities.js'
import { findUser } from '../../db/account/users.js'
import { Identities, IdentityParams } from '../../schemas/account/identities.js'
import { UserParams } from '../../schemas/account/users.js'
import { NotFound } from '../../schemas/errors.js'
import { removeIdentity } from './lib/identity/end-sign-in.js'

const refuses = { insufficient_scope: 'how a person signs in has no limit of scopes' }

/** Who people are at identity providers, for admins. */
const identities: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/users/:user_id/identities', {
    config: { access: { scope: 'account:read', role: 'admin' } },
    schema: {
      operationId: 'listUserIdentities',
      summary: 'Who a person is at identity providers',
      description: 'For admins: with the role and the groups that the rules of each provider gave.',
      tags: ['account'],
      params: UserParams,
      response: { 200: Identities }
    }
  }, async ({ principal: { workspace_id: workspaceId }, params: { user_id: userId } }) => {
    if (!await findUser(app.db, workspaceId, userId)) throw NotFound()
    return { items: await listIdentities(app.db, workspaceId, userId) }
  })

  app.delete('/users/:user_id/identities/:identity_id', {
    config: { access: { scope: 'account:write', role: 'admin' }, refuses },
    schema: {
      operationId: 'removeUserIdentity',
      summary: 'Disconnect a person from an identity provider',
      description: 'For admins, not through an API token with scopes: ends the sessions that hang on it. Where ' +
        'people come in by signing in, the same account becomes another person at its next sign-in: disable the ' +
        'person instead.',
      tags: ['account'],
      params: IdentityParams,
      response: { 204: Type.Null({ description: 'Disconnected' }) }
    }
  }, async ({ principal, params }, reply) => {
    await removeIdentity(app.db, principal, params.user_id, params.identity_id)
    return reply.code(204).send(null)
  })
}

export default identities
