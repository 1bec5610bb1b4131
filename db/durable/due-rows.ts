import { sql, type RawBuilder } from 'kysely'
import { clockPlus, now } from '../clock.js'
import { next } from '../columns.js'
import type { Db } from '../index.js'
import type { WorkKey } from './leases.js'

/** A table of rows that wait for a time, are claimed by a job, and wait again. */
export interface DueTable<Row extends object> {
  name: string
  /** The column that says how far a row is. */
  state: 'state' | 'status'
  /** What a claim returns, beside `was`: the state before it. */
  columns: readonly (keyof Row & string)[]
  /** What a claim returns that is no column. */
  computed?: RawBuilder<unknown>
  /** The time of a row has come, and no job holds it. */
  isDue: RawBuilder<boolean>
  /** The same as far as an index knows, and its job is missing: the sweep makes another. */
  isLate: RawBuilder<boolean>
  /** What a claim sets: until when no other job claims the row, and what the table counts. */
  onClaim: RawBuilder<unknown>
  /** The column with the time of which the oldest comes first. */
  orderBy: string
}

/** The queries by which jobs share the rows of one table, of which each has a job that names it. */
export interface DueRows<Row extends object> {
  /** Takes a row that is due. @returns undefined when it is not, or another job holds it */
  claim: (db: Db, key: WorkKey) => Promise<Row | undefined>
  /** @returns rows whose job was lost, the oldest first */
  listLate: (db: Db, limit: number) => Promise<WorkKey[]>
}

/** What a claim sets where the write that follows it passes the fence of `isHeld`. The lease is not renewed. */
export const leaseFor = (seconds: number): RawBuilder<unknown> =>
  sql`lease_epoch = ${next('lease_epoch')}, lease_until = ${clockPlus(seconds)}`

/**
 * What a claim sets where the whole step is one transaction that locks the row: the attempt is counted, and the row is
 * due again after a pause that doubles, before the step begins. A step that ends its process is not repeated for ever.
 */
export const putOffFor = (firstSeconds: number): RawBuilder<unknown> => sql`attempts = ${next('attempts')},
  next_attempt_at = ${now} + make_interval(secs => ${sql.lit(firstSeconds)} * power(2, attempts))`

type Claim<Row extends object> = Omit<DueTable<Row>, 'isLate'>

const take = async <Row extends object>(db: Db, { name, state, columns, computed, onClaim }: Claim<Row>,
  where: RawBuilder<unknown>): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    with due as (select workspace_id, id, ${sql.ref(state)} as was from ${sql.table(name)} where ${where})
    update ${sql.table(name)} set ${onClaim} from due
    where ${sql.ref(`${name}.workspace_id`)} = due.workspace_id and ${sql.ref(`${name}.id`)} = due.id
    returning ${sql.join(columns.map((column) => sql.ref(`${name}.${column}`)))}, due.was
      ${computed ? sql`, ${computed}` : sql``}`.execute(db)
  return rows
}

export const dueRowsOf = <Row extends object>(table: DueTable<Row>): DueRows<Row> => ({
  claim: async (db, { workspace_id, id }) => (await take(db, table,
    sql`workspace_id = ${workspace_id} and id = ${id} and ${table.isDue} for update`))[0],
  listLate: async (db, limit) => (await sql<WorkKey>`select workspace_id, id from ${sql.table(table.name)}
    where ${table.isLate} order by ${sql.ref(table.orderBy)} limit ${limit}`.execute(db)).rows
})

/** Of rows whose jobs name none. */
export interface DueBatches<Row extends object> {
  /** Takes rows that are due, the oldest first, and none that another job is just taking. */
  claim: (db: Db, limit: number) => Promise<Row[]>
}

export const dueBatchesOf = <Row extends object>(table: Claim<Row>): DueBatches<Row> => ({
  claim: (db, limit) => take(db, table,
    sql`${table.isDue} order by ${sql.ref(table.orderBy)} limit ${limit} for update skip locked`)
})
