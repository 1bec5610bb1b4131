import {
  PostgresDialect, PostgresDriver, type DatabaseConnection, type Driver, type PostgresDialectConfig
} from 'kysely'
import { currentEffects, performCommit, type Effects } from './effects.js'

/** Kept for every request, whatever it does. */
const bookkeeping = new Set(['idempotency_key', 'audit', 'rate_window', 'target_claim'])

const change = /^\s*(?:with\b[^]*?\b)?(?:insert\s+into|update|delete\s+from|merge\s+into)\s+"?(\w+)/i

const isChange = (sql: string): boolean => {
  const table = change.exec(sql)?.[1]
  return table !== undefined && !bookkeeping.has(table)
}

/** What is known of a connection's transaction; undefined = there is none. */
interface Transaction { effects: Effects | undefined, changes: boolean }

/**
 * The driver of Kysely that counts what makes a change last: each commit of a transaction that changed something, and
 * each statement that changes something outside of one.
 */
class WatchedDriver extends PostgresDriver {
  readonly #transactions = new WeakMap<DatabaseConnection, Transaction>()
  readonly #watched = new WeakSet<DatabaseConnection>()

  override async acquireConnection (...options: Parameters<PostgresDriver['acquireConnection']>) {
    const connection = await super.acquireConnection(...options)
    if (!this.#watched.has(connection)) this.#watch(connection)
    return connection
  }

  #watch (connection: DatabaseConnection) {
    this.#watched.add(connection)
    const run = connection.executeQuery.bind(connection)
    connection.executeQuery = (query, ...more) => {
      const effects = currentEffects()
      if (!effects || !isChange(query.sql)) return run(query, ...more)
      const transaction = this.#transactions.get(connection)
      if (!transaction) return performCommit(effects, () => run(query, ...more), (mark) => run(mark), false)
      transaction.changes = true
      return run(query, ...more)
    }
  }

  override async beginTransaction (...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>) {
    this.#transactions.set(connection, { effects: currentEffects(), changes: false })
    await super.beginTransaction(connection, settings)
  }

  override async commitTransaction (connection: DatabaseConnection) {
    const { effects, changes } = this.#transactions.get(connection) ?? {}
    const commit = () => super.commitTransaction(connection)
    // A rollback after a commit that failed is the transaction's end.
    await (effects && changes
      ? performCommit(effects, commit, (mark) => connection.executeQuery(mark), true)
      : commit())
    this.#transactions.delete(connection)
  }

  override async rollbackTransaction (...[connection]: Parameters<PostgresDriver['rollbackTransaction']>) {
    this.#transactions.delete(connection)
    await super.rollbackTransaction(connection)
  }
}

/** PostgreSQL, with the driver above. */
export class WatchedDialect extends PostgresDialect {
  constructor (private readonly settings: PostgresDialectConfig) {
    super(settings)
  }

  override createDriver (): Driver {
    return new WatchedDriver(this.settings)
  }
}
