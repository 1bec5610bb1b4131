import { sql, type Kysely } from 'kysely'

/** How the image of an app comes to be. null = none is built, as the release before does with every app. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table deployment_app add column builder json`.execute(db)
}
