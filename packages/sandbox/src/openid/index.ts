import { createHash, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeJwt, makeKey, type Signing } from './tokens.js'

export { makeKey } from './tokens.js'

type Claims = Record<string, unknown>

/** What it does next; a test changes it at will. */
export interface Behaviour {
  /** Who signs in: claims of the ID token. */
  person: Claims
  /** Claims of the user info alone. */
  info: Claims
  /** Over the claims of the next ID tokens: a wrong audience, an old time. */
  forged: Claims
  signing: Signing
  /** Over the discovery document; undefined leaves a member out. */
  metadata: Claims
  /** The `iss` of the way back; null = none. */
  iss: string | null | undefined
  /** The provider is down: every answer is this. */
  status: number | undefined
  /** Whether refresh tokens are refused. */
  revoked: boolean
  /** Whether it gives refresh tokens. */
  refreshes: boolean
  /** How far its clock is off, in seconds. */
  offS: number
  /** Where it redirects everything to. */
  redirect: string | undefined
}

/** Where a company is that shares the provider with others: `/<tenant>/v2.0`, as Entra ID has them. */
const tenantPath = /^(?:\/([^/]+)\/v2\.0)?(\/.*)$/

/** At these nobody knows yet of which company a person is: the document has a placeholder where the company stands. */
const shared = new Set(['common', 'organizations'])

interface Code { nonce: string | undefined, challenge: string | undefined, redirectUri: string, person: Claims }

const fresh = (): Behaviour => ({
  person: { sub: 'ada' },
  info: {},
  forged: {},
  signing: 'RS256',
  metadata: {},
  iss: undefined,
  status: undefined,
  revoked: false,
  refreshes: true,
  offS: 0,
  redirect: undefined
})

const readBody = async (request: http.IncomingMessage): Promise<URLSearchParams> => {
  let text = ''
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString()
  return new URLSearchParams(text)
}

interface Answer { status: number, body?: object, location?: string }

const refuse = (error: string, status = 400): Answer => ({ status, body: { error } })

/** An OpenID provider: discovery, the code flow with PKCE, user info, refresh, logout tokens. */
export class OpenidSandbox {
  readonly client = { id: 'steward', secret: 'sandbox-openid-secret' }
  readonly key = makeKey()
  behaviour = fresh()
  /** Requests that it was sent, by path. */
  readonly requests: string[] = []
  issuer = ''
  readonly #codes = new Map<string, Code>()
  readonly #grants = new Map<string, Claims>()
  readonly #server = http.createServer((request, response) => { void this.#serve(request, response) })

  async start (): Promise<void> {
    await new Promise<void>((resolve) => { this.#server.listen(0, '127.0.0.1', resolve) })
    // A server that listens on TCP has such an address.
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close (): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => { this.#server.close(resolve) })
  }

  reset (): void {
    this.behaviour = fresh()
  }

  /** @returns a logout token of this provider; claims that are undefined are left out */
  logoutToken (claims: Claims, how: Signing = 'RS256', typ = 'logout+jwt'): string {
    const at = this.#now()
    return makeJwt(this.key, {
      iss: this.issuer,
      aud: this.client.id,
      iat: at,
      exp: at + 120,
      jti: randomUUID(),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      ...claims
    }, how, typ)
  }

  #now (): number {
    return Math.floor(Date.now() / 1_000) + this.behaviour.offS
  }

  async #serve (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer)
    this.requests.push(`${request.method} ${url.pathname}`)
    const { status, body, location } = await this.#answer(request, url)
    const date = new Date(Date.now() + this.behaviour.offS * 1_000).toUTCString()
    response.writeHead(status, { date, 'content-type': 'application/json', ...(location && { location }) })
    response.end(body && JSON.stringify(body))
  }

  async #answer (request: http.IncomingMessage, url: URL): Promise<Answer> {
    const { status, redirect } = this.behaviour
    if (status !== undefined) return { status, body: {} }
    if (redirect !== undefined && url.pathname !== '/authorize') return { status: 302, location: redirect }
    const [, tenant, path] = tenantPath.exec(url.pathname) ?? []
    switch (path) {
      case '/.well-known/openid-configuration': return { status: 200, body: this.#metadata(tenant) }
      case '/jwks': return { status: 200, body: { keys: [this.key.jwk] } }
      case '/authorize': return this.#authorize(url.searchParams)
      case '/token': return this.#token(request, await readBody(request))
      case '/userinfo': return this.#info(request)
      default: return { status: 404, body: {} }
    }
  }

  /** @returns the issuer of the company's people; of nobody in particular, the provider's own */
  issuerOf (tenant: unknown): string {
    return typeof tenant === 'string' ? `${this.issuer}/${tenant}/v2.0` : this.issuer
  }

  #metadata (tenant: string | undefined): Claims {
    const base = this.issuerOf(tenant)
    return {
      issuer: shared.has(tenant ?? '') ? this.issuerOf('{tenantid}') : base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      userinfo_endpoint: `${base}/userinfo`,
      end_session_endpoint: `${base}/logout`,
      jwks_uri: `${base}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      ...this.behaviour.metadata
    }
  }

  #authorize (query: URLSearchParams): Answer {
    const code = randomUUID()
    const redirectUri = query.get('redirect_uri') ?? ''
    const { person, iss = this.issuerOf(this.behaviour.person.tid) } = this.behaviour
    this.#codes.set(code, {
      nonce: query.get('nonce') ?? undefined, challenge: query.get('code_challenge') ?? undefined, redirectUri, person
    })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    if (iss !== null) back.searchParams.set('iss', iss)
    return { status: 302, location: back.href }
  }

  #isClient ({ headers }: http.IncomingMessage, body: URLSearchParams): boolean {
    const [id, secret] = body.has('client_secret')
      ? [body.get('client_id'), body.get('client_secret')]
      : Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString().split(':')
        .map(decodeURIComponent)
    return id === this.client.id && secret === this.client.secret
  }

  #token (request: http.IncomingMessage, body: URLSearchParams): Answer {
    if (!this.#isClient(request, body)) return refuse('invalid_client', 401)
    if (body.get('grant_type') === 'refresh_token') return this.#refresh(body.get('refresh_token') ?? '')
    const code = this.#codes.get(body.get('code') ?? '')
    this.#codes.delete(body.get('code') ?? '')
    const hash = createHash('sha256').update(body.get('code_verifier') ?? '').digest('base64url')
    const isRight = code?.challenge === hash && code.redirectUri === body.get('redirect_uri')
    if (!code || !isRight) return refuse('invalid_grant')
    return this.#issue(code.person, code.nonce)
  }

  /** Rotates: each refresh token works once. */
  #refresh (token: string): Answer {
    const person = this.#grants.get(token)
    this.#grants.delete(token)
    if (!person || this.behaviour.revoked) return refuse('invalid_grant')
    return this.#issue({ ...person, ...this.behaviour.info }, undefined)
  }

  #issue (person: Claims, nonce: string | undefined): Answer {
    const at = this.#now()
    const { forged, signing, refreshes } = this.behaviour
    const about = { iss: this.issuerOf(person.tid), aud: this.client.id, iat: at, exp: at + 300, nonce }
    const claims = { ...about, ...person, ...forged }
    const [access, refresh] = [randomUUID(), randomUUID()]
    this.#grants.set(access, person)
    this.#grants.set(refresh, person)
    const tokens = { access_token: access, token_type: 'Bearer', id_token: makeJwt(this.key, claims, signing) }
    return { status: 200, body: { ...tokens, ...(refreshes && { refresh_token: refresh }) } }
  }

  #info ({ headers }: http.IncomingMessage): Answer {
    const person = this.#grants.get(String(headers.authorization).replace('Bearer ', ''))
    if (!person || this.behaviour.revoked) return refuse('invalid_token', 401)
    return { status: 200, body: { ...person, ...this.behaviour.info } }
  }
}

export const startOpenidSandbox = async (): Promise<OpenidSandbox> => {
  const sandbox = new OpenidSandbox()
  await sandbox.start()
  return sandbox
}
