import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import type { Db } from './index.js'

/** Whoever locks the same text waits here for the others, until the transaction ends. */
export const lockText = async (trx: Db, text: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(trx)
}

/**
 * A statement whose text is made once: for the few that run at every step of every run, where building the text
 * would cost more than sending it. Each parameter is named, and is one however often it occurs.
 */
export const statement = <P extends object, R>(build: (param: (name: keyof P & string) => string) => string) => {
  const names: (keyof P & string)[] = []
  const text = build((name) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return async (db: Db, params: P): Promise<R[]> => {
    const { rows } = await db.executeQuery<R>(CompiledQuery.raw(text, names.map((name) => params[name])))
    return rows
  }
}

/** Runs a text that another module has written, with its parameters: the queue's, in a transaction of ours. */
export const runText = async (db: Db, text: string, values: readonly unknown[]): Promise<unknown[]> =>
  (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows

/**
 * @returns `column in (…)` with the values written out, not sent as parameters: only so can the plan of a prepared
 *   statement use a partial index over those values. For constants of the code alone.
 */
export const isOneOf = (column: string, values: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
