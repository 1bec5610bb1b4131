import pg from 'pg'

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
