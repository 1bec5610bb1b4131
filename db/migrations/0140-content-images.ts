import { sql, type Kysely } from 'kysely'

/** Images of texts; strangers see one from when a text that has it was first published. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table content_image (
    workspace_id uuid not null, id uuid not null, project_id uuid not null, hash text not null,
    media_type text not null, width integer not null, height integer not null, size integer not null,
    data bytea not null, public_since timestamptz, created_by uuid not null,
    created_at timestamptz not null default now(), primary key (workspace_id, id))`.execute(db)
  await sql`create unique index content_image_hash on content_image (workspace_id, project_id, hash)`.execute(db)
}
