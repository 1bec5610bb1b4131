import { join } from 'node:path'
import { Kysely, type LogConfig, LimitNode, ValueNode, type KyselyPlugin, type RootOperationNode } from 'kysely'
import pg from 'pg'
import { Bulkheads, keepTimeOuts, startupOptions } from './bulkheads.js'
import { Channels, PoolClient, type ClientOptions, makePrivate } from './clients.js'
import { lockFolder } from './embedded-lock.js'
import { Listener } from './listener.js'
import { Primary } from './primary.js'
import type { Database, Db } from './types.js'
import { WatchedDialect } from './watched-driver.js'

/** Pages of the usual sizes, and the row beyond, which shows whether there is another. */
const usual = new Set<unknown>([1, 2, 5, 10, 11, 20, 21, 25, 26, 30, 31, 50, 51, 100, 101])

export const isUsualLimit = (value: unknown): value is number => usual.has(value)

const written = (node: RootOperationNode): RootOperationNode => {
  if (node.kind !== 'SelectQueryNode' || !node.limit || !ValueNode.is(node.limit.limit)) return node
  const { value } = node.limit.limit
  return isUsualLimit(value)
    ? { ...node, limit: LimitNode.create(ValueNode.createImmediate(value)) }
    : node
}

/**
 * Writes the usual limits into the text of a statement instead of sending them as a parameter. A plan for any limit
 * is reckoned for a tenth of all rows, so that on a large table PostgreSQL finds a plan for the one limit cheaper
 * every time, and plans a prepared statement anew at every execution, which costs more than reading a page. Others
 * stay parameters: each would be one more statement to keep prepared.
 */
export const inlineLimits: KyselyPlugin = {
  transformQuery: ({ node }) => written(node),
  transformResult: async ({ result }) => result
}

export type { Db }

const int8 = 20
/** Positions, counts and micro-dollars stay far below 2^53, so int8 is a number here. */
const types: pg.CustomTypesConfig = {
  // The overloads of getTypeParser do not take a union of formats.
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === int8 ? Number : pg.types.getTypeParser(id, format as 'text')) as typeof pg.types.getTypeParser
}

/** Statements of Kysely over the pool. */
export const openKysely = (pool: pg.Pool, log?: LogConfig, bulkheads?: Bulkheads): Db =>
  new Kysely<Database>({ dialect: new WatchedDialect({ pool }, bulkheads), plugins: [inlineLimits], ...(log && { log }) })

export interface OpenDatabase {
  db: Db
  pool: pg.Pool
  embedded: boolean
  /** Sees to it that time-outs hold, before the first statement. */
  prepare(): Promise<void>
  /**
   * Calls back for every NOTIFY on the channel; a hint only, so it may miss some.
   * @param onReconnect when some may have been missed
   * @returns what ends it
   */
  listen(channel: string, onPayload: (payload: string) => void, onReconnect?: () => void): Promise<() => void>
  /** Connections beside the pool, for what has to be answered while statements hold all of that. */
  openApart(): Db
  /** What a silent worker may hold of the pool; nothing is limited before it is told that the database is divided. */
  bulkheads: Bulkheads
  close(): Promise<void>
}

/** Longer than any statement may take: a server that is silent so long is not there. */
const silenceMs = 20_000

/** Beside the pool: more than a database has silent workers, of which each holds one for some seconds. */
const maxApart = 20

export interface ServerOptions {
  /** The connections of the pool; one more listens. */
  max: number
  onError: (error: Error) => void
  /** The way past a pooler, for what needs a session of its own: LISTEN. Its time-outs are kept by the role then. */
  directUrl?: string | undefined
  /** false where a pooler hands each transaction to another session, and cannot move prepared statements. */
  prepares?: boolean | undefined
  queryTimeoutMs?: number
}

const openPool = (options: ClientOptions, onError: (error: Error) => void): pg.Pool => {
  const pool = new pg.Pool(options)
  pool.on('error', onError)
  // A connection that breaks in use rejects its query; without a listener its error would end the process as well.
  pool.on('connect', (client) => { client.on('error', () => undefined) })
  return pool
}

/** PostgreSQL by URL, which may name several hosts. */
export const openServer = (url: string, { max, onError, directUrl, prepares = directUrl === undefined, queryTimeoutMs }:
ServerOptions): OpenDatabase => {
  const primary = new Primary(url)
  const direct = directUrl === undefined ? primary : new Primary(directUrl)
  const options: ClientOptions = {
    connectionString: primary.urls[0],
    primary,
    prepares,
    types,
    Client: PoolClient,
    connectionTimeoutMillis: 5_000,
    query_timeout: queryTimeoutMs ?? silenceMs,
    keepAlive: true,
    ...(directUrl === undefined && { options: startupOptions })
  }
  const pool = openPool({ ...options, max }, onError)
  const bulkheads = new Bulkheads(max)
  const db = openKysely(pool, undefined, bulkheads)
  const apart: Db[] = []
  const listener = new Listener(direct, onError)
  return {
    db,
    pool,
    bulkheads,
    embedded: false,
    prepare: async () => { if (directUrl !== undefined) await keepTimeOuts(direct) },
    listen: (...hearing) => listener.listen(...hearing),
    openApart () {
      const opened = openKysely(openPool({ ...options, max: maxApart }, onError))
      apart.push(opened)
      return opened
    },
    async close () {
      await listener.close()
      await Promise.all([db, ...apart].map((one) => one.destroy()))
    }
  }
}

const subscribe = async (to: { query: (text: string) => Promise<unknown> }, channel: string): Promise<void> => {
  await to.query(`listen ${pg.escapeIdentifier(channel)}`)
}

/**
 * A client that is dropped does not end its session here: the next would inherit its transaction and statements. What
 * the session listened to goes with them.
 */
const takeOverSession = async (client: pg.ClientBase, channels: Channels): Promise<void> => {
  await client.query('ROLLBACK')
  await client.query('DISCARD ALL')
  client.on('notification', (notification) => channels.deliver(notification))
  for (const channel of channels.names) await subscribe(client, channel)
  channels.reconnected()
}

/** PostgreSQL in this process, in a folder that no other process may open meanwhile. */
export const openFolder = async (folder: string): Promise<OpenDatabase> => {
  const unlock = await lockFolder(folder)
  try {
    // Read here: whoever has a server does without it.
    const { createEmbedded, EmbeddedStream, openEmbedded } = await import('./embedded.js')
    makePrivate(join(folder, 'database'))
    await createEmbedded(folder)
    const lite = await openEmbedded(folder)
    const channels = new Channels()
    const pool = new pg.Pool({
      stream: () => new EmbeddedStream(lite),
      // The database has one session.
      max: 1,
      user: 'postgres',
      database: 'postgres',
      ssl: false,
      types,
      Client: PoolClient,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 10_000,
      onConnect: (client) => takeOverSession(client, channels)
    })
    const bulkheads = new Bulkheads(1)
    const db = openKysely(pool, undefined, bulkheads)
    return {
      db,
      pool,
      bulkheads,
      embedded: true,
      async prepare () {},
      // The database has one session.
      openApart: () => db,
      // The one session hears itself.
      listen: (channel, ...hearing) => subscribe(pool, channel).then(() => channels.add(channel, ...hearing)),
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
