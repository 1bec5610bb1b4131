import { sql, type Kysely } from 'kysely'

/** A run of the kind `tool_call` has no model: one write that a client proposed, in a session of its own. */
const statements = [
  sql`alter table agent_session add column kind text not null default 'chat' check (kind in ('chat', 'tool_call'))`,
  sql`alter table agent_run add column kind text not null default 'chat' check (kind in ('chat', 'tool_call'))`
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await statement.execute(db)
}
