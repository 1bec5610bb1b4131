import { createHash, createHmac, type Hash } from 'node:crypto'

/** What the signature asks of a hash. */
export class Sha256 {
  readonly #secret: string | Uint8Array | undefined
  #hash: Hash | ReturnType<typeof createHmac>

  constructor (secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret === undefined || typeof secret === 'string' ? secret : bytesOf(secret)
    this.#hash = this.#begin()
  }

  #begin () {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret)
  }

  update (data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data))
  }

  async digest (): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset (): void {
    this.#hash = this.#begin()
  }
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
