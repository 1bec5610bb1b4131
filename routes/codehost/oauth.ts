import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { authorizationSeconds } from '../../db/codehost/identities.js'
import { byAddress, parseReturnTo } from '../../lib/http/addresses.js'
import { attemptCookies, browserOf, setSessionCookie } from '../../lib/security/browser-session.js'
import type { Principal } from '../../lib/security/principal.js'
import { OperationSignatureRequired } from '../../schemas/account/passkeys.js'
import { BeginAuthorization, EndAuthorization, SignInOffer } from '../../schemas/codehost/connection.js'
import { ApiError, CsrfRejected, Unauthenticated } from '../../schemas/errors.js'
import {
  beginAuthorization, consumeAuthorization, type Authorization, endAuthorization, linkAccount, proveAccount,
  type Proof
} from './lib/accounts/prove-account.js'
import {
  CodehostAccountTaken, CodehostNotConfigured, CodehostOtherAccount, OauthDenied, OauthExchangeFailed,
  OauthStateMismatch, SignInNotAllowed, upstreamErrors
} from './lib/access.js'
import { signIn } from './lib/accounts/sign-in.js'
import { explainErrors } from './oauth-pages.js'

const callbackOf = (origin: string) => `${origin}/codehost-oauth/callback`

/** @returns the person signed in in this browser. @throws unauthenticated; csrf_rejected for another site's link */
const linkerOf = async (app: FastifyInstance, request: FastifyRequest): Promise<Principal> => {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') throw CsrfRejected('Connect your account from a page of this site')
  await app.authenticate(request)
  if (request.principal.via !== 'browser') throw Unauthenticated('An account is connected in a browser')
  // Opening a link signs nothing: a session that was taken over would make itself a way in.
  if (await app.demandsSignature(request.principal, 'own')) {
    throw OperationSignatureRequired('Connect your account in Settings, Connections: it takes your passkey')
  }
  return request.principal
}

/** @returns the person who began to link. @throws oauth_state_mismatch when the browser's session is not the same */
const sameLinker = async (app: FastifyInstance, request: FastifyRequest, begun: Authorization): Promise<Principal> => {
  await app.authenticate(request).catch(() => { throw OauthStateMismatch() })
  if (request.principal.via_id !== begun.session_id) throw OauthStateMismatch()
  return request.principal
}

const admit = async (app: FastifyInstance, request: FastifyRequest, reply: FastifyReply, begun: Authorization,
  proof: Proof): Promise<void> => {
  if (begun.mode === 'link') {
    const linker = await sameLinker(app, request, begun)
    return linkAccount(app, linker, proof, { address: request.ip, requestId: request.id })
  }
  const browser = browserOf(app, request, begun.workspaceId)
  await signIn(app, proof, browser)
  setSessionCookie(app, reply, browser)
}

const complete = async (app: FastifyInstance, request: FastifyRequest, reply: FastifyReply, begun: Authorization,
  proof: Proof): Promise<void> => {
  try {
    await admit(app, request, reply, begun, proof)
  } catch (error) {
    if (error instanceof ApiError) {
      await endAuthorization(app, proof, {
        workspaceId: begun.workspaceId,
        error,
        userId: begun.user_id,
        address: request.ip,
        requestId: request.id
      })
    }
    throw error
  }
}

/** @returns the code. @throws oauth_denied, oauth_exchange_failed */
const codeOf = ({ code, error }: EndAuthorization): string => {
  if (error === 'access_denied') throw OauthDenied()
  if (code !== undefined && error === undefined) return code
  throw OauthExchangeFailed()
}

/** @throws oauth_state_mismatch at the host name of another workspace */
const beganIn = async (cookies: ReturnType<typeof attemptCookies>, request: FastifyRequest, binding: string) => {
  const begun = await cookies.beganIn(request, binding)
  if (begun === undefined) throw OauthStateMismatch()
  return begun
}

/** Sign-ins are limited by the client's address. */
const limitOf = ({ config: { limits } }: FastifyInstance) =>
  ({ max: limits.sign_ins_per_minute, keyGenerator: ({ ip }: FastifyRequest) => byAddress('sign-in', ip) })

const callbackErrors = [OauthDenied, OauthExchangeFailed, OauthStateMismatch, SignInNotAllowed, CodehostAccountTaken,
  CodehostOtherAccount, ...upstreamErrors]

/** Sign-in with the code host, and connecting an account. Browsers open these routes without credentials. */
const oauth: FastifyPluginAsyncTypebox = async (app) => {
  app.publish(app, 'gives credentials; where it connects an account, it asks for them')
  explainErrors(app)
  const cookies = attemptCookies(app, 'oauth', authorizationSeconds)
  const homeOf = (origin: string) => `${origin}${app.hasRoute({ method: 'GET', url: '/' }) ? '/' : '/setup'}`

  app.get('/offer', {
    schema: {
      operationId: 'getCodehostSignIn',
      summary: 'Can one sign in with the code host?',
      description: 'What a page needs to know to offer it. Needs no credentials.',
      tags: ['codehost'],
      security: [],
      response: { 200: SignInOffer }
    }
  }, async () => {
    const { codehost, codehostOauth: { available, name } } = app
    return { available, name, sandboxed: codehost.configured && codehost.addresses.sandboxed }
  })

  app.get('/authorize', {
    exposeHeadRoute: false,
    config: { rateLimit: limitOf(app), errors: [Unauthenticated, CsrfRejected, OperationSignatureRequired, CodehostNotConfigured] },
    schema: {
      operationId: 'startCodehostAuthorization',
      summary: 'Sign in or connect with the code host',
      description: 'Open it in a browser: it leads to the code host, and back to the callback within ten minutes. ' +
        'With mode=link it connects the person who is signed in. Browsers get errors as a page.',
      tags: ['codehost'],
      security: [],
      querystring: BeginAuthorization,
      response: { 302: Type.Null({ description: 'To the code host' }) }
    }
  }, async (request, reply) => {
    const { mode, return_to } = request.query
    const reached = await app.workspaces.workspaceOf(request)
    const origin = app.workspaces.browserOrigin(request)
    const returnTo = parseReturnTo(return_to, homeOf(origin))
    const linker = mode === 'link' ? await linkerOf(app, request) : null
    const workspaceId = linker?.workspace_id ?? reached
    const binding = cookies.fresh(workspaceId)
    const begun = await beginAuthorization(app,
      { workspaceId, redirectUri: callbackOf(origin), returnTo, binding, linker })
    cookies.keep(request, reply, begun.state, binding)
    return reply.header('cache-control', 'no-store').redirect(begun.url, 302)
  })

  app.get('/callback', {
    exposeHeadRoute: false,
    config: {
      openQuery: 'a code host may add parameters, which a client must ignore (RFC 6749, 4.1.2)',
      rateLimit: limitOf(app),
      errors: callbackErrors
    },
    schema: {
      operationId: 'completeCodehostAuthorization',
      summary: 'Where the code host sends the browser back to',
      description: 'Signs the browser in, or connects the person who began it, and redirects to return_to. Each ' +
        'state works once, in the browser that it was issued to. Browsers get errors as a page.',
      tags: ['codehost'],
      security: [],
      querystring: EndAuthorization,
      response: { 302: Type.Null({ description: 'Signed in or connected' }) }
    }
  }, async (request, reply) => {
    const { state = '' } = request.query
    const binding = cookies.take(request, reply, state)
    if (binding === undefined) throw OauthStateMismatch()
    const begun = await consumeAuthorization(app, await beganIn(cookies, request, binding), state, binding)
    const callback = callbackOf(app.workspaces.browserOrigin(request))
    const proof = await proveAccount(app, callback, codeOf(request.query), begun)
    await complete(app, request, reply, begun, proof)
    return reply.header('cache-control', 'no-store').redirect(begun.return_to, 302)
  })
}

export default oauth
