import { sql, type Kysely } from 'kysely'

/** The number that an organisation of the code host had when a rule of signing in first let one of its members in. */
const organisation = sql`
  create table codehost_organisation (
    workspace_id uuid not null references workspace, host text not null, login text not null,
    organisation_id text not null, pinned_at timestamptz not null default now(),
    primary key (workspace_id, host, login))`

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await organisation.execute(db)
}
