import { channel } from 'node:diagnostics_channel'
import {
  PostgresDialect, PostgresDriver, type AbortableOperationOptions, type CompiledQuery, type DatabaseConnection,
  type Driver, type PostgresDialectConfig, type QueryResult
} from 'kysely'
import type { Bulkhead, Bulkheads } from './bulkheads.js'
import { currentEffects, performCommit, type Effects } from './effects.js'

/** Each statement as it is sent, for whoever watches: the tests look whether it is of one workspace. */
const statements = channel('steward:statement')

/** Kept for every request, whatever it does. */
const bookkeeping = new Set(['idempotency_key', 'audit', 'rate_window', 'target_claim'])

const change = /^\s*(?:with\b[^]*?\b)?(?:insert\s+into|update|delete\s+from|merge\s+into)\s+"?(\w+)/i

const isChange = (sql: string): boolean => {
  const table = change.exec(sql)?.[1]
  return table !== undefined && !bookkeeping.has(table)
}

/** A connection of Kysely's driver, as it takes it back. */
type PoolConnection = Parameters<PostgresDriver['releaseConnection']>[0]

/** What is known of a connection's transaction; undefined = there is none. */
interface Transaction { effects: Effects | undefined, changes: boolean }

type Settings = Parameters<PostgresDriver['beginTransaction']>[1]

/**
 * Takes a connection of the pool when its first statement says which worker it waits for: what waits for one worker's
 * share holds no connection. A transaction begins then as well.
 */
class LateConnection implements DatabaseConnection {
  /** What was taken, and is given back. */
  taken: Promise<PoolConnection> | undefined
  begins: Settings | undefined
  #bulkhead: Bulkhead | undefined
  #leave: (() => void) | undefined

  constructor (private readonly bulkheads: Bulkheads,
    private readonly take: (begins: Settings | undefined) => Promise<PoolConnection>) {}

  executeQuery: DatabaseConnection['executeQuery'] = async (query, ...more) => {
    await this.#enter(query)
    const taken: DatabaseConnection = await this.#take()
    return taken.executeQuery(query, ...more)
  }

  async * streamQuery<R> (query: CompiledQuery, ...more: [chunkSize: number, options?: AbortableOperationOptions]):
  AsyncIterableIterator<QueryResult<R>> {
    await this.#enter(query)
    const taken: DatabaseConnection = await this.#take()
    yield * taken.streamQuery<R>(query, ...more)
  }

  /** The connection was given back. */
  leave (): void {
    this.#leave?.()
    this.#leave = undefined
  }

  async #enter ({ parameters }: CompiledQuery): Promise<void> {
    if (this.#bulkhead) return
    this.#bulkhead = this.bulkheads.find(parameters)
    this.#leave = await this.#bulkhead?.enter()
  }

  #take (): Promise<PoolConnection> {
    this.taken ??= this.take(this.begins)
    return this.taken
  }
}

/** @returns the connection that was taken; undefined when no statement was sent */
const takenBy = async (connection: DatabaseConnection): Promise<PoolConnection | undefined> =>
  // What the driver did not hand out late, it took from Kysely's own.
  connection instanceof LateConnection ? connection.taken : connection as PoolConnection

/**
 * The driver of Kysely that counts what makes a change last: each commit of a transaction that changed something, and
 * each statement that changes something outside of one.
 */
class WatchedDriver extends PostgresDriver {
  readonly #transactions = new WeakMap<DatabaseConnection, Transaction>()
  readonly #watched = new WeakSet<DatabaseConnection>()

  constructor (settings: PostgresDialectConfig, private readonly bulkheads: Bulkheads | undefined) {
    super(settings)
  }

  override async acquireConnection (...options: Parameters<PostgresDriver['acquireConnection']>):
  Promise<DatabaseConnection> {
    const take = async (begins?: Settings) => {
      // Kysely's driver takes back what it hands out.
      const connection = await super.acquireConnection(...options) as PoolConnection
      if (!this.#watched.has(connection)) this.#watch(connection)
      if (begins) await this.#begin(connection, begins)
      return connection
    }
    const { bulkheads } = this
    return bulkheads?.isDivided ? new LateConnection(bulkheads, take) : take()
  }

  override async releaseConnection (connection: DatabaseConnection) {
    // One that was not to be had, or in which no transaction began, is not there to be given back.
    const taken = await takenBy(connection).catch(() => undefined)
    if (taken) await super.releaseConnection(taken)
    if (connection instanceof LateConnection) connection.leave()
  }

  #watch (connection: DatabaseConnection) {
    this.#watched.add(connection)
    const run = connection.executeQuery.bind(connection)
    connection.executeQuery = (query, ...more) => {
      if (statements.hasSubscribers) statements.publish(query.sql)
      const effects = currentEffects()
      if (!effects || !isChange(query.sql)) return run(query, ...more)
      const transaction = this.#transactions.get(connection)
      if (!transaction) return performCommit(effects, () => run(query, ...more), (mark) => run(mark), false)
      transaction.changes = true
      return run(query, ...more)
    }
  }

  override async beginTransaction (connection: DatabaseConnection, settings: Settings) {
    if (connection instanceof LateConnection) connection.begins = settings
    else await this.#begin(connection as PoolConnection, settings)
  }

  async #begin (connection: PoolConnection, settings: Settings): Promise<void> {
    this.#transactions.set(connection, { effects: currentEffects(), changes: false })
    await super.beginTransaction(connection, settings)
  }

  override async commitTransaction (begun: DatabaseConnection) {
    const connection = await takenBy(begun)
    if (!connection) return
    const { effects, changes } = this.#transactions.get(connection) ?? {}
    const commit = () => super.commitTransaction(connection)
    // A rollback after a commit that failed is the transaction's end.
    await (effects && changes
      ? performCommit(effects, commit, (mark) => connection.executeQuery(mark), true)
      : commit())
    this.#transactions.delete(connection)
  }

  override async rollbackTransaction (begun: DatabaseConnection) {
    const connection = await takenBy(begun).catch(() => undefined)
    if (!connection) return
    this.#transactions.delete(connection)
    await super.rollbackTransaction(connection)
  }
}

/** PostgreSQL, with the driver above. */
export class WatchedDialect extends PostgresDialect {
  /** @param bulkheads keep apart the workspaces of each worker, where the database is divided */
  constructor (private readonly settings: PostgresDialectConfig, private readonly bulkheads?: Bulkheads) {
    super(settings)
  }

  override createDriver (): Driver {
    return new WatchedDriver(this.settings, this.bulkheads)
  }
}
