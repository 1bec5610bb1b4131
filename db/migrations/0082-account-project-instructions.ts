import { sql, type Kysely } from 'kysely'

/** What the people of a project want the assistant to know whenever they talk about it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_project_instructions (
    workspace_id uuid not null, project_id uuid not null, text text not null, revision integer not null default 2,
    updated_by uuid not null, updated_at timestamptz not null default now(),
    primary key (workspace_id, project_id),
    foreign key (workspace_id, project_id) references account_project on delete cascade)`.execute(db)
}
