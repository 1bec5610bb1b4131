import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createEmbedded, openEmbedded } from './embedded.js'
import { lockFolder } from './embedded-lock.js'
import { Listener } from './listener.js'
import type { Database } from './types.js'

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

/** Prepares every parameterised statement once a connection: the server parses and plans it once. */
class PreparingClient extends pg.Client {
  // The overloads of query cannot be repeated here; only one form of call is changed.
  override query: pg.Client['query'] = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const name =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 ? statementName(text) : undefined
    const run = super.query.bind(this) as (...args: unknown[]) => unknown
    return name === undefined ? run(text, values, ...rest) : run({ name, text, values }, ...rest)
  }) as pg.Client['query']
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

/** PostgreSQL by URL. */
export const openServer = (connectionString: string, max: number, onError: (error: Error) => void): OpenDatabase => {
  const pool = new pg.Pool({
    connectionString, max, types, Client: PreparingClient, options: settings, connectionTimeoutMillis: 5_000
  })
  pool.on('error', onError)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
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

/** PostgreSQL in this process, in a folder that no other process may open meanwhile. */
export const openFolder = async (folder: string): Promise<OpenDatabase> => {
  const unlock = lockFolder(folder)
  try {
    await createEmbedded(folder)
    const lite = await openEmbedded(folder)
    const pool = new pg.Pool({
      ...createPgConfig(lite),
      types,
      Client: PreparingClient,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 10_000
    })
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
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
