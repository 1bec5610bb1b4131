import { sql } from 'kysely'
import t from '../tap.js'
import { v7 as uuid } from 'uuid'
import { listSessions } from '../../db/agent/sessions.js'
import { buildApp } from '../app.js'
import { textOf } from './kept-plan.js'

const app = await buildApp(t, { WORKER: 'false' })
const { workspace_id: workspaceId } = app.home

t.test('the first page of a long list was planned anew each time that it was read', async (t) => {
  const userId = uuid()
  await sql`insert into agent_session
      (workspace_id, id, user_id, model, system_hash, budget_usd_micros, last_activity_at)
    select ${workspaceId}::uuid, gen_random_uuid(), ${userId}::uuid, 'm', 'h', 0, now() - n * interval '1 s'
    from generate_series(1, 5000) n`.execute(app.db)
  await sql`analyze agent_session`.execute(app.db)
  await app.db.connection().execute(async (db) => {
    for (let read = 0; read < 8; read += 1) {
      t.equal((await listSessions(db, workspaceId, userId, { limit: 21 })).length, 21)
    }
    const { rows } = await sql<{ kept: number }>`select generic_plans::integer as kept from pg_prepared_statements
      where statement like '%from "agent_session" as "s"%' and statement like '%limit 21'`.execute(db)
    t.equal(rows.length, 1)
    t.ok(rows[0] && rows[0].kept > 0, `the kept plan was used ${rows[0]?.kept} times of 8`)
  })
})

t.test('a limit that hardly anybody asks for does not make one more statement to keep', async (t) => {
  const textWith = (limit: number) => textOf(app, (db) => listSessions(db, workspaceId, uuid(), { limit }))
  t.equal(await textWith(17), await textWith(18))
  t.match(await textWith(17), /limit \$\d+$/)
  t.match(await textWith(101), /limit 101$/)
})
