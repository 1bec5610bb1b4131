import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../index.js'
import { isOneOf } from '../statement.js'
import { type Reach, sweep } from '../workers.js'

/** Where processes hear that there is work; the payload is the table in which it is. */
export const workChannel = 'steward_work'

/** Announces work that waits for a process; heard at commit, may be lost. */
export const announceWork = async (db: Db, table: string): Promise<void> => {
  const notify = sql<null>`pg_notify(${workChannel}, ${table})`
  await db.selectNoFrom(notify.as('notified')).execute()
}

/** Columns that a table of leased work has beside its own, and that a claim returns. */
export interface LeasedRow { workspace_id: string, id: string, lease_epoch: number }

export interface WorkKey { workspace_id: string, id: string }

/** Who claims. */
export interface Claimant {
  /** The id of the process. */
  owner: string
  leaseMs: number
  /** Work that the process holds: a process that was stalled renews its own lapsed lease, and claims no work twice. */
  holds: readonly string[]
  /** What it has room for: work without an owner, and work whose lease lapsed. */
  takes: { unowned: boolean, lapsed: boolean }
  /** A person waits for the work: the claim waits for the lock of the row, instead of leaving it to a sweep. */
  waits?: boolean
}

/** What the row of held work says now. */
export interface SeenRow { id: string, lease_epoch: number }

/** The same, and whether a cancel was requested. */
export interface HeldRow extends SeenRow { cancel_requested: boolean }

/** What waits for a process. */
export interface Claimable<Key> {
  keys: Key[]
  /** Milliseconds until a lease lapses that another process holds; null when there is none. */
  lapses_in_ms: number | null
}

/** The queries by which processes share the work of one table. */
export interface Leases<Row extends LeasedRow, Key = WorkKey, Seen extends SeenRow = HeldRow> {
  /** Its name, by which work in it is announced. */
  table: string
  /** Takes work that is unclaimed under a new epoch. What its last owner still writes changes nothing. */
  claim: (db: Db, key: Key, claimant: Claimant) => Promise<Row | undefined>
  /** @returns unclaimed work, the oldest first, and when there may be more of it */
  findClaimable: (db: Db, limit: number, claimant: Claimant) => Promise<Claimable<Key>>
  /** @returns what the owner holds of it, as the rows are now. Without it a lost lease is noticed at the renewal. */
  listHeld?: (db: Db, owner: string, held: readonly WorkKey[]) => Promise<Seen[]>
  /**
   * Of work that the process let go of, because the database was unavailable, the lease lapses.
   * @returns what the owner still holds of it
   */
  renew: (db: Db, owner: string, held: readonly WorkKey[], leaseMs: number) => Promise<SeenRow[]>
  /** Makes work claimable at once: whoever claims it goes on after the last step that is done. */
  releaseLease: (db: Db, held: LeasedRow) => Promise<void>
}

export const leaseUntil = (leaseMs: number): RawBuilder<Date> =>
  sql<Date>`statement_timestamp() + make_interval(secs => ${leaseMs / 1000})`

/** What a write sets that ends the work or lets go of it: no write under the old epoch counts after it. */
export const noLease = { lease_owner: null, lease_until: null, lease_epoch: sql<number>`lease_epoch + 1` }

/** The fence of every write: the row is still under the epoch of whoever writes, and has not ended. */
export const isHeld = ({ workspace_id, id, lease_epoch }: LeasedRow, active: readonly string[],
  column: 'status' | 'state' = 'status'): RawBuilder<boolean> =>
  sql<boolean>`workspace_id = ${workspace_id} and id = ${id} and lease_epoch = ${lease_epoch}
    and ${isOneOf(column, active)}`

/**
 * Asks once for each workspace: all rows of one lie on one shard. One that cannot be asked does not keep the others.
 * @throws the first error, after all were asked
 */
export const byWorkspace = async <Row>(keys: readonly WorkKey[],
  ask: (workspaceId: string, ids: readonly string[]) => Promise<readonly Row[]>): Promise<Row[]> => {
  const ids = new Map<string, string[]>()
  for (const { workspace_id, id } of keys) {
    const those = ids.get(workspace_id)
    if (those) those.push(id)
    else ids.set(workspace_id, [id])
  }
  const rows: Row[] = []
  const errors: unknown[] = []
  for (const [workspaceId, those] of ids) {
    await ask(workspaceId, those).then((more) => rows.push(...more), (error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
  return rows
}

/** How a process keeps what it holds, and lets go of it. A release in good order begins the count of attempts anew. */
export const renewalsOf = (tableName: string, active: readonly string[]):
Pick<Leases<LeasedRow>, 'table' | 'renew' | 'releaseLease'> => ({
  table: tableName,
  renew: (db, owner, held, leaseMs) => byWorkspace(held, async (workspaceId, ids) => {
    const { rows } = await sql<SeenRow>`update ${sql.table(tableName)} set lease_until = ${leaseUntil(leaseMs)}
      where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and lease_owner = ${owner}
        and ${isOneOf('status', active)}
      returning id, lease_epoch`.execute(db)
    return rows
  }),
  releaseLease: async (db, held) => {
    await sql`update ${sql.table(tableName)}
      set lease_owner = null, lease_until = null, lease_epoch = lease_epoch + 1, attempts = 0
      where ${isHeld(held, active)}`.execute(db)
  }
})

/**
 * Selects keys of rows: of each workspace the oldest first, and the workspaces in turn, so that one with much to do
 * does not keep the others waiting.
 */
export const inTurn = (tableName: string, where: RawBuilder<unknown>, since: string, limit: number):
RawBuilder<WorkKey> => sql<WorkKey>`select workspace_id, id from (
  select workspace_id, id, ${sql.ref(since)} as since,
    row_number() over (partition by workspace_id order by ${sql.ref(since)}) as turn
  from ${sql.table(tableName)} where ${where}) as waiting order by turn, since limit ${limit}`

/** Work that is active and unclaimed, or whose lease lapsed under another process. */
export const isClaimable = ({ holds, takes: { unowned, lapsed } }: Claimant, active: readonly string[]):
RawBuilder<boolean> => sql<boolean>`(${isOneOf('status', active)} and (
  (${unowned}::boolean and lease_owner is null) or
  (${lapsed}::boolean and lease_until < statement_timestamp() and not id = any(${holds}::uuid[]))))`

/**
 * @param claimable selects the keys of what is claimable
 * @param active statuses in which a row may be under a lease
 */
export const findClaimableBy = <Key>(db: Db, tableName: string, { holds }: Claimant,
  claimable: (reach: Reach) => RawBuilder<unknown>, active: readonly string[]): Promise<Claimable<Key>> =>
    sweep(db, async (reach) => {
    // A lease that lapses between the two looks is in one of them: the transaction's time is before the clock's.
      const { rows } = await sql<Claimable<Key>>`
      select coalesce((select json_agg(due) from (${claimable(reach)}) due), '[]') as keys,
        (select (extract(epoch from min(lease_until) - statement_timestamp()) * 1000)::float8
          from ${sql.table(tableName)} where ${reach(sql`${isOneOf('status', active)} and lease_until >= now()
            and not id = any(${holds}::uuid[])`)}) as lapses_in_ms`.execute(db)
      return rows[0] ?? { keys: [], lapses_in_ms: null }
    })

/**
 * Takes rows of a table under a new epoch. `attempts` counts the leases that lapsed one after the other.
 * @param where names the row, and says that it is claimable
 * @param more what else a claim sets
 */
export const takeLease = async <Row extends LeasedRow>(db: Db, tableName: string, columns: readonly string[],
  where: RawBuilder<unknown>, { owner, leaseMs }: Claimant, more?: RawBuilder<unknown>): Promise<Row | undefined> => {
  const { rows } = await sql<Row>`update ${sql.table(tableName)}
    set lease_owner = ${owner}, lease_epoch = lease_epoch + 1, lease_until = ${leaseUntil(leaseMs)},
      attempts = attempts + case when lease_owner is null then 0 else 1 end ${more ? sql`, ${more}` : sql``}
    where ${where} returning ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(db)
  return rows[0]
}

/**
 * Leases of a table's rows; its columns status, lease_owner, lease_epoch, lease_until, attempts,
 * cancel_requested_at and created_at say who does what.
 * @param active statuses in which there is something to do
 */
export const leasesOf = <Row extends LeasedRow>(tableName: string, columns: readonly string[],
  active: readonly string[]): Required<Leases<Row>> => ({
    ...renewalsOf(tableName, active),
    claim: (db, { workspace_id, id }, claimant) => takeLease<Row>(db, tableName, columns,
      sql`workspace_id = ${workspace_id} and id = ${id} and ${isClaimable(claimant, active)}`, claimant),
    findClaimable: (db, limit, claimant) => findClaimableBy(db, tableName, claimant,
      (reach) => inTurn(tableName, reach(isClaimable(claimant, active)), 'created_at', limit), active),
    listHeld: (db, owner, held) => byWorkspace(held, async (workspaceId, ids) => (await sql<HeldRow>`
      select id, lease_epoch, cancel_requested_at is not null as cancel_requested from ${sql.table(tableName)}
      where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and lease_owner = ${owner}
        and ${isOneOf('status', active)}`.execute(db)).rows)
  })
