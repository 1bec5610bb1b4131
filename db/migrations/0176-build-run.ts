import { sql, type Kysely } from 'kysely'

/** The builder of a build as it was when the build was asked for, and what it runs outside. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table deployment_build add column builder json, add column run json`.execute(db)
}
