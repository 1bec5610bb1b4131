import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { requireOwnPage } from '../../lib/security/requests.js'
import { browserOf, setSessionCookie } from '../../lib/security/browser-session.js'
import { RefusedCredentials } from '../../lib/security/refused-credentials.js'
import { keyOfToken } from '../../lib/security/tokens.js'
import { SignedIn, SignIn } from '../../schemas/account/sessions.js'
import { ApiError, CsrfRejected, Unauthenticated } from '../../schemas/errors.js'
import { LinkExpired, LinkUsed } from './lib/errors.js'
import { removeSetupFile, signIn } from './lib/people/invite.js'

/** The one operation of the area that needs no credentials: it gives them. */
const signInRoute: FastifyPluginAsyncTypebox = async (app) => {
  const refused = new RefusedCredentials(app.config.limits.refused_credentials_per_minute)
  const useLink = async (request: FastifyRequest, token: string) => {
    const { ip } = request
    try {
      const link = keyOfToken(app, 'link', token)
      const host = await app.workspaces.of(request)
      const isHere = link !== undefined && (host === undefined || host === link.workspaceId)
      if (!isHere) throw Unauthenticated('The link is not known')
      const browser = browserOf(app, request, link.workspaceId)
      return { ...await signIn(app.db, link, browser), browser }
    } catch (error) {
      throw error instanceof ApiError && error.statusCode === 401 ? refused.count(ip, error) : error
    }
  }
  app.post('/sign-in', {
    config: {
      public: 'takes a one-time link and gives credentials',
      refuses: { unauthenticated: 'the link is not known' },
      errors: [Unauthenticated, CsrfRejected, LinkUsed, LinkExpired]
    },
    onRequest: async (request) => requireOwnPage(app, request),
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
    const { user, purpose, browser } = await useLink(request, request.body.token)
    const isHome = browser.workspaceId === app.home.workspace_id
    if (isHome && (purpose === 'bootstrap' || user.role === 'admin')) removeSetupFile(app.config)
    setSessionCookie(app, reply, browser)
    return { user }
  })
}

export default signInRoute
