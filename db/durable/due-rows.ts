import { sql, type RawBuilder } from 'kysely'
import { clock, clockPlus, now, plusOfRow } from '../clock.js'
import { next } from '../columns.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import { inTurn, type WorkKey } from './leases.js'

/** A table of rows that wait for a time, are claimed by a job, and wait again. */
export interface DueTable<Row extends object> {
  name: string
  /** The column that says how far a row is. */
  state: 'state' | 'status'
  /** What a claim returns, beside `was`: the state before it. */
  columns: readonly (keyof Row & string)[]
  /** What a claim returns that is no column, with its name; as it was before the claim. */
  computed?: RawBuilder<unknown>
  /** The time of a row has come, and no job holds it. */
  isDue: RawBuilder<boolean>
  /** The same as far as an index knows, and its job is missing: the sweep makes another. */
  isLate: RawBuilder<boolean>
  /** Another row holds this one up; only a claim asks. */
  isBusy?: (workspaceId: string) => RawBuilder<boolean>
  /** What a claim sets: until when no other job claims the row, and what the table counts. */
  onClaim: RawBuilder<unknown>
  /** The column with the time of which the oldest comes first. */
  orderBy: string
}

/** The queries by which jobs share the rows of one table, of which each has a job that names it. */
export interface DueRows<Row extends object> {
  /** Takes a row that is due. @returns undefined when it is not, or another job holds it */
  claim: (db: Db, key: WorkKey) => Promise<Row | undefined>
  /** @returns rows whose job was lost, the oldest first, and the workspaces in turn */
  listLate: (db: Db, limit: number) => Promise<WorkKey[]>
}

/** What a claim sets where the write that follows it passes the fence of `isHeld`. The lease is not renewed. */
export const leaseFor = (seconds: number | RawBuilder<number>): RawBuilder<unknown> =>
  sql`lease_epoch = ${next('lease_epoch')},
    lease_until = ${typeof seconds === 'number' ? clockPlus(seconds) : plusOfRow(clock, seconds)}`

/**
 * What a claim sets where the whole step is one transaction that locks the row: the attempt is counted, and the row is
 * due again after a pause that doubles, before the step begins. A step that ends its process is not repeated for ever.
 */
export const putOffFor = (firstSeconds: number): RawBuilder<unknown> => sql`attempts = ${next('attempts')},
  next_attempt_at = ${plusOfRow(now, sql`${sql.lit(firstSeconds)} * power(2, attempts)`)}`

type Claim<Row extends object> = Omit<DueTable<Row>, 'isLate' | 'isBusy'>

const take = async <Row extends object>(db: Db, { name, state, columns, computed, onClaim }: Claim<Row>,
  workspaceId: string, where: RawBuilder<unknown>): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    with due as (select id, ${sql.ref(state)} as was ${computed ? sql`, ${computed}` : sql``} from ${sql.table(name)}
      where workspace_id = ${workspaceId} and ${where})
    update ${sql.table(name)} set ${onClaim} from due
    where ${sql.ref(`${name}.workspace_id`)} = ${workspaceId} and ${sql.ref(`${name}.id`)} = due.id
    returning ${sql.join(columns.map((column) => sql.ref(`${name}.${column}`)))}, due.*`.execute(db)
  return rows
}

export const dueRowsOf = <Row extends object>(table: DueTable<Row>): DueRows<Row> => ({
  claim: async (db, { workspace_id, id }) => (await take(db, table, workspace_id,
    sql`id = ${id} and ${table.isDue} ${table.isBusy ? sql`and not ${table.isBusy(workspace_id)}` : sql``}
      for update`))[0],
  listLate: (db, limit) => sweep(db, async (reach) =>
    (await inTurn(table.name, reach(table.isLate), table.orderBy, limit).execute(db)).rows)
})

/** Of rows whose jobs name none. */
export interface DueBatches<Row extends object> {
  /** Takes rows that are due, of each workspace as many and the oldest first, and none that another job is taking. */
  claim: (db: Db, limit: number) => Promise<Row[]>
}

/** @returns the workspaces that have rows which are due: a look into the index for each workspace */
const listWorkspaces = <Row extends object>(db: Db, { name, isDue }: Claim<Row>): Promise<string[]> =>
  sweep(db, async (reach) => {
    const { rows } = await sql<{ id: string }>`select w.id from workspace w where ${reach(sql`exists (
      select from ${sql.table(name)} where ${reach(sql`${sql.ref(`${name}.workspace_id`)} = w.id and ${isDue}`,
        `${name}.workspace_id`)})`, 'w.id')}`.execute(db)
    return rows.map(({ id }) => id)
  })

/** In another order each time: where there are more workspaces than rows are taken, none is always the last. */
const shuffled = <T>(items: readonly T[]): T[] =>
  items.map((item): [number, T] => [Math.random(), item]).sort(([a], [b]) => a - b).map(([, item]) => item)

export const dueBatchesOf = <Row extends object>(table: Claim<Row>): DueBatches<Row> => ({
  claim: async (db, limit) => {
    const waiting = shuffled(await listWorkspaces(db, table))
    const rows: Row[] = []
    for (const [index, workspaceId] of waiting.entries()) {
      const share = Math.ceil((limit - rows.length) / (waiting.length - index))
      if (share === 0) break
      rows.push(...await take(db, table, workspaceId, sql`${table.isDue} order by ${sql.ref(table.orderBy)}
        limit ${share} for update skip locked`))
    }
    return rows
  }
})
