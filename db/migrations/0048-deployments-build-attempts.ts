import { sql, type Kysely } from 'kysely'

/** Leases of the build that lapsed one after the other, as every table of leased work counts them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table deployment_build add column attempts integer not null default 0`.execute(db)
}
