import pg from 'pg'

const DEFAULT_URL = 'postgres://postgres@127.0.0.1:5432/postgres'

/** The PostgreSQL server that lends a fresh database to every target. */
export class Databases {
  readonly version: string
  readonly #admin: pg.Pool
  readonly #url: string
  readonly #made: string[] = []

  private constructor (admin: pg.Pool, url: string, version: string) {
    this.#admin = admin
    this.#url = url
    this.version = version
  }

  /** Undefined when no server answers. */
  static async connect (): Promise<Databases | undefined> {
    const url = process.env.BENCH_DATABASE_URL ?? DEFAULT_URL
    const admin = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 2000 })
    admin.on('error', () => {})
    try {
      const { rows } = await admin.query('show server_version')
      return new Databases(admin, url, rows[0].server_version)
    } catch {
      await admin.end()
      return undefined
    }
  }

  /** Makes an empty database and returns its URL. */
  async create (): Promise<string> {
    const name = `steward_bench_${process.pid}_${this.#made.length}`
    this.#made.push(name)
    await this.#admin.query(`create database ${name}`)
    const url = new URL(this.#url)
    url.pathname = `/${name}`
    return url.href
  }

  /** Processes of the server that work for one database; only meaningful when it runs on this machine. */
  async backends (databaseUrl: string): Promise<number[]> {
    const name = new URL(databaseUrl).pathname.slice(1)
    const { rows } = await this.#admin.query('select pid from pg_stat_activity where datname = $1', [name])
    return rows.map((row) => row.pid)
  }

  /** Transactions of one database so far; PostgreSQL counts those of an idle connection some seconds later. */
  async transactions (databaseUrl: string): Promise<number> {
    const name = new URL(databaseUrl).pathname.slice(1)
    const { rows } = await this.#admin.query(
      'select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = $1', [name])
    return rows[0].count
  }

  async run<T> (databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    try { return await work(client) } finally { await client.end() }
  }

  /** Drops what was made. */
  async close (): Promise<void> {
    for (const name of this.#made) await this.#admin.query(`drop database if exists ${name} with (force)`)
    await this.#admin.end()
  }
}
