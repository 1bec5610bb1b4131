import { sql } from 'kysely'
import type { Db } from './index.js'

/** Whoever locks the same text waits here for the others, until the transaction ends. */
export const lockText = async (trx: Db, text: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(trx)
}
