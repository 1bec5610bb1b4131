import { sql, type Kysely } from 'kysely'

/** A first page reads its own rows alone: beside the chats of a person there are the sessions of proposed writes. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index agent_session_newest on agent_session
    (workspace_id, user_id, kind, last_activity_at desc, id desc) where deleted_at is null`.execute(db)
  await sql`drop index agent_session_recent`.execute(db)
}
