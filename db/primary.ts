import pg from 'pg'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from './types.js'

/** @returns under which timeline the database is now; null where the server does not show it */
export const readTimeline = async (db: Db): Promise<string | null> =>
  (await db.selectNoFrom(timeline.as('timeline')).executeTakeFirstOrThrow()).timeline

const timeline = sql<string | null>`steward_timeline()`

/**
 * Whether the database was replaced by a standby or a backup since a row was written.
 * @param column its timeline; null says nothing, and counts as the same
 * @param now the timeline of the server that was asked, which writes it into new rows; one that has the row may be
 *   another server
 */
export const isReplaced = (column: string, now: string | null): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${sql.ref(column)} <> ${now}::text, false)`

/** What waits for less than the standby's disk. */
const weak = sql.join(['off', 'local', 'remote_write'].map((level) => sql.lit(level)))

/**
 * Lets the commit of this transaction wait for a synchronous standby, where one is configured, whatever the server's
 * default is. It has no time-out of its own: one would end the wait, and call what no standby has committed.
 * @returns as readTimeline
 */
export const waitForStandby = async (trx: Db): Promise<string | null> => {
  const { rows } = await sql<{ timeline: string | null }>`select ${timeline} as timeline,
    set_config('statement_timeout', '0', true), set_config('synchronous_commit', case
    when current_setting('synchronous_commit') in (${weak}) then 'on' else current_setting('synchronous_commit') end,
    true)`.execute(trx)
  return rows[0]?.timeline ?? null
}

/** A host that is silent for so long is not asked again before the next search. */
const probeMs = 2_000

/** SQLSTATE 57P03, cannot_connect_now: as a server that is not ready says it. */
class NoPrimary extends Error {
  readonly code = '57P03'
  constructor (hosts: number) {
    super(`None of the ${hosts} hosts of the database takes writes`)
  }
}

/** The database's URL names one host, or several, separated by commas, as libpq's URLs do. */
const split = (url: string): string[] => {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
}

/** @returns the timeline of a server that takes writes, which each promotion raises; 0 of one that takes none */
const timelineOf = async (connectionString: string): Promise<number> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: probeMs, query_timeout: probeMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows: [row] } = await client.query<{ timeline: string | null }>(`select
      case when not pg_is_in_recovery() then substring(pg_walfile_name(pg_current_wal_lsn()) for 8) end as timeline`)
    return parseInt(row?.timeline ?? '0', 16)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Which of the database's hosts takes writes. With one host nothing is asked. With several, all are asked when there is
 * no known one; of two that take writes, as when a primary that was replaced comes back, the one promoted last is it.
 */
export class Primary {
  readonly urls: string[]
  #known: string | undefined
  #search: Promise<string> | undefined

  constructor (url: string) {
    this.urls = split(url)
  }

  /**
   * @returns the URL of the host that takes writes, or of the only one
   * @throws an error with an SQLSTATE if none does
   */
  async find (): Promise<string> {
    const [only] = this.urls
    if (this.urls.length === 1 && only !== undefined) return only
    if (this.#known !== undefined) return this.#known
    this.#search ??= this.#look().finally(() => { this.#search = undefined })
    return this.#search
  }

  /** A connection failed, or its server took no write: the next one looks again. */
  forget (): void {
    this.#known = undefined
  }

  async #look (): Promise<string> {
    const found = await Promise.allSettled(this.urls.map(timelineOf))
    const timelines = found.map((answer) => answer.status === 'fulfilled' ? answer.value : 0)
    const newest = Math.max(...timelines)
    this.#known = newest > 0 ? this.urls[timelines.indexOf(newest)] : undefined
    if (this.#known === undefined) throw new NoPrimary(this.urls.length)
    return this.#known
  }
}
