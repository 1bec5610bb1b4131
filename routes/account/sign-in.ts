import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { refuseForeignPage } from '../../plugins/auth.js'
import { browserOf, setSessionCookie } from '../../plugins/browser-session.js'
import { hashToken, isWellFormedToken } from '../../plugins/tokens.js'
import { SignedIn, SignIn } from '../../schemas/account/sessions.js'
import { CsrfRejected, Unauthenticated } from '../../schemas/errors.js'
import { LinkExpired, LinkUsed } from './lib/errors.js'
import { removeSetupFile } from './lib/setup-link.js'
import { signIn } from './lib/sign-in.js'

/** The one operation of the area that needs no credentials: it gives them. */
const signInRoute: FastifyPluginAsyncTypebox = async (app) => {
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
    if (!isWellFormedToken('link', request.body.token)) throw Unauthenticated('The link is not known')
    const browser = browserOf(app, request)
    const { user, purpose } = await signIn(app.db, hashToken(request.body.token), browser)
    if (purpose === 'bootstrap' || user.role === 'admin') removeSetupFile(app.config)
    setSessionCookie(app, reply, browser)
    return { user }
  })
}

export default signInRoute
