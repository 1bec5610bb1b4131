import { createPrivateKey } from 'node:crypto'
import type { JWK } from 'oidc-provider'
import type { OauthDeps } from './deps.js'

/** Of an Ed25519 key in PKCS #8 (RFC 8410), before its 32 bytes. */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Nothing here is signed for anybody; the library requires that a client could be. The keys follow from Steward's own,
 * so that all instances have the same, and they are rotated with it.
 */
export const signingKeys = ({ secrets }: Pick<OauthDeps, 'secrets'>): JWK[] =>
  secrets.keysFor('oauth-signing').map((key) => {
    const der = Buffer.concat([prefix, Buffer.from(key, 'base64url')])
    const jwk = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
    // Node names the same fields in a type of its own.
    return { ...jwk, alg: 'Ed25519', use: 'sig' } as JWK
  })
