import { sql, type Kysely } from 'kysely'

/** Since when a card is on its way of which nobody knows whether it arrived. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table channel_delivery add column sending_since timestamptz`.execute(db)
}
