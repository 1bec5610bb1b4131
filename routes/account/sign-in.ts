import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cookieName, idleSeconds, refuseForeignPage } from '../../plugins/auth.js'
import { freshToken, hashToken, isWellFormedToken } from '../../plugins/tokens.js'
import { SignedIn, SignIn } from '../../schemas/account/sessions.js'
import { CsrfRejected, Unauthenticated } from '../../schemas/errors.js'
import { LinkExpired, LinkUsed } from './lib/errors.js'
import { removeSetupFile } from './lib/setup-link.js'
import { absoluteSeconds, signIn } from './lib/sign-in.js'

/** The one operation of the area that needs no credentials: it gives them. */
const signInRoute: FastifyPluginAsyncTypebox = async (app) => {
  const name = cookieName(app)
  const cookie = {
    path: '/', httpOnly: true, secure: name.startsWith('__Host-'), sameSite: 'lax', maxAge: absoluteSeconds
  } as const

  app.post('/sign-in', {
    config: { errors: [Unauthenticated, CsrfRejected, LinkUsed, LinkExpired] },
    onRequest: async (request) => refuseForeignPage(app, request),
    schema: {
      operationId: 'createBrowserSession',
      summary: 'Sign in with a one-time link',
      description: 'Uses up the link and sets the cookie of a new browser session: 12 hours idle, 7 days at most.',
      tags: ['account'],
      security: [],
      body: SignIn,
      response: { 200: SignedIn }
    }
  }, async (request, reply) => {
    const { body, cookies, headers } = request
    if (!isWellFormedToken('link', body.token)) throw Unauthenticated('The link is not known')
    const fresh = freshToken('sess')
    const held = cookies[name]
    const { user, purpose } = await signIn(app.db, hashToken(body.token), {
      hash: fresh.hash,
      previous: held === undefined ? undefined : hashToken(held),
      userAgent: headers['user-agent']?.slice(0, 300) ?? null,
      address: request.ip,
      requestId: request.id,
      idleSeconds
    })
    if (purpose === 'bootstrap' || user.role === 'admin') removeSetupFile(app.config)
    reply.setCookie(name, fresh.text, cookie).header('cache-control', 'no-store')
    return { user }
  })
}

export default signInRoute
