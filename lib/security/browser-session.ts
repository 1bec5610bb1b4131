import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { voidLinks, endSessionByHash, insertSession } from '../../db/account/sessions.js'
import { insertAudit } from '../../db/audit.js'
import type { Db } from '../../db/index.js'
import type { Role } from '../../db/types.js'
import { type FreshToken, issueToken, keyOfToken, type TokenKey } from './tokens.js'

export const idleSeconds = 12 * 3600
export const absoluteSeconds = 7 * 86_400

export const cookieName = (app: FastifyInstance): string =>
  app.config.publicUrl.startsWith('https:') ? '__Host-steward' : 'steward'

/** A browser that is about to be signed in. */
export interface Browser {
  workspaceId: string
  fresh: FreshToken
  /** Of the session that the browser held until now, maybe in another workspace. */
  previous: TokenKey | undefined
  userAgent: string | null
  address: string
  requestId: string
}

/** @param workspaceId into which the browser is signed in */
export const browserOf = (app: FastifyInstance, request: FastifyRequest, workspaceId: string): Browser => {
  const held = request.cookies[cookieName(app)]
  return {
    workspaceId,
    fresh: issueToken(app, 'sess', workspaceId),
    previous: held === undefined ? undefined : keyOfToken(app, 'sess', held),
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    address: request.ip,
    requestId: request.id
  }
}

interface SignedIn { id: string, role: Role }
interface Reason { operation: string, target: string, status: number }

/**
 * Begins a browser session, ends the one that the browser held, and leaves the audit row. Once an admin is in, no
 * start-up link works any more.
 * @param user active, and locked in this transaction: see recordSignIn
 * @param letInBy the colleague whose link was used
 * @returns the session's id
 */
export const beginSession = async (trx: Db, workspaceId: string, user: SignedIn, browser: Browser,
  reason: Reason, letInBy: string | null = null): Promise<string> => {
  if (user.role === 'admin') await voidLinks(trx, workspaceId, { purpose: 'bootstrap' })
  const { previous } = browser
  if (previous) await endSessionByHash(trx, previous.workspaceId, previous.hash)
  const who = { workspace_id: workspaceId, user_id: user.id }
  const session = { ...who, hash: browser.fresh.hash, user_agent: browser.userAgent, let_in_by: letInBy }
  const id = await insertSession(trx, session, idleSeconds, absoluteSeconds)
  await insertAudit(trx, {
    ...who,
    ...reason,
    via: 'browser',
    via_id: id,
    outcome: 'succeeded',
    remote_address: browser.address,
    request_id: browser.requestId
  })
  return id
}

export const setSessionCookie = (app: FastifyInstance, reply: FastifyReply, { fresh }: Browser) => {
  const name = cookieName(app)
  const secure = name.startsWith('__Host-')
  const options = { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: absoluteSeconds } as const
  return reply.setCookie(name, fresh.text, options).header('cache-control', 'no-store')
}

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
