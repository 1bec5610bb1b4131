import pg from 'pg'
import { codeOf } from '../schemas/thrown.js'
import type { Primary } from './primary.js'

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
