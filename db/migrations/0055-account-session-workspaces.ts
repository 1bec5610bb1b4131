import { sql, type Kysely } from 'kysely'

/**
 * A browser session names its workspace: it is found by that and the hash. Instances of the last release look by the
 * hash alone; it is 256 random bits, and unique without a constraint.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account_session
    add constraint account_session_workspace_hash unique (workspace_id, hash)`.execute(db)
  await sql`alter table account_session drop constraint account_session_hash_key`.execute(db)
}
