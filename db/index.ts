import { join } from 'node:path'
import { Kysely, type LogConfig } from 'kysely'
import pg from 'pg'
import { lockFolder } from './embedded-lock.js'
import { Listener } from './listener.js'
import { makePrivate } from './private-folder.js'
import type { Database } from './types.js'
import { WatchedDialect } from './watched-driver.js'
import { inlineLimits } from './inline-limits.js'

export type Db = Kysely<Database>

const int8 = 20
/** Positions, counts and micro-dollars stay far below 2^53, so int8 is a number here. */
const types: pg.CustomTypesConfig = {
  // The overloads of getTypeParser do not take a union of formats.
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === int8 ? Number : pg.types.getTypeParser(id, format as 'text')) as typeof pg.types.getTypeParser
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

/** Statements of Kysely over the pool. */
export const openKysely = (pool: pg.Pool, log?: LogConfig): Db =>
  new Kysely<Database>({ dialect: new WatchedDialect({ pool }), plugins: [inlineLimits], ...(log && { log }) })

type Callback = (error: Error | undefined, result: unknown) => void

/** Prepares every parameterised statement once a connection: the server parses and plans it once. */
class PreparingClient extends pg.Client {
  // The overloads of query cannot be repeated here; only one form of call is changed.
  override query: pg.Client['query'] = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const name =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 ? statementName(text) : undefined
    const run = super.query.bind(this) as (...args: unknown[]) => unknown
    const watched = rest.map((last) => typeof last === 'function' ? this.#watched(last as Callback) : last)
    const result = name === undefined ? run(text, values, ...watched) : run({ name, text, values }, ...watched)
    if (!(result instanceof Promise)) return result
    return result.catch((error: Error) => {
      this.#dropIfSilent(error)
      throw error
    })
  }) as pg.Client['query']

  #watched (callback: Callback): Callback {
    return (error, result) => {
      if (error) this.#dropIfSilent(error)
      callback(error, result)
    }
  }

  /** A connection that did not answer in time is of no use to the next query: it would wait behind this one. */
  #dropIfSilent ({ message }: Error): void {
    // With a query in flight, an end does not wait for an answer; and the pool does not take back what has ended.
    if (message === 'Query read timeout') void this.end()
  }
}

export interface OpenDatabase {
  db: Db
  pool: pg.Pool
  embedded: boolean
  /** Calls back for every NOTIFY on the channel; a hint only, so it may miss some. */
  listen(channel: string, onPayload: (payload: string) => void): Promise<void>
  close(): Promise<void>
}

const settings = '-c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000 -c lock_timeout=10000'

/** Longer than any statement may take: a server that is silent so long is not there. */
const silenceMs = 20_000

/** PostgreSQL by URL. */
export const openServer = (connectionString: string, max: number, onError: (error: Error) => void,
  queryTimeoutMs = silenceMs): OpenDatabase => {
  const pool = new pg.Pool({
    connectionString,
    max,
    types,
    Client: PreparingClient,
    options: settings,
    connectionTimeoutMillis: 5_000,
    query_timeout: queryTimeoutMs,
    keepAlive: true
  })
  pool.on('error', onError)
  // A connection that breaks in use rejects its query; without a listener its error would end the process as well.
  pool.on('connect', (client) => { client.on('error', () => undefined) })
  const db = openKysely(pool)
  const listener = new Listener(connectionString, onError)
  return {
    db,
    pool,
    embedded: false,
    listen: (channel, onPayload) => listener.listen(channel, onPayload),
    async close () {
      await listener.close()
      await db.destroy()
    }
  }
}

/** A client that is dropped does not end its session here: the next would inherit its transaction and statements. */
const takeOverSession = async (client: pg.ClientBase): Promise<void> => {
  await client.query('ROLLBACK')
  await client.query('DISCARD ALL')
}

/** PostgreSQL in this process, in a folder that no other process may open meanwhile. */
export const openFolder = async (folder: string): Promise<OpenDatabase> => {
  const unlock = lockFolder(folder)
  try {
    // Read here: whoever has a server does without it.
    const { createEmbedded, EmbeddedStream, openEmbedded } = await import('./embedded.js')
    makePrivate(join(folder, 'database'))
    await createEmbedded(folder)
    const lite = await openEmbedded(folder)
    const pool = new pg.Pool({
      stream: () => new EmbeddedStream(lite),
      user: 'postgres',
      database: 'postgres',
      ssl: false,
      // The database has one session.
      max: 1,
      types,
      Client: PreparingClient,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 10_000,
      onConnect: takeOverSession
    })
    const db = openKysely(pool)
    return {
      db,
      pool,
      embedded: true,
      // One process only: whoever would notify calls the listener directly.
      async listen () {},
      async close () {
        await db.destroy()
        await lite.close()
        unlock()
      }
    }
  } catch (error) {
    unlock()
    throw error
  }
}
