import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieName } from './browser-session.js'

/** Attempts that one browser may have open; the next one deletes the cookies of all of them. */
const maxOpen = 20

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** @returns the suffix of the cookie that belongs to this state: each tab that signs in has a cookie of its own */
const bindingOf = (state: string): string => hashOf(`binding ${state}`).toString('hex').slice(0, 12)

/**
 * Binds an attempt to sign in elsewhere to a browser: each has a cookie of its own, so that tabs do not break each
 * other.
 * @param kind stands in the cookie's name
 */
export const attemptCookies = (app: FastifyInstance, kind: string, seconds: number) => {
  const prefix = `${cookieName(app)}-${kind}-`
  const options = { path: '/', httpOnly: true, secure: prefix.startsWith('__Host-'), sameSite: 'lax' } as const
  return {
    /** It names the workspace that the attempt is of, unless that is the first: what comes back is looked up there. */
    fresh: (workspaceId: string): string => {
      const random = randomBytes(32).toString('base64url')
      return workspaceId === app.home.workspace_id ? random : `${workspaceId}.${random}`
    },

    keep (request: FastifyRequest, reply: FastifyReply, state: string, binding: string): void {
      const open = Object.keys(request.cookies).filter((name) => name.startsWith(prefix))
      if (open.length >= maxOpen) for (const name of open) reply.clearCookie(name, options)
      reply.setCookie(prefix + bindingOf(state), binding, { ...options, maxAge: seconds })
    },

    /** Deletes the cookie of this state. @returns its value */
    take (request: FastifyRequest, reply: FastifyReply, state: string): string | undefined {
      const name = prefix + bindingOf(state)
      const held = request.cookies[name]
      if (held !== undefined) reply.clearCookie(name, options)
      return held
    },

    /** @returns the workspace in which the attempt of this cookie began; undefined at the host name of another */
    async beganIn (request: FastifyRequest, binding: string): Promise<string | undefined> {
      const begun = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\./.exec(binding)?.[1] ?? app.home.workspace_id
      const host = await app.workspaces.of(request)
      return host === undefined || host === begun ? begun : undefined
    }
  }
}
