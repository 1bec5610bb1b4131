import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fp from 'fastify-plugin'
import { codeOf } from '../schemas/unknown.js'

interface Key { id: Buffer, bytes: Buffer }

const idLength = 4
const nonceLength = 12
const tagLength = 16

const toKey = (text: string): Key => {
  const bytes = createHash('sha256').update(`steward.secret:${text}`).digest()
  return { bytes, id: createHash('sha256').update(bytes).digest().subarray(0, idLength) }
}

const fromFolder = (folder: string): string => {
  const file = join(folder, 'secret.key')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

/** AES-256-GCM with the row's identity as additional data: a ciphertext moved to another row does not open. */
class Secrets {
  readonly #keys: Key[]

  /** @param texts the current key, then older ones that still decrypt what they encrypted */
  constructor (texts: string[]) {
    this.#keys = texts.map(toKey)
  }

  /** @param context identity of the cell, `table|row id|column` */
  encrypt (context: string, plain: string): Buffer {
    const key = this.#current()
    const nonce = randomBytes(nonceLength)
    const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([key.id, nonce, cipher.getAuthTag(), body])
  }

  /** @throws Error when the key is gone, or the bytes are not what was encrypted for this context */
  decrypt (context: string, encrypted: Buffer): string {
    const key = this.#keys.find(({ id }) => id.equals(encrypted.subarray(0, idLength)))
    if (!key) throw new Error(`The key that encrypted ${context} is not configured`)
    const tagAt = idLength + nonceLength
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, encrypted.subarray(idLength, tagAt))
      .setAAD(Buffer.from(context)).setAuthTag(encrypted.subarray(tagAt, tagAt + tagLength))
    return Buffer.concat([decipher.update(encrypted.subarray(tagAt + tagLength)), decipher.final()]).toString('utf8')
  }

  /** @returns whether a key that is configured encrypted this, and whether it is the current one */
  ageOf (encrypted: Buffer): 'current' | 'previous' | 'unknown' {
    const at = this.#keys.findIndex(({ id }) => id.equals(encrypted.subarray(0, idLength)))
    if (at < 0) return 'unknown'
    return at === 0 ? 'current' : 'previous'
  }

  /** @returns 128 bits that only this deployment can make for the text */
  sign (text: string): Buffer {
    return this.#mac(this.#current(), text)
  }

  /** @returns whether the signature was made by `sign`, with any of the keys */
  isSigned (text: string, signature: Buffer): boolean {
    return signature.length === 16 && this.#keys.some((key) => timingSafeEqual(this.#mac(key, text), signature))
  }

  /** @returns keys for one purpose, the same on every instance: the current one, then older ones that still verify */
  keysFor (purpose: string): string[] {
    return this.#keys.map(({ bytes }) => createHmac('sha256', bytes).update(`key|${purpose}`).digest('base64url'))
  }

  #mac (key: Key, text: string): Buffer {
    return createHmac('sha256', key.bytes).update(text).digest().subarray(0, 16)
  }

  #current (): Key {
    const [key] = this.#keys
    if (!key) throw new Error('No secret key')
    return key
  }
}

declare module 'fastify' {
  interface FastifyInstance { secrets: Secrets }
}

export default fp(async (app) => {
  const { SECRET_KEY, DATA_DIR } = app.config
  app.decorate('secrets', new Secrets(SECRET_KEY?.split(',') ?? [fromFolder(DATA_DIR)]))
}, { name: 'secrets', dependencies: ['config'] })
