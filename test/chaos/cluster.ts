import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from '../tap.js'
import pg from 'pg'
import { freePort } from './haproxy.js'

type Teardown = Pick<Test, 'teardown'>

const packaged = '/usr/lib/postgresql'

const newestBin = (): string => {
  const versions = existsSync(packaged) ? readdirSync(packaged) : []
  const [newest] = versions.toSorted((a, b) => Number(b) - Number(a))
  if (newest === undefined) throw new Error('These tests need the programs of PostgreSQL: install it')
  return join(packaged, newest, 'bin')
}

const asPostgres = (command: string) => execFileSync('su', ['postgres', '-s', '/bin/bash', '-c', command],
  { stdio: ['ignore', 'ignore', 'inherit'] })

/** The user of Debian's servers. */
const postgresUser = () => {
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
  return { uid, gid }
}

/** A folder that the user of Debian's servers owns. */
const makeOwnFolder = (t: Teardown, name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `steward-${name}-`))
  const { uid, gid } = postgresUser()
  chownSync(folder, uid, gid)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Debian's own server, in a folder and on a port of its own. */
export class Cluster {
  readonly #bin = newestBin()

  private constructor (private readonly folder: string, readonly port: number) {}

  get host (): string { return `127.0.0.1:${this.port}` }
  get url (): string { return `postgres://postgres@${this.host}/postgres` }

  static async start (t: Teardown): Promise<Cluster> {
    const cluster = new Cluster(makeOwnFolder(t, 'cluster'), await freePort())
    asPostgres(`${cluster.#bin}/initdb -D ${cluster.folder}/data -A trust -U postgres`)
    cluster.#run(t)
    return cluster
  }

  /** A standby of this server, which it streams to. */
  async standby (t: Teardown): Promise<Cluster> {
    const standby = new Cluster(makeOwnFolder(t, 'standby'), await freePort())
    asPostgres(`${this.#bin}/pg_basebackup -D ${standby.folder}/data -R -X stream -c fast -d '${this.url}'`)
    standby.#run(t)
    return standby
  }

  #run (t: Teardown): void {
    this.start()
    t.teardown(() => { try { this.stop('immediate') } catch { /* it was stopped by the test */ } })
  }

  start (): void {
    const settings = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${this.folder} ` +
      '-c hot_standby=on -c max_connections=200'
    asPostgres(`${this.#bin}/pg_ctl -D ${this.folder}/data -w -l ${this.folder}/log -o '${settings}' start`)
  }

  stop (mode: 'fast' | 'immediate'): void {
    asPostgres(`${this.#bin}/pg_ctl -D ${this.folder}/data -m ${mode} -w stop`)
  }

  promote (): void {
    asPostgres(`${this.#bin}/pg_ctl -D ${this.folder}/data -w promote`)
  }

  async query<R extends pg.QueryResultRow> (text: string): Promise<R[]> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      return (await client.query<R>(text)).rows
    } finally {
      await client.end()
    }
  }
}

/** Debian's PgBouncer in front of a server. @returns the URL of the database behind it */
export const startPgBouncer = async (t: Teardown, cluster: Cluster, mode: 'session' | 'transaction') => {
  const folder = makeOwnFolder(t, 'pgbouncer')
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'users'), '"postgres" ""\n')
  writeFileSync(join(folder, 'pgbouncer.ini'), `[databases]
postgres = host=127.0.0.1 port=${cluster.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = ${mode}
default_pool_size = 20
max_client_conn = 200
`)
  // Not by `su`, whose end leaves its child running.
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...postgresUser() })
  t.teardown(() => { child.kill('SIGKILL') })
  const host = `127.0.0.1:${port}`
  const url = `postgres://postgres@${host}/postgres`
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return url
    } catch (error) {
      if (tries > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
