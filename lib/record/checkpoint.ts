import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { canonicalJson } from './entry.js'

/** A signed word that the chain of a workspace had this hash at this number. */
export interface Checkpoint {
  type: 'checkpoint'
  version: 1
  workspace_id: string
  seq: number
  hash: string
  at: string
  /** The digest of the checkpoint before, its signature included; null = it is the first. */
  previous: string | null
  key_id: string
  /** Ed25519 over the canonical JSON of all else, in base64url. */
  signature: string
}

/** A public key, as RFC 8037 writes it. */
export interface PublicKey {
  kty: 'OKP'
  crv: 'Ed25519'
  alg: 'EdDSA'
  use: 'sig'
  kid: string
  /** The 32 bytes, in base64url. */
  x: string
}

export const toPublicKey = (kid: string, x: string): PublicKey =>
  ({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x })

/** @returns a new pair: the public 32 bytes in base64url, the private key in PEM */
export const makeKeyPair = (): { x: string, pem: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    x: String(publicKey.export({ format: 'jwk' }).x),
    pem: String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
  }
}

const bytesOf = ({ signature: _, ...statement }: Omit<Checkpoint, 'signature'> & { signature?: string }): Buffer =>
  Buffer.from(canonicalJson(statement))

/** @param pem the private key of `key_id` */
export const signCheckpoint = (statement: Omit<Checkpoint, 'type' | 'version' | 'signature'>, pem: string):
Checkpoint => {
  const whole = { type: 'checkpoint' as const, version: 1 as const, ...statement }
  return { ...whole, signature: sign(null, bytesOf(whole), createPrivateKey(pem)).toString('base64url') }
}

/** @returns whether the key made the signature, in the one way to write it; false also for a key that is none */
export const isSignedBy = (checkpoint: Checkpoint, { kty, crv, x }: PublicKey): boolean => {
  try {
    const signature = Buffer.from(checkpoint.signature, 'base64url')
    // 64 bytes leave 4 bits of the last character unused: other letters would decode to the same bytes.
    if (signature.toString('base64url') !== checkpoint.signature) return false
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
    return verify(null, bytesOf(checkpoint), key, signature)
  } catch {
    return false
  }
}
