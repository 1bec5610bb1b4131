import { sql, type Kysely } from 'kysely'

/**
 * `sent_at`: when the request passed its point of no return; null = nothing that it wanted changed has been sent or
 * committed. `claim`: which request holds the key, so that one that lost it can send no more.
 */
const statements = [
  sql`alter table idempotency_key add column sent_at timestamptz`,
  sql`alter table idempotency_key add column claim uuid`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await statement.execute(db)
}
