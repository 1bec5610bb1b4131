import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authorizationSeconds } from '../../db/codehost/authorizations.js'
import { cookieName } from '../../lib/security/browser-session.js'
import { bindingOf } from './lib/authorization.js'

/** Attempts that one browser may have open; a page that opens more makes the browser forget them all. */
const maxOpen = 20

/** Binds an authorization to a browser: each attempt has a cookie of its own, so that tabs do not break each other. */
export const oauthCookies = (app: FastifyInstance) => {
  const prefix = `${cookieName(app)}-oauth-`
  const options = { path: '/', httpOnly: true, secure: prefix.startsWith('__Host-'), sameSite: 'lax' } as const
  return {
    fresh: (): string => randomBytes(32).toString('base64url'),

    keep (request: FastifyRequest, reply: FastifyReply, state: string, binding: string): void {
      const open = Object.keys(request.cookies).filter((name) => name.startsWith(prefix))
      if (open.length >= maxOpen) for (const name of open) reply.clearCookie(name, options)
      reply.setCookie(prefix + bindingOf(state), binding, { ...options, maxAge: authorizationSeconds })
    },

    /** @returns what the browser was given for this state, which it does not hold any more */
    take (request: FastifyRequest, reply: FastifyReply, state: string): string | undefined {
      const name = prefix + bindingOf(state)
      const held = request.cookies[name]
      if (held !== undefined) reply.clearCookie(name, options)
      return held
    }
  }
}
