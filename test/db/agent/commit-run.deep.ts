import { sql } from 'kysely'
import t from '../../tap.js'
import { v7 as uuid } from 'uuid'
import { commitRun, commitRuns, type MessageRow, type RunKey } from '../../../db/agent/commit-run.js'
import { listMessages } from '../../../db/agent/queue.js'
import { RunBatches } from '../../../db/agent/run-batches.js'
import { startInNewSession } from '../../../db/agent/start-run.js'
import { promptHash } from '../../../routes/agent/lib/window/prompt.js'
import { buildApp } from '../../app.js'
import { keptPlanOf, textOf } from '../kept-plan.js'

const app = await buildApp(t, { WORKER: 'false' })

t.test('a step planned on empty tables read every call, live run and question of the workspace', async (t) => {
  const { workspace_id: id, admin_id: user_id } = app.home
  const key = { workspace_id: id, run_id: id, session_id: id, user_id, epoch: 1 }
  const call = { id, http_status: 200, result: null, result_model: '', truncated: false, is_error: false }
  const endings = [{ ...call, status: 'succeeded' as const }]
  const text = await textOf(app, (db) => commitRun(db, key, { status: 'completed', position: 1, events: [], endings }))
  // A session has few calls; a key of more than the workspace is all that matters.
  t.same(await keptPlanOf(app, text), [
    'agent_confirmation_run ((workspace_id = ?) AND (run_id = ?))',
    'agent_run_pkey ((workspace_id = ?) AND (id = ?))',
    'agent_session_pkey ((workspace_id = ?) AND (id = ?))',
    'agent_tool_call_session ((workspace_id = ?) AND (session_id = ?))'
  ])
})

const begin = async (): Promise<RunKey> => {
  const { workspace_id, admin_id: user_id } = app.home
  const key = { workspace_id, run_id: uuid(), session_id: uuid(), user_id, epoch: 1 }
  await startInNewSession(app.db, {
    workspace_id,
    user_id,
    session_id: key.session_id,
    run_id: key.run_id,
    message_id: uuid(),
    principal: {},
    content: [],
    search_text: '',
    idempotency_key: null,
    request_hash: null,
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
    preferences: null
  }, { system_hash: promptHash, title: '', budget_usd_micros: 1 })
  return key
}

const message = (seq: number, text: string): MessageRow => ({
  id: uuid(), seq, role: 'assistant', content: [{ type: 'text', text }], search_text: text, stop_reason: null
})

const stored = async ({ workspace_id, run_id, session_id }: RunKey) => {
  const { status, reason, position } = await app.db.selectFrom('agent_run').select(['status', 'reason', 'position'])
    .where('id', '=', run_id).executeTakeFirstOrThrow()
  const { next_message } = await app.db.selectFrom('agent_session').select('next_message')
    .where('id', '=', session_id).executeTakeFirstOrThrow()
  const messages = await listMessages(app.db, workspace_id, session_id)
  const events = await app.db.selectFrom('stream_event').select([sql<string>`data::text`.as('data'), 'position'])
    .where('stream_id', '=', run_id).orderBy('position').execute()
  return { status, reason, position, next_message, contents: messages.slice(1).map(({ content }) => content), events }
}

t.test('steps that go together are stored each by its own fence, and payloads byte for byte', async (t) => {
  const [one, lost, two] = [await begin(), await begin(), await begin()]
  const data = '{"text" : "a\\"b\\\\ é \\u00e9\\n",  "n":1.0}'
  const event = ({ workspace_id, run_id: stream_id }: RunKey) =>
    ({ workspace_id, stream_id, position: 3, event: 'content', data })
  const held = await commitRuns(app.db, one.workspace_id, [
    { key: one, change: { status: 'running', position: 3, events: [event(one)], messages: [message(2, 'one')] } },
    {
      key: { ...lost, epoch: 2 },
      change: { status: 'failed', position: 9, events: [event(lost)], messages: [message(2, 'lost')] }
    },
    { key: two, change: { status: 'completed', reason: 'why', position: 4, events: [], messages: [message(5, '2')] } }
  ])
  t.same(held, new Set([one.run_id, two.run_id]))
  const began = { status: 'running', reason: null, position: 0, next_message: 2, contents: [], events: [] }
  const contents = (text: string) => [[{ type: 'text', text }]]
  t.same([await stored(one), await stored(lost), await stored(two)], [
    { ...began, position: 3, next_message: 3, contents: contents('one'), events: [{ data, position: 3 }] },
    began,
    { ...began, status: 'completed', reason: 'why', position: 4, next_message: 6, contents: contents('2') }
  ])
})

t.test('a step that the database refuses leaves those that came with it stored', async (t) => {
  const keys = await Promise.all([begin(), begin(), begin()])
  const batches = new RunBatches(app.db)
  const results = await Promise.allSettled(keys.map((key, i) => batches.commit(key, {
    status: 'running', position: 1, events: [], messages: [message(2, i === 1 ? '\0' : 'fine')]
  })))
  t.same(results.map((one) => one.status === 'fulfilled' ? one.value : 'refused'), [true, 'refused', true])
  t.same((await Promise.all(keys.map(stored))).map(({ next_message }) => next_message), [3, 2, 3])
})
