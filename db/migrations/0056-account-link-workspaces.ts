import { sql, type Kysely } from 'kysely'

/**
 * A one-time link names its workspace: it is found by that and the hash. Instances of the last release look by the hash
 * alone; it is 256 random bits, and unique without a constraint.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account_link
    add constraint account_link_workspace_hash unique (workspace_id, hash)`.execute(db)
  await sql`alter table account_link drop constraint account_link_hash_key`.execute(db)
}
