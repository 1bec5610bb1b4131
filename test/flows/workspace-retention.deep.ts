import { sql } from 'kysely'
import t from '../tap.js'
import { insertReceipts } from '../../db/codehost/receipts.js'
import { chat, framesOf, scripted, startChatApp, type Turn } from '../chat.js'
import { asAdmin } from '../app.js'
import { makeWorkspace } from '../routes/account/actors.js'
import { makeContent, makeProject } from '../routes/content/actors.js'
import { makeSession } from '../routes/pse/actors.js'

const { app, anthropic } = await startChatApp(t, { LIMITS: '{"live_runs_per_user":20}' })
const short = app.home.workspace_id
const other = await makeWorkspace(app, 'Long')
const long = other.id

const runJob = async (name: string) => {
  await app.jobs.enqueue(app.db, name, {})
  await app.jobs.drain()
}

/** The same row in the other workspace. */
const copy = async (table: string, id: string, more: object = {}) => {
  const changes = JSON.stringify({ ...more, workspace_id: long })
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_name = ${table} and is_generated = 'NEVER'`.execute(app.db)
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from (select (json_populate_record(o, ${changes}::json)).* from ${sql.table(table)} o
      where workspace_id = ${short} and id = ${id}) as copied`.execute(app.db)
}

/** Sets a time of the row back by some days, wherever it is. */
const age = (table: string, id: string, column: string, days: number) =>
  sql`update ${sql.table(table)} set ${sql.ref(column)} = now() - make_interval(days => ${days}) where id = ${id}`
    .execute(app.db)

/** @returns the workspaces that have the row, and whether it can be seen there */
const where = async (table: string, id: string, seen = sql<boolean>`true`) => {
  const { rows } = await sql<{ workspace_id: string }>`select workspace_id from ${sql.table(table)}
    where id = ${id} and ${seen}`.execute(app.db)
  return rows.map(({ workspace_id }) => workspace_id === short ? 'short' : 'long').toSorted()
}

t.before(async () => {
  const settings = { retention: { chats_days: 7, deleted_days: 3, receipts_days: 2 } }
  const url = `/account/workspaces/${short}`
  const changed = await app.inject({ method: 'PATCH', url, headers: asAdmin, payload: { settings } })
  t.same(changed.json().settings.retention, settings.retention)
})

const fine: Turn = { content: [{ type: 'text', text: 'Fine.' }] }
const asking: Turn = {
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'createProject', input: { name: 'Shop' } }]
}

t.test('a workspace may delete chats without activity, but none that waits for an approval', async (t) => {
  const talk = async (days: number, turn = fine) => {
    const { session } = await chat(app, { message: scripted(anthropic, [turn]) })
    await copy('agent_session', session)
    await age('agent_session', session, 'last_activity_at', days)
    return session
  }
  const [old, recent, waiting] = [await talk(8), await talk(6), await talk(8, asking)]
  await runJob('agent.purge-sessions')
  const status = async (id: string) =>
    (await app.inject({ url: `/api/v1/agent/sessions/${id}`, headers: asAdmin })).statusCode
  t.same([await status(old), await status(recent), await status(waiting)], [404, 200, 200])
  const seen = sql<boolean>`deleted_at is null`
  t.same(await where('agent_session', old, seen), ['long'])
  t.same(await where('agent_session', old), ['long', 'short'], 'as after a deletion by hand, rows go a day later')
  await age('agent_session', old, 'deleted_at', 2)
  await sql`update agent_session set deleted_at = null where workspace_id = ${long}`.execute(app.db)
  await runJob('agent.purge-sessions')
  t.same(await where('agent_session', old), ['long'])
  const { frames } = await chat(app, { message: scripted(anthropic, [fine]), session_id: recent })
  t.equal(framesOf(frames, 'done').length, 1)
})

t.test('what was deleted can be restored for as long as its workspace says', async (t) => {
  const project = await makeProject(app, 'Kept')
  const made = await app.inject({
    method: 'POST', url: '/account/projects', headers: other.headers, payload: { name: 'Kept' }
  })
  const elsewhere = { project_id: made.json().id }
  const content = (await makeContent(app, project, { title: 'Gone' })).id
  const spec = (await makeSession(app, 'The door must open within 5 seconds.')).id
  for (const [table, id, job] of [['content', content, 'content.purge'], ['pse_session', spec, 'pse.purge']] as const) {
    await copy(table, id, elsewhere)
    await age(table, id, 'deleted_at', 2)
    await runJob(job)
    t.same(await where(table, id), ['long', 'short'], table)
    await age(table, id, 'deleted_at', 4)
    await runJob(job)
    t.same(await where(table, id), ['long'], table)
    await age(table, id, 'deleted_at', 31)
    await runJob(job)
    t.same(await where(table, id), [], 'and nowhere for more than 30 days')
  }
})

t.test('receipts of webhooks are kept for as long as the workspace says', async (t) => {
  const id = '01900000-0000-7000-8000-000000000001'
  for (const workspace_id of [short, long]) {
    await insertReceipts(app.db, workspace_id, [{
      workspace_id,
      id,
      delivery_id: id,
      event: 'ping',
      action: null,
      content_type: 'application/json',
      body: Buffer.from(id),
      body_sha256: Buffer.from(id),
      secret_id: '0',
      hook_id: null
    }])
  }
  await sql`update codehost_receipt set status = 'processed'`.execute(app.db)
  await age('codehost_receipt', id, 'received_at', 1)
  await runJob('codehost.purge-receipts')
  t.same(await where('codehost_receipt', id), ['long', 'short'])
  await age('codehost_receipt', id, 'received_at', 3)
  await runJob('codehost.purge-receipts')
  t.same(await where('codehost_receipt', id), ['long'])
})
