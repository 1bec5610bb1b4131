import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authorizationSeconds } from '../../db/codehost/identities.js'
import { parseReturnTo } from '../../lib/http/addresses.js'
import { attemptCookies } from '../../lib/security/browser-session.js'
import { Connection, Disconnection, ConnectCodehost, ConnectingCodehost } from '../../schemas/codehost/connection.js'
import { Unauthenticated } from '../../schemas/errors.js'
import { beginAuthorization } from './lib/accounts/prove-account.js'
import { describeConnection, disconnect } from './lib/accounts/connection.js'
import { codehostErrors, CodehostNotConfigured, CodehostNotConnected } from './lib/access.js'

const connection: FastifyPluginAsyncTypebox = async (app) => {
  const cookies = attemptCookies(app, 'oauth', authorizationSeconds)

  app.get('/connection', {
    config: { errors: codehostErrors },
    schema: {
      operationId: 'getCodehostConnection',
      summary: 'Who you are at the code host',
      description: 'The account of the code host that you are connected to. You may see what this account may see.',
      tags: ['codehost'],
      response: { 200: Connection }
    }
  }, ({ principal }) => describeConnection(app, principal))

  app.post('/connection', {
    config: {
      access: { scope: 'codehost:write', role: 'viewer' },
      ungated: 'it connects a person\'s own account, which they sign',
      idempotency: false,
      refuses: { unauthenticated: 'an account is connected in a browser' },
      errors: [Unauthenticated, CodehostNotConfigured]
    },
    schema: {
      operationId: 'connectCodehost',
      summary: 'Connect your account of the code host',
      description: 'In a browser: the answer says where to go; back from there, the account is connected with you.',
      tags: ['codehost'],
      body: ConnectCodehost,
      response: { 200: ConnectingCodehost }
    }
  }, async (request, reply) => {
    const { principal, body: { return_to: returnTo } } = request
    if (principal.via !== 'browser') throw Unauthenticated('An account is connected in a browser')
    await app.workspaces.of(request)
    const origin = app.workspaces.browserOrigin(request)
    const binding = cookies.fresh(principal.workspace_id)
    const { url, state } = await beginAuthorization(app, {
      workspaceId: principal.workspace_id,
      redirectUri: `${origin}/codehost-oauth/callback`,
      returnTo: parseReturnTo(returnTo, `${origin}/sign-in`),
      binding,
      linker: principal
    })
    cookies.keep(request, reply, state, binding)
    reply.header('cache-control', 'no-store')
    return { url }
  })

  app.delete('/connection', {
    config: {
      access: { scope: 'codehost:write', role: 'viewer' },
      ungated: 'it takes away what Steward may do in the person\'s own name',
      errors: [CodehostNotConnected]
    },
    schema: {
      operationId: 'disconnectCodehost',
      summary: 'Disconnect from the code host',
      description: 'Deletes your tokens and your stored rights, and revokes the tokens at the code host. Where that ' +
        'fails, revoked_upstream is false and revoke_url is where you can do it. A person who joined with this ' +
        'account can still sign in with it.',
      tags: ['codehost'],
      response: { 200: Disconnection }
    }
  }, ({ principal }) => disconnect(app, principal))
}

export default connection
