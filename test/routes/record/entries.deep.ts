import t from '../../tap.js'
import { purgeSessions } from '../../../db/agent/retention.js'
import { asAdmin } from '../../app.js'
import { chat, confirm, follow, framesOf, startChatApp } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { verifyText } from '../../../lib/record/verify-file.js'

const { app } = await startChatApp(t, { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' })

interface Shown {
  kind: string,
  operation: string,
  outcome: string,
  target: string | null,
  write_id: string,
  user_id: string | null
  via: string,
  via_id: string | null,
  remote_address: string | null,
  request_id: string,
  status: number | null
  seq: number,
  at: string,
  id: string,
  body: Record<string, unknown> | null,
  previous: string,
  hash: string
}

const list = async (query: Record<string, string> = {}): Promise<Shown[]> =>
  (await app.inject({ url: '/account/audit', query, headers: asAdmin })).json().items
const accountOf = async (id: string) =>
  (await app.inject({ url: `/account/audit/writes/${id}`, headers: asAdmin })).json()
const exported = (query: Record<string, string> = {}) =>
  app.inject({ url: '/account/audit/export', query, headers: asAdmin })

/** An approved write, from the question to its end. */
const scaled = async (count: number) => {
  const { frames, session, run } = await chat(app, { message: `Scale web to ${count}` })
  const [asked] = framesOf(frames, 'confirmation_required')
  const id = String(asked?.data.confirmation_id)
  const decided = await confirm(app, { session_id: session, confirmation_id: id, approved: true, reason: 'as planned' })
  t.equal(decided.statusCode, 200)
  await follow(app, session, frames.at(-1)?.id)
  return { asked: asked?.data ?? {}, session, run, write: String(asked?.data.tool_call_id) }
}

t.test('an approved write has one account: who, what, where, and by which calls', async (t) => {
  const { asked, session, run, write } = await scaled(4)
  const account: { write_id: string, entries: Shown[], began_by: Shown } = await accountOf(write)
  const { write_id, entries, began_by } = account
  t.equal(write_id, write)
  t.same(entries.map(({ kind, operation, outcome, via, status }) => [kind, operation, outcome, via, status]), [
    ['asked', 'scaleService', 'pending', 'assistant', null],
    ['decided', 'scaleService', 'approved', 'token', null],
    ['sent', 'scaleService', 'sent', 'assistant', null],
    ['direct', 'scaleService', 'succeeded', 'assistant', 200],
    ['ended', 'scaleService', 'succeeded', 'assistant', 200]
  ])
  t.same([...new Set(entries.map(({ target }) => target))].length, 1, 'of one target')
  t.match(entries[0]?.target, /~eu-west-1~prod~web$/)
  t.same([...new Set(entries.map(({ user_id }) => user_id))], [app.home.admin_id])
  const [first, decision, sent, direct, end] = entries
  t.match(first?.body, {
    session_id: session,
    run_id: run,
    confirmation_id: asked.confirmation_id,
    plan: {
      summary: asked.summary,
      risk: asked.risk,
      arguments: asked.arguments,
      changes: asked.preview,
      digest: asked.input_digest,
      target: { kind: 'ecs_service' }
    },
    asked_by: { token_id: null },
    model_request_id: /^(msg|req)_/
  })
  t.match(decision, {
    remote_address: '127.0.0.1',
    body: {
      reason: 'as planned', digest: asked.input_digest, question: { status: 'approved', missing: 0 }, on_behalf_of: null
    }
  })
  t.match(sent?.body, {
    arguments: asked.arguments,
    digest: asked.input_digest,
    decided_by: `user:${app.home.admin_id}`,
    requirement: { approvals: 1, policies: [] },
    actor: { user_id: app.home.admin_id, run_id: run, confirmation_id: asked.confirmation_id }
  })
  const calls = [{
    provider: 'aws', operation: 'ecs:UpdateService', status: 200, request_id: /^[0-9a-f-]{36}$/, region: 'eu-west-1'
  }]
  t.match(direct?.body, { input: { desired_count: 4 }, calls })
  t.match(end?.body, { calls, result: { desired_count: 4 } })
  t.match(began_by, { id: run, kind: 'direct', operation: 'chat', target: session, via: 'token' })
})

t.test('a rejected, a refused and a direct write are recorded too; who reads leaves nothing', async (t) => {
  const { frames, session } = await chat(app, { message: 'Scale web to 7' })
  const [asked] = framesOf(frames, 'confirmation_required')
  const decision = { session_id: session, confirmation_id: asked?.data.confirmation_id, approved: false, reason: 'no' }
  await confirm(app, decision)
  await follow(app, session, frames.at(-1)?.id)
  const { entries } = await accountOf(String(asked?.data.tool_call_id)) as { entries: Shown[] }
  t.same(entries.map(({ kind, outcome }) => [kind, outcome]),
    [['asked', 'pending'], ['decided', 'rejected'], ['ended', 'rejected']])

  const again = await confirm(app, { ...decision, approved: true })
  t.equal(again.statusCode, 409)
  t.same((await list({ limit: '1' })).map(({ kind, operation, outcome }) => [kind, operation, outcome]),
    [['direct', 'confirm', 'confirmation_decided']])

  const before = (await list({ limit: '1' }))[0]?.seq
  await app.inject({ url: '/account/projects', headers: asAdmin })
  t.equal((await list({ limit: '1' }))[0]?.seq, before)
})

t.test('who did what to web in prod last week is one request', async (t) => {
  const since = new Date(Date.now() - 7 * 86_400_000).toISOString()
  const found = await list({ target: 'web prod', since, limit: '100' })
  t.ok(found.length >= 8)
  t.ok(found.every(({ target }) => target?.endsWith('~prod~web')))
  t.same(await list({ target: 'web staging' }), [])
  t.same(await list({ target: 'prod~we' }), [], 'words of a target are whole')
  t.same(await list({ target: 'web', until: since }), [])
  const target = found[0]?.target ?? ''
  t.same(await list({ target, since, limit: '100' }), found)
  t.ok((await list({ q: 'scal serv', target: 'web', kind: 'decided' })).every(({ kind }) => kind === 'decided'))
  t.same((await list({ q: 'as planned' })).map(({ kind }) => kind), ['decided'])
  t.same(await list({ q: '~~' }), [])
  t.same(await list({ q: "x' | 'y:* & !" }), [])
  t.same((await list({ outcome: 'rejected' })).map(({ kind }) => kind), ['ended', 'decided'])
  t.ok((await list({ operation: 'chat' })).length >= 2)
  t.same(await list({ user_id: '01900000-0000-7000-8000-000000000000' }), [])
})

t.test('pages follow each other without a gap, newest first', async (t) => {
  const whole = await list({ limit: '100' })
  const found: Shown[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer: { items: Shown[], next_cursor: string | null } = (await app.inject({
      url: '/account/audit', query: { limit: '3', ...(cursor !== '' && { cursor }) }, headers: asAdmin
    })).json()
    found.push(...answer.items)
    cursor = answer.next_cursor
  }
  t.same(found, whole)
  t.same(found.map(({ seq }) => seq), whole.map((_, index) => whole.length - index), 'and numbers have no gap')
})

t.test('the account of a write stays when its session and its person are gone', async (t) => {
  const { session, write } = await scaled(5)
  const before = await accountOf(write)
  const gone = await app.inject({ method: 'DELETE', url: `/api/v1/agent/sessions/${session}`, headers: asAdmin })
  t.equal(gone.statusCode, 204)
  await app.db.updateTable('agent_session').set({ deleted_at: new Date(0) }).where('id', '=', session).execute()
  t.equal(await purgeSessions(app.db), 1)
  t.same(await accountOf(write), before)
})

t.test('only admins read it, and nobody changes or deletes it', async (t) => {
  const member = await makePerson(app, 'Mia', 'member')
  for (const url of ['/account/audit', '/account/audit/export',
    '/account/audit/writes/01900000-0000-7000-8000-000000000000']) {
    t.equal((await app.inject({ url, headers: member.headers })).statusCode, 403, url)
  }
  const missing = await app.inject({
    url: '/account/audit/writes/01900000-0000-7000-8000-000000000000', headers: asAdmin
  })
  t.equal(missing.json().code, 'write_not_found')
  for (const method of ['DELETE', 'PUT', 'PATCH'] as const) {
    t.equal((await app.inject({ method, url: '/account/audit', headers: asAdmin })).statusCode, 405)
  }
})

t.test('an export is verified by the published keys, and a new key signs what comes after the old one', async (t) => {
  const keys = async () => (await app.inject({ url: '/.well-known/steward-audit-keys.json' })).json().keys
  const first = await exported()
  t.match(first.headers, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
  t.same((await verifyText([first.payload], { keys: await keys() })).problems, [])
  const rotated = await app.inject({ method: 'POST', url: '/account/audit/keys', headers: asAdmin })
  t.equal(rotated.statusCode, 204)
  const published = await keys()
  t.equal(published.length, 2)
  t.same(published.map(({ retired_at }: { retired_at: string | null }) => retired_at !== null), [true, false])
  const second = await exported()
  const { problems, entries, last } = await verifyText([second.payload], { keys: published })
  t.same(problems, [])
  t.equal(entries, last)
  t.ok(second.payload.startsWith('{"after":'))
  const old = await verifyText([second.payload], { keys: published.slice(0, 1) })
  t.match(old.problems[0]?.what, /key that is not trusted/)
})

t.test('a part is exported as it is filtered, and says that it is one', async (t) => {
  const lines = (await exported({ kind: 'decided' })).payload.trimEnd().split('\n').map((line) => JSON.parse(line))
  t.same(lines[0].filters, { kind: 'decided' })
  t.ok(lines.length > 3 && lines.slice(1, -1).every(({ kind }: Shown) => kind === 'decided'))
})

t.test('cells of a table that a spreadsheet would calculate are harmless', async (t) => {
  const reason = '=HYPERLINK("http://evil.example","x")'
  const { frames, session } = await chat(app, { message: 'Scale web to 9' })
  const [asked] = framesOf(frames, 'confirmation_required')
  await confirm(app, { session_id: session, confirmation_id: asked?.data.confirmation_id, approved: false, reason })
  for (const name of ['=1+1', '+1', '-1', '@x', '\t=1']) {
    const answer = await app.inject({
      method: 'DELETE', url: `/content/brands/${encodeURIComponent(name)}`, headers: asAdmin
    })
    t.ok(answer.statusCode >= 400)
    await app.db.insertInto('audit').values({
      workspace_id: app.home.workspace_id,
      id: `01900000-0000-7000-8000-${String(name.charCodeAt(0)).padStart(12, '0')}`,
      via: 'system',
      operation: 'test',
      target: name,
      outcome: 'succeeded',
      status: 200,
      request_id: name
    }).onConflict((conflict) => conflict.doNothing()).execute()
  }
  const { payload, headers } = await exported({ format: 'csv' })
  t.equal(headers['content-type'], 'text/csv; charset=utf-8')
  const rows = payload.trimEnd().split('\r\n')
  t.equal(rows[0], 'seq,at,kind,write_id,operation,target,outcome,status,user_id,via,via_id,remote_address,' +
    'request_id,id,body,previous,hash')
  t.same(rows.flatMap((row) => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)).filter((cell) => /^"?[=+\-@\t]/.test(cell)), [])
  t.ok(payload.includes(",'=1+1,") && payload.includes(",'@x,"))
})
