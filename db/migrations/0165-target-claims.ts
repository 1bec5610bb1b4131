import { sql, type Kysely } from 'kysely'

/** Who may change a target at a provider now: one holder at a time, whichever instance it is. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table target_claim (
      workspace_id uuid not null, target text not null, claim uuid not null,
      claimed_at timestamptz not null, expires_at timestamptz not null,
      primary key (workspace_id, target))`.execute(db)
}
