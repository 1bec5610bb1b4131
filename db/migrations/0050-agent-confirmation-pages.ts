import { sql, type Kysely } from 'kysely'

/** What a person is asked is read without what was answered. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index agent_confirmation_pending on agent_confirmation (workspace_id, user_id, id desc)
    where status = 'pending'`.execute(db)
}
