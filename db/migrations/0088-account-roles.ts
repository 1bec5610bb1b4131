import { sql, type Kysely } from 'kysely'

/** The words of a role are those of the schema `Role`: there are more than three. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account_user drop constraint account_user_role_check`.execute(db)
}
