import { sql, type RawBuilder } from 'kysely'
import type { Db } from './index.js'

/** The time at which the transaction began: all that it writes has one time. */
export const now = sql<Date>`now()`

/**
 * The time at which this statement began, which goes on while a transaction waits for a lock. It is one for all rows,
 * as a statement that goes to another server needs.
 */
export const clock = sql<Date>`statement_timestamp()`

export const nowPlus = (seconds: number): RawBuilder<Date> => sql`now() + make_interval(secs => ${seconds})`

export const clockPlus = (seconds: number): RawBuilder<Date> =>
  sql`statement_timestamp() + make_interval(secs => ${seconds})`

/** @param seconds of the row: a change does not add an interval that is made of a column */
export const plusOfRow = (time: RawBuilder<Date>, seconds: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`to_timestamp(extract(epoch from ${time})::float8 + ${seconds})`

/** @param interval as PostgreSQL writes it; a constant of the code, which stands in the statement's text */
export const ago = (interval: string): RawBuilder<Date> => sql`now() - interval ${sql.lit(interval)}`

export const daysAgo = (days: number): RawBuilder<Date> => sql`now() - make_interval(days => ${days})`

/** The time that a column has already, or else this one, which is later: what happened first stays. */
export const setOnce = (column: string, time: RawBuilder<Date>): RawBuilder<Date> =>
  sql`least(${sql.ref(column)}, ${time})`

/** @returns the database's time, as it is at this moment and not when the transaction began */
export const readClock = async (db: Db): Promise<Date> =>
  (await db.selectNoFrom(clock.as('now')).executeTakeFirstOrThrow()).now

/** A server that answers, but not as one needs it: a standby, or behind a pooler that mixes statements up. */
class Unusable extends Error {
  readonly code = '25006'
}

/** @throws the connection error when the database does not answer statements with parameters, or takes no writes */
export const ping = async (db: Db): Promise<void> => {
  const { rows: [row] } = await sql<{ read_only: string, echo: number }>`
    select current_setting('transaction_read_only') as read_only, ${1}::integer as echo`.execute(db)
  if (row?.read_only !== 'off' || row.echo !== 1) throw new Unusable('The database takes no writes')
}
