import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import pg from 'pg'

const local = 'postgres://postgres@127.0.0.1:5432/postgres'
const packaged = '/usr/lib/postgresql'

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

const asPostgres = (command: string) => execFileSync('su', ['postgres', '-s', '/bin/bash', '-c', command],
  { stdio: ['ignore', 'ignore', 'inherit'] })

/** Debian's own server, in a folder and on a port of its own. */
const startPackaged = (t: Pick<Test, 'teardown'>): string => {
  const version = existsSync(packaged) ? readdirSync(packaged).toSorted((a, b) => Number(b) - Number(a))[0] : undefined
  if (version === undefined) throw new Error('These tests need PostgreSQL: set TEST_DATABASE_URL or install it')
  const bin = join(packaged, version, 'bin')
  const folder = mkdtempSync(join(tmpdir(), 'steward-postgres-'))
  const port = 20_000 + process.pid % 10_000
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
  chownSync(folder, uid ?? 0, gid ?? 0)
  asPostgres(`${bin}/initdb -D ${folder}/data -A trust -U postgres`)
  asPostgres(`${bin}/pg_ctl -D ${folder}/data -w -l ${folder}/log start ` +
    `-o '-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}'`)
  t.teardown(() => {
    asPostgres(`${bin}/pg_ctl -D ${folder}/data -m immediate stop`)
    rmSync(folder, { recursive: true, force: true })
  })
  return `postgres://postgres@127.0.0.1:${port}/postgres`
}

/** Sees to it that every test of this process has a PostgreSQL: several processes cannot share an embedded database. */
export const requirePostgres = async (t: Pick<Test, 'teardown'>): Promise<void> => {
  process.env.TEST_DATABASE_URL ??= await answers(local) ? local : startPackaged(t)
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
