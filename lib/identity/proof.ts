import { textIn } from '../../schemas/unknown.js'
import { readEmail, readGroups, readName } from './claims.js'
import { requireIssued, type Peer } from './peer.js'

/** What is kept to ask the provider again, encrypted. */
export interface Tokens { access: string, refresh: string | null, id: string | null }

/** Who the provider says that the person is. */
export interface Proof {
  issuer: string
  subject: string
  /** Verified, else null. */
  email: string | null
  name: string
  groups: string[]
  /** The provider's session. */
  sid: string | null
  tokens: Tokens
}

export interface Begun { callback: string, state: string, nonce: string, verifier: string }

/** @returns where the browser goes. @throws Error where the document leads anywhere but to a web page */
export const authorizationUrl = async ({ oidc, config }: Peer, begun: Begun, scopes: readonly string[]):
Promise<string> => oidc.buildAuthorizationUrl(config, {
  redirect_uri: begun.callback,
  response_type: 'code',
  scope: ['openid', ...scopes.filter((one) => one !== 'openid')].join(' '),
  state: begun.state,
  nonce: begun.nonce,
  code_challenge: await oidc.calculatePKCECodeChallenge(begun.verifier),
  code_challenge_method: 'S256',
  // Some give a refresh token for offline_access only to whoever is asked anew (OpenID Connect Core 1.0, 11).
  ...(scopes.includes('offline_access') && { prompt: 'consent' })
}).href

/** What the ID token says goes before what the user info does: it is signed. */
const claimsOf = async ({ oidc, config }: Peer, access: string, signed: Record<string, unknown>) => {
  if (config.serverMetadata().userinfo_endpoint === undefined) return signed
  const more = await oidc.fetchUserInfo(config, access, String(signed.sub))
  return { ...more, ...signed }
}

/**
 * Exchanges the code, and checks what comes of it: state, `iss`, nonce, signature, audience and time are the library's.
 * @param query what the browser came back with
 * @throws errors of openid-client, OutboundError
 */
export const proveIdentity = async (peer: Peer, begun: Begun, query: Record<string, string>,
  groupsClaim: string | null): Promise<Proof> => {
  const { oidc, config } = peer
  const url = new URL(begun.callback)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const answer = await oidc.authorizationCodeGrant(config, url, {
    expectedState: begun.state, expectedNonce: begun.nonce, pkceCodeVerifier: begun.verifier, idTokenExpected: true
  })
  const signed = answer.claims()
  if (!signed) throw new Error('There is no ID token')
  requireIssued(signed)
  const claims = await claimsOf(peer, answer.access_token, signed)
  return {
    issuer: signed.iss,
    subject: signed.sub,
    email: readEmail(claims),
    name: readName(claims),
    groups: readGroups(claims, groupsClaim) ?? [],
    sid: textIn(signed, 'sid') ?? null,
    tokens: { access: answer.access_token, refresh: answer.refresh_token ?? null, id: answer.id_token ?? null }
  }
}
