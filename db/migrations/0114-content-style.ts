import { sql, type Kysely } from 'kysely'

/** Vale styles that were uploaded into a brand, with the rules that can be applied. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table content_style (
    workspace_id uuid not null, project_id uuid not null, name text not null, hash text not null, rules jsonb not null,
    refused jsonb not null, updated_by uuid not null, updated_at timestamptz not null default now(),
    primary key (workspace_id, project_id, name))`.execute(db)
}
