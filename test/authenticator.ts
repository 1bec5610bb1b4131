import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** CBOR, as far as an authenticator writes it. */
type Cbor = number | string | Uint8Array | Map<number | string, Cbor>

const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

const encode = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, child]) => [encode(key), encode(child)])])
}

export type Algorithm = -7 | -8 | -257

const makeKeys = (algorithm: Algorithm) => {
  if (algorithm === -7) return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === -8) return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

const bytes = (text = ''): Buffer => Buffer.from(text, 'base64url')

const toCose = (key: KeyObject, algorithm: Algorithm): Buffer => {
  const { x, y, n, e } = key.export({ format: 'jwk' })
  if (algorithm === -7) return encode(new Map<number, Cbor>([[1, 2], [3, -7], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]]))
  if (algorithm === -8) return encode(new Map<number, Cbor>([[1, 1], [3, -8], [-1, 6], [-2, bytes(x)]]))
  return encode(new Map<number, Cbor>([[1, 3], [3, -257], [-1, bytes(n)], [-2, bytes(e)]]))
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** What an attacker, or a device that is broken, does otherwise. */
export interface Deviation {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  flags?: number
  counter?: number
  crossOrigin?: boolean
  credentialId?: string
}

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

/** An authenticator in software, which makes real signatures. Its counter counts by itself. */
export class Authenticator {
  readonly id = randomBytes(32)
  counter = 0
  readonly #keys

  constructor (readonly origin: string, readonly algorithm: Algorithm = -7) {
    this.#keys = makeKeys(algorithm)
  }

  get publicKey (): string {
    return this.#keys.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  }

  get credentialId (): string {
    return this.id.toString('base64url')
  }

  #clientData (usual: string, given: string, deviation: Deviation): Buffer {
    const { type = usual, challenge = given, origin = this.origin, crossOrigin = false } = deviation
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
  }

  #data (rpId: string, flags: number, counter: number): Buffer {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), number])
  }

  /** @param options what navigator.credentials.create() is given. @returns the body that registers it */
  create (options: { challenge: string, rp: { id: string } }, deviation: Deviation = {}) {
    const flags = deviation.flags ?? userPresent | userVerified
    const length = Buffer.from([0, this.id.length])
    const authData = Buffer.concat([
      this.#data(deviation.rpId ?? options.rp.id, flags | hasCredential, this.counter),
      Buffer.alloc(16), length, this.id, toCose(this.#keys.publicKey, this.algorithm)
    ])
    const attestation = encode(new Map<string, Cbor>([['fmt', 'none'], ['attStmt', new Map()], ['authData', authData]]))
    const client = this.#clientData('webauthn.create', options.challenge, deviation)
    return {
      client_data_json: client.toString('base64url'),
      attestation_object: attestation.toString('base64url'),
      transports: ['internal']
    }
  }

  /** @param options what navigator.credentials.get() is given. @returns the signature as a request has it */
  sign (options: { challenge: string, rpId: string }, deviation: Deviation = {}) {
    const counter = deviation.counter ?? ++this.counter
    const flags = deviation.flags ?? userPresent | userVerified
    const data = this.#data(deviation.rpId ?? options.rpId, flags, counter)
    const client = this.#clientData('webauthn.get', options.challenge, deviation)
    const signed = Buffer.concat([data, sha256(client)])
    const signature = sign(this.algorithm === -8 ? null : 'sha256', signed, this.#keys.privateKey)
    return {
      credential_id: deviation.credentialId ?? this.credentialId,
      authenticator_data: data.toString('base64url'),
      client_data_json: client.toString('base64url'),
      signature: signature.toString('base64url')
    }
  }
}
