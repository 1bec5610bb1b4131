import { Duplex } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'

type Done = (error?: Error | null) => void

const nothing = (): void => undefined

/**
 * The way to the embedded database, as `pg` sees a socket to a server: bytes of the protocol in, bytes out. All
 * messages of a statement, which `pg` corks, are handed over at once. The connection for `pg` that PGlite brings along
 * takes four times the CPU for the same statement.
 */
export class EmbeddedStream extends Duplex {
  // What only a socket has.
  readonly setNoDelay = nothing
  readonly setKeepAlive = nothing
  readonly ref = nothing
  readonly unref = nothing

  constructor (private readonly database: Pick<PGlite, 'execProtocolRawStream'>) {
    super({ allowHalfOpen: false })
  }

  connect (): void {
    process.nextTick(() => this.emit('connect'))
  }

  override _read = nothing

  override _write (messages: Buffer, _encoding: BufferEncoding, done: Done): void {
    const parts: Buffer[] = []
    // Copied: the bytes lie in the database's memory. Nothing is to be synced: it writes into its folder as it goes.
    const options = { syncToFs: false, onRawData: (bytes: Uint8Array) => { parts.push(Buffer.from(bytes)) } }
    this.database.execProtocolRawStream(messages, options).then(() => {
      const [first] = parts
      if (first) this.push(parts.length === 1 ? first : Buffer.concat(parts))
      done()
    }, done)
  }

  override _writev (messages: { chunk: Buffer }[], done: Done): void {
    this._write(Buffer.concat(messages.map(({ chunk }) => chunk)), 'utf8', done)
  }

  override _final (done: Done): void {
    this.push(null)
    done()
  }
}
