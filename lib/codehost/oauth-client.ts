import type fastifyOauth2 from '@fastify/oauth2'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CodehostBadResponse, CodehostError, CodehostTimeout } from '../../schemas/codehost/errors.js'
import type { CodehostAddresses } from './addresses.js'
import { limitIn, rateLimited } from './errors.js'
import { readTokenAnswer, type IssuedTokens } from './encrypted-tokens.js'

/** The code host answered with a refusal. */
export class TokenRefused extends Error {
  /** @param reason the OAuth error's code, `no_access_token` or `unknown` */
  constructor (readonly reason: string) {
    super(`The code host refused: ${reason}`)
  }

  /** It does not know us: no word about the code or the token that was sent. */
  get ofClient (): boolean {
    return ['invalid_client', 'incorrect_client_credentials', 'unauthorized_client'].includes(this.reason)
  }

  /** What was sent is used up, revoked or never was. */
  get ofGrant (): boolean {
    return ['bad_refresh_token', 'bad_verification_code', 'invalid_grant'].includes(this.reason)
  }
}

/** What one authorization keeps between its two halves; the browser holds neither. */
export interface Transaction { state: string, verifier: string | null }

export interface OauthSettings {
  addresses: CodehostAddresses
  client: { id: string, secret: string }
  pkce: boolean
  timeoutMs: number
}

const maxBytes = 65_536
/** Refusals with status 200 that mean: not now. Values: seconds to wait, as GitHub advises where an answer has none. */
const limits = new Set(['slow_down', 'rate_limited', 'rate_limit_exceeded', 'temporarily_unavailable'])
const limitS = 60
const stateCookie = 'state'
const verifierCookie = 'verifier'

type Provider = fastifyOauth2.OAuth2Namespace

/** What @fastify/oauth2 reads of a request and writes to a reply: the cookies are kept here, not in the browser. */
interface Jar { redirectUri: string, query: Record<string, string>, cookies: Record<string, string> }

/** By the request that is made of each, which is what `callbackUri` is given. */
const redirects = new WeakMap<object, string>()

const requestOf = ({ redirectUri, query, cookies }: Jar) => {
  const looked: Pick<FastifyRequest, 'query' | 'cookies'> = { query, cookies }
  redirects.set(looked, redirectUri)
  // It reads these fields only.
  return looked as FastifyRequest
}

const replyOf = ({ cookies }: Jar) => {
  const setCookie = (name: string, value: string) => { cookies[name] = value }
  // setCookie is all that it calls.
  return { setCookie } as Pick<FastifyReply, 'setCookie'> as FastifyReply
}

/** @returns the body as bytes: the client parses nothing here, and spreads the bytes over an object */
const textOf = (token: object): string => {
  const bytes = Object.entries(token).filter(([name]) => /^\d+$/.test(name)).map(([, byte]) => Number(byte))
  return Buffer.from(bytes).toString('utf8')
}

/** What the HTTP client of @fastify/oauth2 throws. */
interface Thrown {
  output?: { statusCode?: number }
  data?: { isResponseError?: boolean, payload?: unknown, headers?: Record<string, string | undefined> }
}

const jsonIn = (payload: unknown): unknown => {
  try {
    return JSON.parse(String(payload))
  } catch {
    return undefined
  }
}

const failureOf = (error: Thrown): Error => {
  const status = error.output?.statusCode ?? 0
  if (!error.data?.isResponseError) {
    if (status === 504 || status === 408) return CodehostTimeout()
    return status === 502 ? CodehostError() : CodehostBadResponse()
  }
  const limited = limitIn({ status, response: { headers: error.data.headers, data: jsonIn(error.data.payload) } })
  if (limited) return limited
  if (status >= 500) return CodehostError()
  const answer = readTokenAnswer(String(error.data.payload ?? ''))
  const reason = 'refused' in answer && answer.refused !== 'no_access_token' ? answer.refused : 'unknown'
  return new TokenRefused(status === 401 && reason === 'unknown' ? 'invalid_client' : reason)
}

const load = async ({ addresses, client, pkce, timeoutMs }: OauthSettings) => {
  const [{ default: oauth2 }, { default: Fastify }] = await Promise.all([import('@fastify/oauth2'), import('fastify')])
  const { origin, pathname } = new URL(addresses.web)
  const base = `${pathname.replace(/\/$/, '')}/login/oauth`
  const auth = { tokenHost: origin, tokenPath: `${base}/access_token`, authorizePath: `${base}/authorize` }
  // No route belongs to it: it only carries the decorations.
  const host = Fastify()
  for (const [name, authorizationMethod] of [['inBody', 'body'], ['inHeader', 'header']] as const) {
    await host.register(oauth2, {
      name,
      // Each authorization names its own.
      scope: [],
      credentials: {
        client,
        auth,
        // Hosts differ in how they answer; timeout in milliseconds.
        http: { json: false, timeout: timeoutMs, maxBytes },
        options: { authorizationMethod }
      },
      callbackUri: (request) => redirects.get(request) ?? '',
      redirectStateCookieName: stateCookie,
      verifierCookieName: verifierCookie,
      userAgent: 'steward',
      ...(pkce && { pkce: 'S256' as const })
    })
  }
  await host.ready()
  const { oauth2InBody: inBody, oauth2InHeader: inHeader } = host
  if (!inBody || !inHeader) throw new Error('@fastify/oauth2 did not register')
  return { inBody, inHeader }
}

/** The OAuth side of the code host. @fastify/oauth2 is loaded at the first sign-in. */
export class OauthClient {
  #loaded: ReturnType<typeof load> | undefined
  /** GitHub reads the secret from the body; other hosts want it in a header, and say so when they do not get it. */
  #inHeader = false

  constructor (private readonly settings: OauthSettings) {}

  /** @returns where the browser goes, and what is kept until it comes back */
  async begin (redirectUri: string, scopes: string[]): Promise<Transaction & { url: string }> {
    const { inBody } = await this.#load()
    const jar: Jar = { redirectUri, query: {}, cookies: {} }
    const url = new URL(await inBody.generateAuthorizationUri(requestOf(jar), replyOf(jar)))
    url.searchParams.delete('scope')
    if (scopes.length > 0) url.searchParams.set('scope', scopes.join(' '))
    const { [stateCookie]: state = '', [verifierCookie]: verifier = null } = jar.cookies
    return { url: url.href, state, verifier }
  }

  /** @throws TokenRefused, codehost_error, codehost_bad_response, codehost_timeout, codehost_rate_limited */
  exchange (redirectUri: string, code: string, { state, verifier }: Transaction): Promise<IssuedTokens> {
    const cookies = { [stateCookie]: state, ...(verifier !== null && { [verifierCookie]: verifier }) }
    const jar: Jar = { redirectUri, query: { code, state }, cookies }
    return this.#ask((provider) => provider.getAccessTokenFromAuthorizationCodeFlow(requestOf(jar)))
  }

  /** Uses the refresh token up. @throws as `exchange` */
  refresh (refreshToken: string): Promise<IssuedTokens> {
    const token = { token_type: 'Bearer', access_token: '', refresh_token: refreshToken } as fastifyOauth2.Token
    return this.#ask((provider) => provider.getNewAccessTokenUsingRefreshToken(token, {}))
  }

  #load () {
    this.#loaded ??= load(this.settings)
    return this.#loaded
  }

  async #ask (send: (provider: Provider) => Promise<fastifyOauth2.OAuth2Token>): Promise<IssuedTokens> {
    try {
      return await this.#send(send, this.#inHeader)
    } catch (error) {
      if (!(error instanceof TokenRefused) || !error.ofClient) throw error
      const tokens = await this.#send(send, !this.#inHeader)
      this.#inHeader = !this.#inHeader
      return tokens
    }
  }

  async #send (send: (provider: Provider) => Promise<fastifyOauth2.OAuth2Token>, inHeader: boolean) {
    const loaded = await this.#load()
    const { token } = await send(inHeader ? loaded.inHeader : loaded.inBody).catch((error: Thrown) => {
      throw failureOf(error)
    })
    const answer = readTokenAnswer(textOf(token))
    if ('refused' in answer) throw limits.has(answer.refused) ? rateLimited(limitS) : new TokenRefused(answer.refused)
    return answer
  }
}
