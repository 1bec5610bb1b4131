import type { Test } from '../tap.js'
import pg from 'pg'
import { Cluster } from './cluster.js'

const local = 'postgres://postgres@127.0.0.1:5432/postgres'

const answers = async (connectionString: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Sees to it that every test of this process has a PostgreSQL: several processes cannot share an embedded database. */
export const requirePostgres = async (t: Pick<Test, 'teardown'>): Promise<void> => {
  process.env.TEST_DATABASE_URL ??= await answers(local) ? local : (await Cluster.start(t)).url
}

/** Asks the database of a world directly, past every instance. */
export const openQueries = (t: Pick<Test, 'teardown'>, connectionString: string) => {
  const pool = new pg.Pool({ connectionString, max: 2 })
  // A database that is dropped at the end of the test ends these connections too.
  pool.on('error', () => undefined)
  t.teardown(() => pool.end())
  return async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await pool.query<R>(text, values)).rows
}
