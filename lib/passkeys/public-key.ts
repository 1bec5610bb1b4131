import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'

/** COSE's labels: of a key of two coordinates, of RSA, and which curve. */
const labels = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, n: -1, e: -2 }

const ecCurves: Record<number, string> = { 1: 'P-256' }

type Cose = Map<number, unknown>

const textOf = (cose: Cose, label: number): string => {
  const value = cose.get(label)
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : ''
}

const jwkOf = (cose: Cose): JsonWebKey => {
  const kty = cose.get(labels.kty)
  if (kty === 3) return { kty: 'RSA', n: textOf(cose, labels.n), e: textOf(cose, labels.e) }
  if (kty === 1) return { kty: 'OKP', crv: 'Ed25519', x: textOf(cose, labels.x) }
  const crv = ecCurves[Number(cose.get(labels.crv))] ?? ''
  return { kty: 'EC', crv, x: textOf(cose, labels.x), y: textOf(cose, labels.y) }
}

/** @returns a credential's key as the record has it: SPKI in DER, base64url. @throws Error for a key that is none */
export const toSpki = (cose: Uint8Array): { key: string, algorithm: number } => {
  // A map of COSE's labels to numbers and bytes.
  const decoded = decodeCredentialPublicKey(new Uint8Array(cose)) as unknown as Cose
  const key = createPublicKey({ key: jwkOf(decoded), format: 'jwk' })
  return {
    key: key.export({ format: 'der', type: 'spki' }).toString('base64url'), algorithm: Number(decoded.get(labels.alg))
  }
}
