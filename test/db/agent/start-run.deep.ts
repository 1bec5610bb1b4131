import t from '../../tap.js'
import { fromRecord } from '../../recorded.js'
import { v7 as uuid } from 'uuid'
import { RunBatches } from '../../../db/agent/run-batches.js'
import { isDuplicateRequest, startInNewSessions, type NewChat } from '../../../db/agent/start-run.js'
import { promptHash } from '../../../routes/agent/lib/window/prompt.js'
import { buildApp } from '../../app.js'
import { keptPlanOf, textOf } from '../kept-plan.js'

const app = await buildApp(t, { WORKER: 'false' })

const { workspace_id, admin_id: user_id } = app.home

const chatOf = (limits: { max_live?: number, idempotency_key?: string } = {}): NewChat => ({
  run: {
    workspace_id,
    user_id,
    session_id: uuid(),
    run_id: uuid(),
    message_id: uuid(),
    principal: {},
    content: [{ type: 'text', text: 'Hi' }],
    search_text: 'Hi',
    idempotency_key: null,
    request_hash: Buffer.from([0, 255, 16]),
    budget_usd_micros: 1,
    lease_owner: uuid(),
    lease_ms: 30_000,
    max_live: 100,
    max_waiting: 100,
    model: 'm',
    request_id: '',
    remote_address: '',
    via: 'token',
    via_id: null,
    preferences: null,
    ...limits
  },
  session: { system_hash: promptHash, title: 'Hi', budget_usd_micros: 1 }
})

const countRecorded = async () =>
  (await fromRecord(app).select('id').where('workspace_id', '=', workspace_id).execute()).length

const countOf = async (table: 'agent_run' | 'agent_session' | 'agent_message') =>
  (await app.db.selectFrom(table).select('id').where('workspace_id', '=', workspace_id).execute()).length

t.test('chats that begin together find the room of their person used by those before them', async (t) => {
  const before = await countRecorded()
  const started = await startInNewSessions(app.db, workspace_id, [1, 2, 3].map(() => chatOf({ max_live: 2 })))
  t.same(started.map(({ live, run_id }) => ({ live, isStarted: run_id !== null })), [
    { live: 0, isStarted: true }, { live: 1, isStarted: true }, { live: 2, isStarted: false }
  ])
  t.same(await Promise.all((['agent_run', 'agent_session', 'agent_message'] as const).map(countOf)), [2, 2, 2])
  t.equal(await countRecorded() - before, 2)
  const rows = await app.db.selectFrom('agent_run').select(['request_hash', 'status', 'lease_epoch']).execute()
  const row = { request_hash: Buffer.from([0, 255, 16]), status: 'running', lease_epoch: 1 }
  t.same(rows, [row, row])
})

t.test('of two requests with one key one begins, whatever they are stored together with', async (t) => {
  const batches = new RunBatches(app.db)
  const chats = [chatOf(), chatOf(), chatOf({ idempotency_key: 'k' }), chatOf({ idempotency_key: 'k' }), chatOf()]
  const results = await Promise.allSettled(chats.map(({ run, session }) => batches.start(run, session)))
  const kinds = results.map((one) => {
    if (one.status === 'fulfilled') return one.value.run_id === null ? 'full' : 'started'
    return isDuplicateRequest(one.reason) ? 'duplicate' : String(one.reason)
  })
  t.same(kinds.toSorted(), ['duplicate', 'started', 'started', 'started', 'started'])
})

t.test('a chat that begins, planned on empty tables, reads no live runs of others', async (t) => {
  const text = await textOf(app, (db) => startInNewSessions(db, workspace_id, [chatOf()]))
  t.same([...new Set(await keptPlanOf(app, text))], [
    'agent_preference_pkey ((workspace_id = ?) AND (user_id = ?))',
    'agent_run_user_live ((workspace_id = ?) AND (user_id = ?))', 'workspace_pkey (id = ?)'
  ])
})
