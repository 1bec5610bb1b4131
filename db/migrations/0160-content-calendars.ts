import { sql, type Kysely } from 'kysely'

/** Addresses at which calendars of other programs read what is scheduled; the address itself is the credential. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table content_calendar (
    workspace_id uuid not null, id uuid not null, user_id uuid not null, project_id uuid, name text not null,
    hash bytea not null, last_used_at timestamptz, created_at timestamptz not null default now(),
    primary key (workspace_id, id))`.execute(db)
  await sql`create unique index content_calendar_hash on content_calendar (workspace_id, hash)`.execute(db)
  await sql`create index content_calendar_user on content_calendar (workspace_id, user_id, id)`.execute(db)
}
