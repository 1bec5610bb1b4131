import { sql, type RawBuilder } from 'kysely'
import type { Db } from './index.js'

/** The time at which the transaction began: all that it writes has one time. */
export const now = sql<Date>`now()`

/** The time at this moment, which goes on while a transaction waits for a lock. */
export const clock = sql<Date>`clock_timestamp()`

export const nowPlus = (seconds: number): RawBuilder<Date> => sql`now() + make_interval(secs => ${seconds})`

export const clockPlus = (seconds: number): RawBuilder<Date> =>
  sql`clock_timestamp() + make_interval(secs => ${seconds})`

/** @param interval as PostgreSQL writes it; a constant of the code, which stands in the statement's text */
export const ago = (interval: string): RawBuilder<Date> => sql`now() - interval ${sql.lit(interval)}`

/** The time that a column has already, or else this one: what happened first stays. */
export const setOnce = (column: string, time: RawBuilder<Date>): RawBuilder<Date> =>
  sql`coalesce(${sql.ref(column)}, ${time})`

/** @returns the database's time, as it is at this moment and not when the transaction began */
export const readClock = async (db: Db): Promise<Date> =>
  (await db.selectNoFrom(clock.as('now')).executeTakeFirstOrThrow()).now

/** @throws the connection error when the database does not answer */
export const ping = async (db: Db): Promise<void> => {
  await db.selectNoFrom(sql.lit(1).as('one')).execute()
}
