import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Duplex } from 'node:stream'
import { PGlite } from '@electric-sql/pglite'
import { copyImage } from './embedded-image.js'

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

const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB', '-c', 'jit=off']

/**
 * V8 compiles the database's functions once. A second time, for speed, costs more than a start itself, for functions
 * that then hardly run again, and under Node 24 one of them takes 600 MB for a second. Statements take as long without
 * it, and aggregates over thousands of rows up to twice as long.
 */
setFlagsFromString('--no-wasm-tier-up')
setFlagsFromString('--no-wasm-dynamic-tiering')

export const openEmbedded = (folder: string): Promise<PGlite> =>
  PGlite.create({ dataDir: join(folder, 'database'), startParams })

const exitCode = (file: string, folder: string): Promise<number | null> =>
  new Promise((resolve, reject) => {
    fork(file, [folder], { execArgv: [] }).once('error', reject).once('exit', resolve)
  })

/**
 * Creates the database files when there are none: from the image, else by initdb. That leaves some 500 MB of memory
 * behind, so it runs in a child process that ends.
 */
export const createEmbedded = async (folder: string): Promise<void> => {
  const database = join(folder, 'database')
  if (existsSync(join(database, 'PG_VERSION')) || await copyImage(database)) return
  const file = fileURLToPath(import.meta.url)
  const code = file.endsWith('.js') ? await exitCode(file, folder) : await create(folder)
  if (code !== 0) throw new Error(`The embedded database could not be created in ${folder}`)
}

const create = async (folder: string): Promise<number> => {
  const database = await openEmbedded(folder)
  await database.close()
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2]) await create(process.argv[2])
