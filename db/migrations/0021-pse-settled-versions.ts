import { sql, type Kysely } from 'kysely'

/** What was agreed on when a version was made: an export of changes compares with it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table pse_version add column settled_version integer`.execute(db)
  await sql`update pse_version v set settled_version = s.approved_version from pse_session s
    where s.workspace_id = v.workspace_id and s.id = v.session_id and v.version > s.approved_version`.execute(db)
}
