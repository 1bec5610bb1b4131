import { sql, type Kysely } from 'kysely'

/** What a person let another program do: beside its token, of the same id, which changes with each refresh. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table account_assistant (
    workspace_id uuid not null references workspace, id uuid not null, client_id text not null, client_host text,
    redirect_host text, resource text not null, scopes json not null, until timestamptz not null,
    primary key (workspace_id, id))`.execute(db)
  await sql`create index account_assistant_end on account_assistant (until)`.execute(db)
}
