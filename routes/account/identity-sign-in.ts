import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { attemptSeconds } from '../../db/account/identity-sessions.js'
import { findProvider, listProviders, type ProviderRow } from '../../db/account/identities.js'
import { byAddress, parseReturnTo } from '../../lib/http/addresses.js'
import { explainToBrowsers } from '../../lib/http/sign-in-errors.js'
import { attemptCookies, browserOf, setSessionCookie } from '../../lib/security/browser-session.js'
import { BeginIdentity, EndIdentity, IdentityOffer } from '../../schemas/account/identities.js'
import { ProviderParams } from '../../schemas/account/identity-providers.js'
import {
  IdentityDenied, IdentityEmailTaken, IdentityExchangeFailed, IdentityNotAllowed, IdentityNotFound,
  IdentityStateMismatch, IdentityTaken, IdentityUnavailable
} from './lib/errors.js'
import { completeAttempt } from './lib/identity/complete-identity.js'
import { beginAttempt, consumeAttempt, type Attempt, type IdentityDeps } from './lib/identity/identity-attempt.js'
import { callbackOf } from './lib/identity/identity-providers.js'

const advice = {
  identity_denied: 'Nothing was changed. You can start again whenever you like.',
  identity_exchange_failed: 'Start again. If this happens every time, show this page to an admin: the test of the ' +
    'provider in the settings says more. The callback URL is {callback}.',
  identity_state_mismatch: 'Start again, in this browser: an attempt lasts ten minutes and works once. If this ' +
    'happens every time, you use another address of this site than the provider sends you back to, {callback}.',
  identity_not_allowed: 'Ask an admin to invite you.',
  identity_email_taken: 'Sign in as before, and connect this account on the page of signing in.',
  identity_taken: 'Sign in as that person, or ask an admin to disconnect the account there.',
  identity_not_found: 'Begin on the page of signing in.'
}

/** Sign-ins are limited by the client's address. */
const limitOf = ({ config: { limits } }: FastifyInstance) =>
  ({ max: limits.sign_ins_per_minute, keyGenerator: ({ ip }: FastifyRequest) => byAddress('sign-in', ip) })

/** @throws identity_not_found, for one that is switched off too */
const requireOffered = async (app: FastifyInstance, workspaceId: string, id: string): Promise<ProviderRow> => {
  const provider = await findProvider(app.db, workspaceId, id)
  if (!provider?.enabled) throw IdentityNotFound()
  return provider
}

/** @returns the person who began to connect. @throws identity_state_mismatch when the browser's session is another */
const requireLinker = async (app: FastifyInstance, request: FastifyRequest, linker: NonNullable<Attempt['linker']>) => {
  await app.authenticate(request).catch(() => { throw IdentityStateMismatch() })
  const { via_id, user_id } = request.principal
  if (via_id !== linker.session_id || user_id !== linker.user_id) throw IdentityStateMismatch()
  return request.principal
}

const callbackErrors = [IdentityDenied, IdentityExchangeFailed, IdentityStateMismatch, IdentityNotAllowed,
  IdentityNotFound, IdentityEmailTaken, IdentityTaken, IdentityUnavailable]

/** Signing in with OpenID providers. Browsers open these routes without credentials. */
const identitySignIn = (deps: IdentityDeps): FastifyPluginAsyncTypebox => async (app) => {
  app.publish(app, 'gives credentials')
  explainToBrowsers(app, {
    advice,
    root: '../../',
    callbackOf: (request) => `${app.workspaces.browserOrigin(request)}${request.url.split('/', 3).join('/')}/callback`
  })
  const cookies = attemptCookies(app, 'identity', attemptSeconds)
  const homeOf = (origin: string) => `${origin}${app.hasRoute({ method: 'GET', url: '/' }) ? '/' : '/setup'}`

  const finish = async (request: FastifyRequest, reply: FastifyReply, provider: ProviderRow, attempt: Attempt,
    query: EndIdentity) => {
    const linker = attempt.linker && await requireLinker(app, request, attempt.linker)
    const browser = browserOf(app, request, provider.workspace_id)
    const callback = callbackOf(app.workspaces.browserOrigin(request), provider.id)
    await completeAttempt(deps, { provider, attempt, linker, browser, callback, query })
    if (!linker) setSessionCookie(app, reply, browser)
  }

  app.get('/offer', {
    schema: {
      operationId: 'getIdentitySignIn',
      summary: 'With which identity providers can one sign in?',
      description: 'What the page of signing in needs to know, at the host name of a workspace. Needs no credentials.',
      tags: ['account'],
      security: [],
      response: { 200: IdentityOffer }
    }
  }, async (request) => {
    const providers = await listProviders(app.db, await app.workspaces.workspaceOf(request))
    return { providers: providers.filter(({ enabled }) => enabled).map(({ id, name }) => ({ id, name })) }
  })

  app.get('/:provider_id/authorize', {
    exposeHeadRoute: false,
    config: { rateLimit: limitOf(app), errors: [IdentityNotFound, IdentityUnavailable] },
    schema: {
      operationId: 'startIdentitySignIn',
      summary: 'Sign in with an identity provider',
      description: 'Open it in a browser: it leads to the provider, and back to the callback within ten minutes. ' +
        'Browsers get errors as a page.',
      tags: ['account'],
      security: [],
      params: ProviderParams,
      querystring: BeginIdentity,
      response: { 302: Type.Null({ description: 'To the provider' }) }
    }
  }, async (request, reply) => {
    const workspaceId = await app.workspaces.workspaceOf(request)
    const origin = app.workspaces.browserOrigin(request)
    const returnTo = parseReturnTo(request.query.return_to, homeOf(origin))
    const provider = await requireOffered(app, workspaceId, request.params.provider_id)
    const binding = cookies.fresh(workspaceId)
    const begun = await beginAttempt(deps, provider,
      { callback: callbackOf(origin, provider.id), returnTo, binding, linker: null })
    cookies.keep(request, reply, begun.state, binding)
    return reply.header('cache-control', 'no-store').redirect(begun.url, 302)
  })

  app.get('/:provider_id/callback', {
    exposeHeadRoute: false,
    config: {
      openQuery: 'a provider may add parameters, which a client must ignore (RFC 6749, 4.1.2)',
      rateLimit: limitOf(app),
      errors: callbackErrors
    },
    schema: {
      operationId: 'completeIdentitySignIn',
      summary: 'Where an identity provider sends the browser back to',
      description: 'Signs the browser in, or connects the person who began it, and redirects. Each state works ' +
        'once, in the browser and for the provider that it was issued to. Browsers get errors as a page.',
      tags: ['account'],
      security: [],
      params: ProviderParams,
      querystring: EndIdentity,
      response: { 302: Type.Null({ description: 'Signed in or connected' }) }
    }
  }, async (request, reply) => {
    const { query, params: { provider_id: providerId } } = request
    const binding = cookies.take(request, reply, query.state ?? '')
    const workspaceId = binding === undefined ? undefined : await cookies.beganIn(request, binding)
    if (binding === undefined || workspaceId === undefined) throw IdentityStateMismatch()
    const attempt = await consumeAttempt(deps, workspaceId, providerId, query.state ?? '', binding)
    await finish(request, reply, await requireOffered(app, workspaceId, providerId), attempt, query)
    return reply.header('cache-control', 'no-store').redirect(attempt.returnTo, 302)
  })
}

export default identitySignIn
