import pg from 'pg'
import type { Primary } from './primary.js'

/** What a statement, a wait for a lock, and a transaction in which nothing happens may take. */
const timeOuts = { statement_timeout: '15s', lock_timeout: '10s', idle_in_transaction_session_timeout: '30s' }

/** For a connection that reaches the server itself. */
export const startupOptions = Object.entries(timeOuts).map(([name, value]) => `-c ${name}=${value}`).join(' ')

/**
 * Behind a pooler, which takes no options and whose sessions are not ours, the time-outs are the role's own in this
 * database: every session that begins later has them.
 */
export const keepTimeOuts = async (direct: Primary): Promise<void> => {
  const client = new pg.Client({ connectionString: await direct.find(), connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const [name, value] of Object.entries(timeOuts)) {
      const { rows: [now] } = await client.query<{ value: string }>('select current_setting($1) as value', [name])
      if (now?.value === value) continue
      await client.query(`do $$ begin
        execute format('alter role current_user in database %I set ${name} = %L', current_database(), '${value}');
      end $$`)
    }
  } finally {
    await client.end()
  }
}
