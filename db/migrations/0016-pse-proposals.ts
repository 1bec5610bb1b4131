import { sql, type Kysely } from 'kysely'

/** What a generation proposed, before what people had changed was merged in: the base of the next merge. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table pse_generation add column proposal json`.execute(db)
}
