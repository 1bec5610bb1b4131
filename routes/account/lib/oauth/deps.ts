import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type Provider from 'oidc-provider'
import type { Adapter, errors as Errors } from 'oidc-provider'
import { issueToken, type FreshToken } from '../../../../lib/security/tokens.js'

/** How the library names a person and a consent: with the workspace, in which both are looked up. */
export interface Located { workspaceId: string, id: string }

export const located = ({ workspaceId, id }: Located): string => `${workspaceId}.${id}`

const form = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/

/** @returns undefined for what we did not write */
export const locate = (text: string | undefined): Located | undefined => {
  const [, workspaceId, id] = form.exec(text ?? '') ?? []
  return workspaceId !== undefined && id !== undefined ? { workspaceId, id } : undefined
}

/** Where the authorization server has what; its metadata (RFC 8414) says so to clients. */
export const paths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device_authorization',
  code_verification: '/oauth/device',
  jwks: '/oauth/jwks'
} as const

export const discovery = '/.well-known/oauth-authorization-server'

/** The browser's way to the consent; the cookie that binds it to this browser goes nowhere else. */
export const consentPath = (requestId: string): string => `/oauth/consents/${requestId}`

/** The page of the web client. */
export const consentPage = (requestId: string): string => `/#/connect/${requestId}`

/**
 * Seconds. Within them a refresh that is repeated, because its answer was lost or two of a client's processes came at
 * once, gets the tokens of the first again, unless the new refresh token was used already.
 */
export const repeatSeconds = 30

type Deps = Pick<OauthDeps, 'home' | 'secrets'>

/**
 * What a refresh gives follows from the token that it is asked with and from SECRET_KEY: so the same question has the
 * same answer at every instance, nothing of the answer is kept, and two who hold one token stay on one line, on which
 * the second one to come late is seen.
 * @param scope that the access token has: one of other scopes is another token
 */
export const successorOf = ({ home, secrets }: Deps, kind: 'oat' | 'ort', workspaceId: string, refreshToken: string,
  scope = ''): FreshToken => {
  const [key] = secrets.keysFor('oauth-refresh')
  if (key === undefined) throw new Error('No secret key')
  const digest = createHmac('sha256', key).update(JSON.stringify([kind, refreshToken, scope])).digest()
  return issueToken({ home }, kind, workspaceId, digest)
}

/** What the authorization server is given. */
export type OauthDeps = Pick<FastifyInstance, 'db' | 'home' | 'secrets' | 'config' | 'outbound' | 'log' | 'unnumbered'>

/** What of the library is loaded when it is needed. */
export interface Library { Provider: typeof Provider, errors: typeof Errors }

export const day = 86_400

/** Seconds. A consent holds 90 days at most, and 30 after its last refresh. */
export const lives = { access: 900, refresh: 30 * day, grant: 90 * day, code: 60, deviceCode: 900, consent: 900 }

/** What the library asks of a store, of which each of ours does a part. */
export class Refusing implements Adapter {
  constructor (private readonly model: string) {}

  #refuse (): Promise<never> {
    return Promise.reject(new Error(`${this.model} is not kept in this way`))
  }

  upsert (..._: Parameters<Adapter['upsert']>): ReturnType<Adapter['upsert']> { return this.#refuse() }
  find (..._: Parameters<Adapter['find']>): ReturnType<Adapter['find']> { return this.#refuse() }
  findByUserCode (..._: Parameters<Adapter['findByUserCode']>): ReturnType<Adapter['find']> { return this.#refuse() }
  findByUid (..._: Parameters<Adapter['findByUid']>): ReturnType<Adapter['find']> { return this.#refuse() }
  consume (..._: Parameters<Adapter['consume']>): ReturnType<Adapter['consume']> { return this.#refuse() }
  destroy (..._: Parameters<Adapter['destroy']>): ReturnType<Adapter['destroy']> { return this.#refuse() }
  revokeByGrantId (..._: Parameters<Adapter['revokeByGrantId']>): ReturnType<Adapter['consume']> {
    return this.#refuse()
  }
}
