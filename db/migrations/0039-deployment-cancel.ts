import { sql, type Kysely } from 'kysely'

/** Who asked to stop a deployment, and when; a worker that finds this stops what ECS still does. */
const statements = [
  sql`alter table service_deployment add column cancel_requested_at timestamptz`,
  sql`alter table service_deployment add column cancel_actor text`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await statement.execute(db)
}
