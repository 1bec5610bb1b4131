import type { JWTPayload } from 'jose'
import { isObject, textIn } from '../../schemas/unknown.js'
import { algorithms, clockToleranceS, type Peer } from './peer.js'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** How old a logout token may be. */
const maxAge = '10 minutes'
/** A token that holds longer would have to be remembered as long. */
const maxLifeS = 86_400

/** Who is signed out: the provider's session, or all of the person's. */
export interface Logout { subject: string | undefined, sid: string | undefined, jti: string, expires: Date }

/** The token is not one, or not for us. */
export class LogoutTokenInvalid extends Error {}

const keySets = new WeakMap<Peer, Awaited<ReturnType<typeof loadKeys>>>()

const loadKeys = async ({ config, ask }: Peer) => {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const { jwks_uri } = config.serverMetadata()
  if (jwks_uri === undefined) throw new LogoutTokenInvalid('The provider has no keys')
  return createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: ask })
}

const keysOf = async (peer: Peer) => {
  const keys = keySets.get(peer) ?? await loadKeys(peer)
  keySets.set(peer, keys)
  return keys
}

const isTyped = (typ: string | undefined): boolean =>
  typ === undefined || /^(application\/)?(logout\+jwt|jwt)$/i.test(typ)

/** OpenID Connect Back-Channel Logout 1.0, 2.6, from the third step on. */
const requireLogout = (claims: JWTPayload, typ: string | undefined): Logout => {
  const { events, nonce, jti = '', exp = 0, iat = 0 } = claims
  if (!isTyped(typ)) throw new LogoutTokenInvalid('It is typed as something else')
  if (!isObject(events) || !isObject(events[event])) throw new LogoutTokenInvalid('It is no logout token')
  if (nonce !== undefined) throw new LogoutTokenInvalid('It has a nonce: it is an ID token')
  const [subject, sid] = [textIn(claims, 'sub'), textIn(claims, 'sid')]
  if (subject === undefined && sid === undefined) throw new LogoutTokenInvalid('It names nobody')
  if (jti === '' || jti.length > 300) throw new LogoutTokenInvalid('It has no usable jti')
  if (exp - iat > maxLifeS) throw new LogoutTokenInvalid('It holds too long')
  // With the tolerance: until then the library would take it again.
  return { subject, sid, jti, expires: new Date((exp + clockToleranceS) * 1_000) }
}

/** @throws LogoutTokenInvalid, errors of jose; OutboundError where the keys cannot be read */
export const readLogoutToken = async (peer: Peer, token: string): Promise<Logout> => {
  const { jwtVerify } = await import('jose')
  const { config } = peer
  const { payload, protectedHeader } = await jwtVerify(token, await keysOf(peer), {
    issuer: config.serverMetadata().issuer,
    audience: config.clientMetadata().client_id,
    algorithms,
    clockTolerance: clockToleranceS,
    maxTokenAge: maxAge,
    requiredClaims: ['iat', 'exp', 'jti', 'events']
  })
  return requireLogout(payload, protectedHeader.typ)
}
