import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listTokens, revokeToken } from '../../db/account/tokens.js'
import { hasRole, type Access } from '../../lib/security/principal.js'
import { issueToken } from '../../lib/security/tokens.js'
import {
  ApiTokenPage, ApiTokenParams, CreateApiToken, CreatedApiToken, ListApiTokens
} from '../../schemas/account/tokens.js'
import { InsufficientRole, InvalidCursor, NotFound } from '../../schemas/errors.js'
import { ScopeNotAllowed } from './lib/errors.js'
import { mint } from './lib/people/tokens.js'
import { paginateById } from '../../lib/http/paginate.js'

/** Everybody has tokens of their own, viewers too: a token's right is never more than the role. */
const own: Access = { scope: 'account:write', role: 'viewer' }
const refuses = { insufficient_scope: 'a token makes none that holds more, or lives longer, than itself' }

const tokens: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/tokens', {
    config: { refuses: { insufficient_role: 'the tokens of others are shown to admins' }, errors: [InvalidCursor] },
    schema: {
      operationId: 'listApiTokens',
      summary: 'List API tokens',
      description: 'Your tokens, newest first, revoked and expired ones too. Admins may ask for those of others.',
      tags: ['account'],
      querystring: ListApiTokens,
      response: { 200: ApiTokenPage }
    }
  }, ({ principal, query }) => {
    const whose = query.user_id?.toLowerCase() ?? principal.user_id
    const foreign = whose !== principal.user_id
    if (foreign && !hasRole(principal, 'admin')) throw InsufficientRole('The tokens of others need the role admin')
    return paginateById(app, { principal, list: 'tokens', filter: whose, query },
      (slice) => listTokens(app.db, principal.workspace_id, whose === 'all' ? null : whose, slice))
  })

  app.post('/tokens', {
    config: { encrypted: true, access: own, refuses, errors: [ScopeNotAllowed] },
    schema: {
      operationId: 'createApiToken',
      summary: 'Create an API token',
      description: 'Makes a token for yourself and shows its secret once. It can do what both your role and its ' +
        'scopes allow. Made through a token, it has no more scopes and no longer life than that one.',
      tags: ['account'],
      body: CreateApiToken,
      response: { 201: CreatedApiToken }
    }
  }, async ({ principal, body }, reply) => {
    const fresh = issueToken(app, 'pat', principal.workspace_id)
    const token = await mint(app.db, principal, body, fresh)
    reply.code(201).header('cache-control', 'no-store')
    return { token, secret: fresh.text }
  })

  app.delete('/tokens/:token_id', {
    config: { access: { ...own, owner: 'person_or_admin' } },
    schema: {
      operationId: 'revokeApiToken',
      summary: 'Revoke an API token',
      description: 'Refused from the next request on, for ever. Again = the same answer. Admins may revoke anybody\'s.',
      tags: ['account'],
      params: ApiTokenParams,
      response: { 204: Type.Null({ description: 'Revoked' }) }
    }
  }, async ({ principal, params }, reply) => {
    const whose = hasRole(principal, 'admin') ? null : principal.user_id
    if (!await revokeToken(app.db, principal.workspace_id, whose, params.token_id)) throw NotFound()
    return reply.code(204).send(null)
  })
}

export default tokens
