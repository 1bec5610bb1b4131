import { createCipheriv, createDecipheriv, createHash, createHmac, scrypt, timingSafeEqual } from 'node:crypto'

/** 32 MiB and three passes: what a guess of the passphrase costs. */
const cost = { N: 32_768, r: 8, p: 3 }
const maxmem = 67_108_864
const nonceBytes = 12
const tagBytes = 16

const derive = (passphrase: string, salt: Buffer): Promise<Buffer> => new Promise((resolve, reject) => {
  scrypt(passphrase, salt, 64, { ...cost, maxmem }, (error, key) => error ? reject(error) : resolve(key))
})

/** What a header says of how the secrets are encrypted. */
export interface Encryption {
  cipher: 'aes-256-gcm'
  kdf: 'scrypt'
  n: number
  r: number
  p: number
  salt: string
  check: string
}

/**
 * Encrypts the secrets of one workspace with a passphrase. The salt is the workspace's, and a nonce is made of what it
 * encrypts: so one state of a workspace and one passphrase give one archive, byte for byte, and no nonce serves twice.
 */
export class ArchiveCipher {
  private constructor (private readonly workspaceId: string, private readonly key: Buffer,
    private readonly nonceKey: Buffer) {}

  static async open (passphrase: string, workspaceId: string): Promise<ArchiveCipher> {
    const key = await derive(passphrase, ArchiveCipher.#saltOf(workspaceId))
    return new ArchiveCipher(workspaceId, key.subarray(0, 32), key.subarray(32))
  }

  static #saltOf (workspaceId: string): Buffer {
    return createHash('sha256').update(`steward.archive|${workspaceId}`).digest().subarray(0, 16)
  }

  /** What the header has. The check shows another passphrase where there is no secret to try it on. */
  get encryption (): Encryption {
    const salt = ArchiveCipher.#saltOf(this.workspaceId).toString('base64url')
    const check = this.encrypt(`workspace|${this.workspaceId}|check`, '').toString('base64url')
    return { cipher: 'aes-256-gcm', kdf: 'scrypt', n: cost.N, r: cost.r, p: cost.p, salt, check }
  }

  /** @returns whether the header was made with this passphrase, by the same way */
  isOf (encryption: Encryption): boolean {
    const [own, other] = [this.encryption, encryption].map((one) => Buffer.from(JSON.stringify(
      [one.cipher, one.kdf, one.n, one.r, one.p, one.salt, one.check])))
    return own !== undefined && other !== undefined && own.length === other.length && timingSafeEqual(own, other)
  }

  /** @param context identity of the cell, as in plugins/secrets.ts */
  encrypt (context: string, plain: string): Buffer {
    const nonce = createHmac('sha256', this.nonceKey).update(`${context}\0${plain}`).digest().subarray(0, nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }

  /** @throws Error when the bytes are not what was encrypted for this context */
  decrypt (context: string, encrypted: Buffer): string {
    const bodyAt = nonceBytes + tagBytes
    const decipher = createDecipheriv('aes-256-gcm', this.key, encrypted.subarray(0, nonceBytes),
      { authTagLength: tagBytes }).setAAD(Buffer.from(context)).setAuthTag(encrypted.subarray(nonceBytes, bodyAt))
    return Buffer.concat([decipher.update(encrypted.subarray(bodyAt)), decipher.final()]).toString('utf8')
  }
}
