import { chmodSync, mkdirSync, statSync } from 'node:fs'
import pg from 'pg'
import { codeOf } from '../schemas/unknown.js'
import type { Primary } from './primary.js'

interface Hearing { onPayload: (payload: string) => void, onReconnect: (() => void) | undefined }

/** Who hears of which channel of NOTIFY, over one connection. */
export class Channels {
  readonly #hearings = new Map<string, Set<Hearing>>()

  get names (): string[] { return [...this.#hearings.keys()] }

  /** @returns what ends it */
  add (channel: string, onPayload: Hearing['onPayload'], onReconnect?: () => void): () => void {
    const hearings = this.#hearings.get(channel) ?? new Set()
    this.#hearings.set(channel, hearings)
    const hearing = { onPayload, onReconnect }
    hearings.add(hearing)
    return () => { hearings.delete(hearing) }
  }

  deliver ({ channel, payload = '' }: { channel: string, payload?: string | undefined }): void {
    for (const { onPayload } of this.#hearings.get(channel) ?? []) onPayload(payload)
  }

  /** The connection was lost and is back: what was sent in between was heard by nobody. */
  reconnected (): void {
    for (const hearings of this.#hearings.values()) for (const { onReconnect } of hearings) onReconnect?.()
  }
}

const othersBits = 0o077

const isOpen = (folder: string): boolean => (statSync(folder).mode & othersBits) !== 0

/**
 * Makes a folder that only the user of this process enters, whatever modes the files in it have: PGlite asks for 0666.
 * One that is there is closed. On Windows modes say nothing, and the folder's own rights count.
 * @throws Error with one line where it stays open to others
 */
export const makePrivate = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32' || !isOpen(folder)) return
  try {
    chmodSync(folder, 0o700)
  } catch {
    // Another user's folder, or a file system without modes: what counts is how it is afterwards.
  }
  if (isOpen(folder)) throw new Error(`${folder} is open to other users; make it 0700, or set another DATA_DIR`)
}

const maxPrepared = 400
const statementNames = new Map<string, string>()

/** Statements of the code are few and constant; the few that are not stay unnamed once there are many. */
const statementName = (text: string): string | undefined => {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= maxPrepared) return known
  const name = `s${statementNames.size + 1}`
  statementNames.set(text, name)
  return name
}

/** Of a server that takes no writes: a standby, or a primary that has become one. */
const readOnly = '25006'

type Callback = (error: Error | undefined, result: unknown) => void

/** How the pool's connections are made; the pool hands its options to each. */
export interface ClientOptions extends pg.PoolConfig {
  /** Which host to connect to, where there may be several. */
  primary?: Primary
  /** Whether statements are prepared, once a connection: the server parses and plans each once. */
  prepares?: boolean
}

/** A connection to the server that takes writes. One that does not answer, or takes no more writes, is dropped. */
export class PoolClient extends pg.Client {
  readonly #primary: Primary | undefined
  readonly #prepares: boolean

  constructor (options: ClientOptions = {}) {
    super(options)
    this.#primary = options.primary
    this.#prepares = options.prepares ?? true
    this.once('error', () => this.#primary?.forget())
  }

  // The overloads of connect and query cannot be repeated here.
  override connect: pg.Client['connect'] = ((done?: (error: Error | undefined, client?: this) => void) => {
    const connected = this.#connect()
    if (!done) return connected
    connected.then(() => done(undefined, this), (error: Error) => done(error))
  }) as pg.Client['connect']

  async #connect (): Promise<void> {
    if (this.#primary) {
      const { hostname, port } = new URL(await this.#primary.find())
      if (this.#primary.urls.length > 1) {
        this.host = hostname.replace(/^\[|\]$/g, '')
        this.port = Number(port || '5432')
      }
    }
    try {
      await super.connect()
    } catch (error) {
      this.#primary?.forget()
      throw error
    }
  }

  override query: pg.Client['query'] = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const name = this.#prepares && typeof text === 'string' && Array.isArray(values) && values.length > 0
      ? statementName(text)
      : undefined
    const run = super.query.bind(this) as (...args: unknown[]) => unknown
    const watched = rest.map((last) => typeof last === 'function' ? this.#watched(last as Callback) : last)
    const result = name === undefined ? run(text, values, ...watched) : run({ name, text, values }, ...watched)
    if (!(result instanceof Promise)) return result
    return result.catch((error: Error) => {
      this.#dropIfUseless(error)
      throw error
    })
  }) as pg.Client['query']

  #watched (callback: Callback): Callback {
    return (error, result) => {
      if (error) this.#dropIfUseless(error)
      callback(error, result)
    }
  }

  /** The next query would wait behind one that was not answered in time. */
  #dropIfUseless (error: Error): void {
    if (error.message !== 'Query read timeout' && codeOf(error) !== readOnly) return
    this.#primary?.forget()
    // With a query in flight, an end does not wait for an answer; and the pool does not take back what has ended.
    void this.end()
  }
}
