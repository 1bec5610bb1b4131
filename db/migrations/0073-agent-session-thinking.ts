import { sql, type Kysely } from 'kysely'

/** What a person has chosen for a session: its model, its effort and how the model thinks; null = as configured. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table agent_session add column own_model text, add column effort text, add column thinking text`
    .execute(db)
}
