import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { attemptSeconds } from '../../db/account/identity-sessions.js'
import { listIdentities, findProvider } from '../../db/account/identities.js'
import { parseReturnTo } from '../../lib/http/addresses.js'
import { attemptCookies, cookieName } from '../../lib/security/browser-session.js'
import { ConnectIdentity, Connecting, Identities, SignedOut } from '../../schemas/account/identities.js'
import { NotFound, Unauthenticated } from '../../schemas/errors.js'
import { IdentityUnavailable } from './lib/errors.js'
import { beginAttempt, type IdentityDeps } from './lib/identity/identity-attempt.js'
import { callbackOf } from './lib/identity/identity-providers.js'
import { signOut } from './lib/identity/end-sign-in.js'

const tags = ['account']

const requireProviderOf = async (app: FastifyInstance, workspaceId: string, id: string) => {
  const provider = await findProvider(app.db, workspaceId, id)
  if (!provider?.enabled) throw NotFound()
  return provider
}

/** What everybody does about their own accounts at identity providers. */
const myIdentities = (deps: IdentityDeps): FastifyPluginAsyncTypebox => async (app) => {
  const cookies = attemptCookies(app, 'identity', attemptSeconds)
  app.get('/identities', {
    config: { access: { scope: 'account:read', role: 'none' } },
    schema: {
      operationId: 'listMyIdentities',
      summary: 'Who you are at identity providers',
      description: 'Your accounts there, with the role and the groups that the rules of each provider gave.',
      tags,
      response: { 200: Identities }
    }
  }, async ({ principal }) => ({ items: await listIdentities(app.db, principal.workspace_id, principal.user_id) }))

  app.post('/identities', {
    config: {
      access: { scope: 'account:write', role: 'none' },
      refuses: { unauthenticated: 'an account is connected in a browser' },
      errors: [Unauthenticated, NotFound, IdentityUnavailable]
    },
    schema: {
      operationId: 'connectIdentity',
      summary: 'Connect an account of an identity provider',
      description: 'In a browser: the answer says where to go; back from there, the account is connected with you.',
      tags,
      body: ConnectIdentity,
      response: { 200: Connecting }
    }
  }, async (request, reply) => {
    const { principal, body: { provider_id: providerId, return_to: returnTo } } = request
    if (principal.via !== 'browser') throw Unauthenticated('An account is connected in a browser')
    await app.workspaces.of(request)
    const origin = app.workspaces.browserOrigin(request)
    const home = parseReturnTo(returnTo, `${origin}/sign-in`)
    const provider = await requireProviderOf(app, principal.workspace_id, providerId)
    const binding = cookies.fresh(principal.workspace_id)
    const { url, state } = await beginAttempt(deps, provider,
      { callback: callbackOf(origin, provider.id), returnTo: home, binding, linker: principal })
    cookies.keep(request, reply, state, binding)
    reply.header('cache-control', 'no-store')
    return { url }
  })

  app.post('/identity-sign-out', {
    config: { access: { scope: 'account:write', role: 'none' } },
    schema: {
      operationId: 'endSessionEverywhere',
      summary: 'Sign out here and at the identity provider',
      description: 'Ends the browser session that the request came through, if any, and clears its cookie. Where its ' +
        'provider offers it, the answer says where the browser ends that session, too.',
      tags,
      response: { 200: SignedOut }
    }
  }, async (request, reply) => {
    await app.workspaces.of(request)
    const url = await signOut(deps, request.principal, new URL(`${app.workspaces.browserOrigin(request)}/sign-in`).href)
    const name = cookieName(app)
    reply.clearCookie(name, { path: '/', secure: name.startsWith('__Host-') }).header('cache-control', 'no-store')
    return { url }
  })
}

export default myIdentities
