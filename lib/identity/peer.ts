import type * as openid from 'openid-client'
import type { Configuration } from 'openid-client'
import type { Outbound } from '../../plugins/outbound.js'
import { namesNoCompany, SharedIssuer } from './failure.js'

/** Answers larger than this are no answers of a provider. */
const maxBytes = 1_048_576

const bodyless = new Set([204, 205, 304])

interface Options {
  method?: string
  headers?: unknown
  body?: unknown
  signal?: AbortSignal | null | undefined
}

const methods = ['GET', 'POST'] as const

/** Form bodies are texts or parameters; nothing else is sent to a provider. */
const textOf = (body: unknown): string | undefined => body === undefined || body === null ? undefined : String(body)

/**
 * What `fetch` is to the libraries. An address that a provider's document names is checked as an admin's is, and no
 * redirect is followed: a secret goes where the document says, or nowhere.
 */
const guardedFetch = (outbound: Outbound) => async (url: string, options: Options = {}): Promise<Response> => {
  const method = methods.find((one) => one === options.method) ?? 'GET'
  const body = textOf(options.body)
  // The libraries give a record or Headers; both are what Headers takes.
  const headers = Object.fromEntries(new Headers(options.headers as Record<string, string>))
  const answer = await outbound.fetch({
    url,
    method,
    headers,
    maxBytes,
    maxRedirects: 0,
    ...(body !== undefined && { body }),
    ...(options.signal && { signal: options.signal })
  })
  const { 'content-encoding': _, 'content-length': __, ...kept } = answer.headers
  return new Response(bodyless.has(answer.status) ? null : new Uint8Array(answer.body),
    { status: answer.status, headers: kept })
}

/** What is known here of a provider. */
export interface PeerSettings {
  id: string
  revision: number
  issuer: string
  client_id: string
  secret: string | null
}

export type Oidc = typeof openid

/** A provider, discovered. */
export interface Peer { oidc: Oidc, config: Configuration, ask: ReturnType<typeof guardedFetch> }

/** How long a discovery document holds, in milliseconds. */
const holdsMs = 600_000
/** So many providers are kept. */
const maxKept = 200
/** Between two clocks, in seconds. */
export const clockToleranceS = 30

/** @throws Error for a token that says it was issued later than now, which the libraries do not compare */
export const requireIssued = ({ iat }: { iat: number }): void => {
  if (iat <= Date.now() / 1_000 + clockToleranceS) return
  throw Object.assign(new Error('An ID token was issued in the future'), { code: 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' })
}

/** A key that everybody may read signs nothing, so no HS256; and what is not signed is not believed. */
export const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519', 'RS384', 'PS384', 'ES384', 'RS512', 'PS512',
  'ES512']

/** @returns how the client proves itself to the provider */
const authenticationOf = ({ None, ClientSecretBasic, ClientSecretPost }: Oidc, secret: string | null,
  supported: readonly string[] | undefined) => {
  if (secret === null) return None()
  // Without a list it is client_secret_basic (OpenID Connect Discovery 1.0, 3). Where there is a choice it is the body:
  // servers differ in how they read a header whose halves are percent-encoded.
  return supported?.includes('client_secret_post') ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}

/** http is for a network that the operator has allowed: `OUTBOUND_ALLOW` names the host. */
const isPlain = (outbound: Outbound, issuer: string): boolean => issuer.startsWith('http:') && outbound.allows(issuer)

/** Loads a provider's document. @throws errors of openid-client, OutboundError, SharedIssuer */
export const discover = async (outbound: Outbound, timeoutMs: number, settings: PeerSettings): Promise<Peer> => {
  const oidc = await import('openid-client')
  const { issuer, client_id, secret } = settings
  const ask = guardedFetch(outbound)
  const plain = isPlain(outbound, issuer)
  const found = await oidc.discovery(new URL(issuer), client_id, undefined, oidc.None(), {
    [oidc.customFetch]: ask, timeout: timeoutMs / 1_000, ...(plain && { execute: [oidc.allowInsecureRequests] })
  }).catch((error: unknown) => { throw namesNoCompany(error) ? new SharedIssuer() : error })
  const { supportsPKCE: _, ...metadata } = found.serverMetadata()
  if (metadata.issuer.includes('{')) throw new SharedIssuer()
  const signed = metadata.id_token_signing_alg_values_supported?.filter((one) => algorithms.includes(one)) ?? ['RS256']
  const config = new oidc.Configuration({ ...metadata, id_token_signing_alg_values_supported: signed }, client_id,
    { [oidc.clockTolerance]: clockToleranceS },
    authenticationOf(oidc, secret, metadata.token_endpoint_auth_methods_supported))
  config[oidc.customFetch] = ask
  config.timeout = timeoutMs / 1_000
  // The signature is checked though the token comes over TLS: a proxy in between may be anybody's.
  oidc.enableNonRepudiationChecks(config)
  if (plain) oidc.allowInsecureRequests(config)
  return { oidc, config, ask }
}

interface Kept { until: number, revision: number, peer: Promise<Peer> }

/** Providers as they were discovered. openid-client is loaded for the first. */
export class Peers {
  readonly #kept = new Map<string, Kept>()

  constructor (private readonly outbound: Outbound, private readonly timeoutMs: number) {}

  /** @throws as `discover` */
  of (settings: PeerSettings): Promise<Peer> {
    const { id, revision } = settings
    const known = this.#kept.get(id)
    if (known && known.revision === revision && known.until > performance.now()) return known.peer
    return this.again(settings)
  }

  /** Discovers it anew. @throws as `discover` */
  again (settings: PeerSettings): Promise<Peer> {
    const { id, revision } = settings
    const peer = discover(this.outbound, this.timeoutMs, settings)
    const entry = { until: performance.now() + holdsMs, revision, peer }
    this.#kept.delete(id)
    this.#kept.set(id, entry)
    // What failed is not kept.
    peer.catch(() => { if (this.#kept.get(id) === entry) this.#kept.delete(id) })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest)
    return peer
  }
}
