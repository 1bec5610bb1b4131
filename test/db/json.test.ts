import fastJson, { type Schema } from 'fast-json-stringify'
import { sql } from 'kysely'
import t from '../tap.js'
import { withoutIds } from '../../lib/openapi/json-schemas.js'
import { ChatSessionPage } from '../../schemas/agent/sessions.js'
import { asAdmin, buildApp } from '../app.js'

const app = await buildApp(t, { WORKER: 'false' })
const { workspace_id: workspaceId, admin_id: userId } = app.home

/** Whatever a text may hold that JSON writes in a way of its own. */
const texts = [null, '', 'plain', 'quote " backslash \\ slash /', '\b\t\n\f\r\u0001\u001f\u007f', '\u2028\u2029',
  'é 漢 🎉', '{"a":1}', 'null', '%_\'']
const times = ['2026-01-02 03:04:05+00', '2026-01-02 03:04:05.1+00', '2026-01-02 03:04:05.999999+00',
  '2026-07-02 23:04:05.0019+02', '1999-12-31 23:59:59.000001+00']

/** @returns what the serializer of the route makes of the page, once it is read */
const written = (schema: unknown, payload: string): string =>
  fastJson(withoutIds(schema) as Schema)(JSON.parse(payload)) // A JSON schema, as the route has it.

t.test('a page of sessions that the database writes is, byte for byte, what the serializer would write', async (t) => {
  for (const [at, title] of texts.entries()) {
    await sql`insert into agent_session (workspace_id, id, user_id, title, title_source, model, system_hash,
        budget_usd_micros, created_at, last_activity_at)
      values (${workspaceId}::uuid, gen_random_uuid(), ${userId}::uuid, ${title}::text, 'user', 'm', 'h', 0,
        ${times[at % times.length]}::timestamptz, ${times[(at + 1) % times.length]}::timestamptz)`.execute(app.db)
  }
  await sql`insert into agent_run (workspace_id, id, session_id, user_id, principal, status, wake_at, budget_usd_micros)
    select workspace_id, gen_random_uuid(), id, user_id, '{}', 'awaiting_confirmation', now(), 0
    from agent_session where title = 'plain'`.execute(app.db)
  const url = '/api/v1/agent/sessions?limit=100'
  const answer = await app.inject({ url, headers: asAdmin })
  t.equal(answer.payload, written(ChatSessionPage, answer.payload))
  t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  const { items } = answer.json()
  t.same(new Set(items.map(({ title }: { title: string | null }) => title)), new Set(texts))
  const stored = await app.db.selectFrom('agent_session').select(['id', 'created_at', 'last_activity_at'])
    .orderBy('last_activity_at', 'desc').orderBy('id', 'desc').execute()
  t.same(items.map(({ id, created_at, last_activity_at }: Record<string, string>) =>
    ({ id, created_at, last_activity_at })), stored.map(({ id, created_at, last_activity_at }) =>
    ({ id, created_at: created_at.toISOString(), last_activity_at: last_activity_at.toISOString() })))
  const run = items.find(({ title }: { title: string | null }) => title === 'plain')
  t.same(run.live_run, {
    run_id: run.live_run.run_id,
    status: 'awaiting_confirmation',
    stream_url: `/api/v1/agent/sessions/${run.id}/stream`
  })
})

t.test('pages of one come to the same items as one page of all', async (t) => {
  const read = async (url: string) => (await app.inject({ url, headers: asAdmin })).json()
  const { items } = await read('/api/v1/agent/sessions?limit=100')
  const found = []
  let cursor = ''
  do {
    const page = await read(`/api/v1/agent/sessions?limit=1${cursor}`)
    found.push(...page.items)
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
  } while (cursor !== '')
  t.same(found, items)
})
