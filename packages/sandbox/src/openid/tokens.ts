import { createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A key of the provider, and its public half as its document shows it. */
export interface SigningKey { kid: string, key: KeyObject, jwk: Record<string, unknown> }

export const makeKey = (): SigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = randomUUID()
  return { kid, key: privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } }
}

/** How a token is signed: what no honest provider does is here for those who try what is believed. */
export type Signing = 'RS256' | 'none' | { hmac: string } | SigningKey

/** @returns a JWT with these claims */
export const makeJwt = (own: SigningKey, claims: object, how: Signing = 'RS256', typ = 'JWT'): string => {
  if (how === 'none') return `${encode({ alg: 'none', typ })}.${encode(claims)}.`
  if (typeof how === 'object' && 'hmac' in how) {
    const head = `${encode({ alg: 'HS256', typ, kid: own.kid })}.${encode(claims)}`
    return `${head}.${createHmac('sha256', how.hmac).update(head).digest('base64url')}`
  }
  const { key, kid } = how === 'RS256' ? own : how
  const head = `${encode({ alg: 'RS256', typ, kid })}.${encode(claims)}`
  return `${head}.${sign('sha256', Buffer.from(head), key).toString('base64url')}`
}
