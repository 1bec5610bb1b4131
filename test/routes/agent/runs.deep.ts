import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, until, type Turn } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { done, marked, messagesOf, story } from './story.js'

// A turn with this usage costs 1.5 USD; ordinary ones far less than a cent.
const { app, anthropic } = await startChatApp(t, {
  LIMITS: JSON.stringify({
    budget_run_usd: 1, budget_session_usd: 100, model_calls_per_run: 4, live_runs_per_user: 20
  })
})
const missing = '01900000-0000-7000-8000-000000000000'
const speech: Turn = { content: [{ type: 'text', text: 'Fine.' }] }
const readTurn: Turn = { content: [{ type: 'tool_use', name: 'listProjects', input: {} }] }
const write: Turn = { content: [{ type: 'tool_use', name: 'createProject', input: { name: 'Never' } }] }
const dear: Turn = { ...readTurn, usage: { input_tokens: 500_000 } }

type Headers = Record<string, string>
const get = async (run: string, headers: Headers = asAdmin) =>
  app.inject({ url: `/api/v1/agent/runs/${run}`, headers })
const cancel = (run: string, headers: Headers = asAdmin) =>
  app.inject({ method: 'POST', url: `/api/v1/agent/runs/${run}/cancel`, headers })
const say = (turns: Turn[], headers: Headers = asAdmin, more: object = {}) =>
  chat(app, { message: scripted(anthropic, turns), ...more }, headers)
const decide = (data: Record<string, unknown> | undefined, approved: boolean, headers: Headers) => {
  const { session_id, confirmation_id } = data ?? {}
  return confirm(app, { session_id, confirmation_id, approved }, headers)
}

const ended = (run: string) => until(async () => {
  const shown = (await get(run)).json()
  return shown.finished_at !== null && shown
})

/** A run whose model sends "Fine." and then hangs. */
const startHanging = async (turns: Turn[] = []) => {
  const hanging: Turn = { ...speech, chunk: 3, fault: { kind: 'hang', after_events: 4 } }
  const started = await app.inject({
    method: 'POST',
    url: '/api/v1/agent/chat',
    headers: { ...asAdmin, prefer: 'respond-async' },
    payload: { message: scripted(anthropic, [...turns, hanging]) }
  })
  const { run_id, session_id } = started.json() as { run_id: string, session_id: string }
  await until(async () => (await app.db.selectFrom('stream_event').select('position')
    .where('stream_id', '=', run_id).where('event', '=', 'content').execute()).length > 0)
  return { run_id, session_id }
}

const record = {
  id: '#id',
  session_id: '#id',
  status: 'completed',
  reason: null,
  step: 2,
  error: null,
  usage: {
    model_calls: 2,
    input_tokens: '#n',
    output_tokens: '#n',
    cache_read_tokens: '#n',
    tool_calls: 1,
    cost: { amount: '#n', currency: 'USD' }
  },
  pending_confirmations: [],
  cancel_requested: false,
  created_at: '#time',
  finished_at: '#time',
  stream_url: '/api/v1/agent/sessions/#id/stream'
}

t.test('a run is recorded, for its owner alone', async (t) => {
  const { run, frames } = await say([readTurn, speech])
  const shown = await get(run)
  t.same(marked(shown.json()), record)
  const { usage } = frames.at(-1)?.data as { usage: Record<string, unknown> }
  t.same(shown.json().usage, usage, 'it says what done said')
  const { headers } = await makePerson(app, 'Eve', 'member')
  for (const id of [run, missing]) {
    const problem = { status: 404, code: 'run_not_found', title: 'There is no such run' }
    t.match((await get(id, headers)).json(), problem)
    t.match((await cancel(id, headers)).json(), problem)
  }
  t.equal((await get('nothing')).statusCode, 400)
})

t.test('a run that is cancelled in the middle of a text keeps what was sent', async (t) => {
  const { run_id, session_id } = await startHanging([readTurn])
  const joined = follow(app, session_id)
  const first = await cancel(run_id)
  t.ok([200, 202].includes(first.statusCode))
  t.equal(first.json().cancel_requested, true)
  t.match(await ended(run_id), { status: 'cancelled', reason: 'user_cancel' })
  t.match(story((await joined).frames).slice(-2),
    [{ text: 'Fin' }, done({ status: 'cancelled', stop_reason: 'user_cancel', message_id: null },
      { model_calls: 2, tool_calls: 1 })])
  t.match((await messagesOf(app, session_id)).at(-1), { role: 'assistant', text: 'Fin', stop_reason: 'user_cancel' })
  const again = await cancel(run_id)
  t.same([again.statusCode, again.json().status], [200, 'cancelled'])
  t.match(story((await say([speech], asAdmin, { session_id })).frames), [{ text: 'Fine.' }, { status: 'completed' }])
})

t.test('a run that waits for approval is cancelled at once, and nothing runs', async (t) => {
  const { run, session, frames } = await say([write])
  const [asked] = framesOf(frames, 'confirmation_required')
  const answer = await cancel(run)
  t.equal(answer.statusCode, 200)
  t.match(answer.json(), { status: 'cancelled', reason: 'user_cancel', pending_confirmations: [] })
  t.match((await decide(asked?.data, true, asAdmin)).json(), { status: 409, code: 'confirmation_closed' })
  const rest = await follow(app, session, asked?.id)
  t.match(story(rest.frames), [{ type: 'tool_result', status: 'cancelled' }, { status: 'cancelled', final: true }])
  const calls = (await messagesOf(app, session)).flatMap(({ tool_calls }) => tool_calls)
  t.match(calls, [{ name: 'createProject', status: 'cancelled', http_status: null }])
  t.same(await app.db.selectFrom('account_project').select('id').where('name', '=', 'Never').execute(), [])
})

t.test('after its end a run stays as it ended', async (t) => {
  const { run } = await say([speech])
  const before = (await get(run)).json()
  const answer = await cancel(run)
  t.equal(answer.statusCode, 200)
  t.same(answer.json(), before)
})

t.test('H58: a session that is deleted takes its live run with it', async (t) => {
  const { run_id, session_id } = await startHanging()
  const remove = (id: string) => app.inject({ method: 'DELETE', url: `/api/v1/agent/sessions/${id}`, headers: asAdmin })
  t.equal((await remove(session_id)).statusCode, 204)
  const row = await until(async () => {
    const [run] = await app.db.selectFrom('agent_run').select(['status', 'reason']).where('id', '=', run_id).execute()
    return run?.status !== 'running' && run
  })
  t.same(row, { status: 'cancelled', reason: 'session_deleted' })
  const waiting = await say([write])
  t.equal((await remove(waiting.session)).statusCode, 204)
  const [asked] = framesOf(waiting.frames, 'confirmation_required')
  t.ok((await decide(asked?.data, true, asAdmin)).statusCode >= 404, 'its approval is closed')
  t.same(await app.db.selectFrom('account_project').select('id').where('name', '=', 'Never').execute(), [])
})

t.test('a run at its budget asks; approved it goes on', async (t) => {
  const { headers } = await makePerson(app, 'Rich', 'member')
  const { frames, session, run } = await say([dear, readTurn, speech], headers)
  const [asked] = framesOf(frames, 'confirmation_required')
  t.match(asked?.data, {
    kind: 'budget',
    name: 'raise_budget',
    tool_call_id: null,
    arguments: { raise_by_usd: 1 },
    preview: [{ label: 'Budget of this run in USD', before: '1', after: '2' }]
  })
  t.match(asked?.data.summary, /^This run has cost 1\.\d+ USD of 1 USD\. Let it cost 1 USD more\?$/)
  t.equal((await get(run, headers)).json().usage.model_calls, 1)
  t.match((await decide(asked?.data, true, headers)).json(), { status: 'approved', tool_call: null })
  const { frames: rest } = await follow(app, session, asked?.id, headers)
  t.match(story(rest),
    ['reset', { name: 'listProjects' }, { status: 'succeeded' }, { text: 'Fine.' }, { status: 'completed' }])
})

t.test('a run at its budget whose raise is declined ends as completed', async (t) => {
  const { headers } = await makePerson(app, 'Thrifty', 'member')
  const { frames, session } = await say([dear, speech], headers)
  const [asked] = framesOf(frames, 'confirmation_required')
  t.match((await decide(asked?.data, false, headers)).json(), { status: 'rejected' })
  const { frames: rest } = await follow(app, session, asked?.id, headers)
  t.match(story(rest), [{ type: 'done', status: 'completed', stop_reason: 'budget_reached', final: true }])
  t.match(story((await say([speech], headers, { session_id: session })).frames), [{ text: 'Fine.' }, { final: true }])
})

t.test('E44: a run may call the model so often, and no more', async (t) => {
  const turns = Array.from({ length: 6 }, (_, index): Turn => (
    { content: [{ type: 'tool_use', name: 'listProjects', input: { limit: index + 1 } }] }))
  const { frames } = await say(turns)
  t.match(story(frames).at(-1), {
    status: 'completed', stop_reason: 'limit_model_calls', usage: { model_calls: 4, tool_calls: 4 }
  })
})
