import { sql, type RawBuilder } from 'kysely'
import type { Db } from './index.js'

/** Columns that a table of leased work has beside its own. */
export interface Leased { workspace_id: string, id: string, lease_epoch: number }

export interface Leases<Row extends Leased> {
  /**
   * Takes work that nobody holds. A worker that was lost is fenced by the epoch: what it still writes changes nothing.
   */
  claim: (db: Db, workspaceId: string, id: string, owner: string, leaseMs: number) => Promise<Row | undefined>
  /** @returns work that nobody does, the oldest first */
  listClaimable: (db: Db, limit: number) => Promise<Array<Pick<Row, 'workspace_id' | 'id'>>>
  /** @returns what the owner holds, as the rows are now */
  listHeld: (db: Db, owner: string) => Promise<Array<Pick<Row, 'id' | 'lease_epoch'> & { cancel_asked: boolean }>>
  renew: (db: Db, owner: string, ids: string[], leaseMs: number) => Promise<void>
  /** Gives work back at shutdown: whoever claims it goes on after the last step that is done. */
  handOver: (db: Db, held: Leased) => Promise<void>
}

const until = (leaseMs: number): RawBuilder<Date> =>
  sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`

/**
 * Leases of a table's rows; its columns status, lease_owner, lease_epoch, lease_until, attempts,
 * cancel_requested_at and created_at say who does what.
 * @param active statuses in which there is something to do
 */
export const leasesOf = <Row extends Leased>(tableName: string, columns: readonly string[],
  active: readonly string[]): Leases<Row> => {
  const table = sql.table(tableName)
  const isActive = sql`status in (${sql.join([...active])})`
  const isFree = sql`${isActive} and (lease_owner is null or lease_until < clock_timestamp())`
  return {
    claim: async (db, workspaceId, id, owner, leaseMs) => {
      const { rows } = await sql<Row>`update ${table}
        set lease_owner = ${owner}, lease_epoch = lease_epoch + 1, lease_until = ${until(leaseMs)},
          attempts = attempts + case when lease_owner is null then 0 else 1 end
        where workspace_id = ${workspaceId} and id = ${id} and ${isFree}
        returning ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(db)
      return rows[0]
    },
    listClaimable: async (db, limit) => (await sql<Row>`select workspace_id, id from ${table} where ${isFree}
      order by created_at limit ${limit}`.execute(db)).rows,
    listHeld: async (db, owner) => (await sql<Row & { cancel_asked: boolean }>`
      select id, lease_epoch, cancel_requested_at is not null as cancel_asked from ${table}
      where lease_owner = ${owner} and ${isActive}`.execute(db)).rows,
    renew: async (db, owner, ids, leaseMs) => {
      await sql`update ${table} set lease_until = ${until(leaseMs)}
        where lease_owner = ${owner} and id = any(${ids}::uuid[]) and ${isActive}`.execute(db)
    },
    handOver: async (db, held) => {
      await sql`update ${table} set lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1
        where workspace_id = ${held.workspace_id} and id = ${held.id} and lease_epoch = ${held.lease_epoch}
          and ${isActive}`.execute(db)
    }
  }
}
