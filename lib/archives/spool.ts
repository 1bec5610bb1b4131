import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

const chunkBytes = 1_048_576

/**
 * A file without a name: no other process can open it, and it is gone with its last handle, also after a crash. So a
 * slow client holds neither a transaction nor memory.
 */
export class Spool {
  #waiting: Buffer[] = []
  #bytes = 0

  private constructor (private readonly file: FileHandle) {}

  static async open (): Promise<Spool> {
    const path = join(tmpdir(), `steward-archive-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return new Spool(file)
  }

  async write (bytes: Buffer): Promise<void> {
    this.#waiting.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes >= chunkBytes) await this.flush()
  }

  /** After it, a reader finds everything that was written. */
  async flush (): Promise<void> {
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#bytes = 0
    for (let at = 0; at < bytes.length;) at += (await this.file.write(bytes, at)).bytesWritten
  }

  async size (): Promise<number> {
    return (await this.file.stat()).size
  }

  /** @param closes whether the end of reading closes the file */
  read (closes = false): Readable {
    return this.file.createReadStream({ start: 0, autoClose: closes })
  }

  async close (): Promise<void> {
    await this.file.close()
  }
}
