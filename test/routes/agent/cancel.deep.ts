import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, textOf, until, type Turn } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { messagesOf, story } from './story.js'

const limits = { live_runs_per_user: 50, model_retry_base_ms: 40_000 }
const { app, anthropic } = await startChatApp(t, { LIMITS: JSON.stringify(limits) })
const missing = '01900000-0000-7000-8000-000000000000'

type Headers = Record<string, string>
const post = (url: string, payload: object, headers: Headers = asAdmin) =>
  app.inject({ method: 'POST', url: `/api/v1/agent${url}`, payload, headers })
const get = (url: string, headers: Headers = asAdmin) => app.inject({ url: `/api/v1/agent${url}`, headers })
const cancel = (run: string, headers: Headers = asAdmin) => post(`/runs/${run}/cancel`, {}, headers)
const fault = (body: object) => fetch(`${app.sandbox.control.aws}/faults`, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
})

/** Begins a run without waiting for it. @returns it, and its whole stream once it has ended */
const begin = async (turns: Turn[], session?: string) => {
  const message = scripted(anthropic, turns)
  const answer = await post('/chat', { message, ...(session && { session_id: session }) },
    { ...asAdmin, prefer: 'respond-async' })
  const { session_id, run_id: run } = answer.json() as Record<string, string>
  return { message, session: String(session_id), run: String(run), ended: follow(app, String(session_id)) }
}

const stored = (run: string, event: string) => until(async () => {
  const rows = await app.db.selectFrom('stream_event').select('data').where('stream_id', '=', run)
    .where('event', '=', event).execute()
  return rows.length > 0 && rows
})

const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })
const hanging = (text: string): Turn => ({ ...say(text), fault: { kind: 'hang', after_events: 5 } })
const [account] = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items
const service = `${account.id}~eu-west-1~prod~web`
const scaling = (count: number): Turn => ({
  content: [{ type: 'tool_use', name: 'scaleService', input: { service, desired_count: count } }]
})

const done = { type: 'done', status: 'cancelled', final: true, stop_reason: 'user_cancel', pending_confirmations: [] }

/** The session takes a next message, and the model a valid history. @returns the history's roles and texts */
const goOn = async (session: string) => {
  const message = scripted(anthropic, [say('Fine.')])
  const { frames } = await chat(app, { message, session_id: session })
  t.match(framesOf(frames, 'done').at(-1)?.data, { status: 'completed', stop_reason: 'end_turn' })
  t.same(framesOf(frames, 'error'), [])
  const { messages } = anthropic.control.requests(message).at(-1)?.body as
    { messages: { role: string, content: { type: string, text?: string }[] }[] }
  return messages
}

t.test('a run is stopped in the middle of a text; what was seen of it is kept', async (t) => {
  const run = await begin([hanging('one two three four five six seven')])
  await stored(run.run, 'content')
  const answer = await cancel(run.run)
  // The run may have ended before the answer is made.
  const stopping = { 202: { id: run.run, status: 'running', cancel_requested: true } }
  const stopped = { 200: { id: run.run, status: 'cancelled' } }
  t.match({ [answer.statusCode]: answer.json() }, answer.statusCode === 200 ? stopped : stopping)
  const { frames } = await run.ended
  t.match(frames.map(({ data }) => data), [{ type: 'content', text: 'one two ' }, done])
  t.same((await messagesOf(app, run.session)).map(({ role, text, stop_reason }) => [role, text, stop_reason]),
    [['user', run.message, null], ['assistant', 'one two ', 'user_cancel']])
  const history = await goOn(run.session)
  t.same(history.map(({ role }) => role), ['user', 'assistant', 'user'])
  t.match(history[1]?.content, [{ type: 'text', text: 'one two ' }])
})

t.test('a run is stopped before the first word', async (t) => {
  const run = await begin([{ ...say('never'), fault: { kind: 'hang', after_events: 1 } }])
  await until(() => anthropic.control.requests(run.message).length > 0)
  await cancel(run.run)
  t.match((await run.ended).frames.map(({ data }) => data), [done])
  t.same((await goOn(run.session)).map(({ role }) => role), ['user'], 'two messages of the person are one')
})

t.test('a run is stopped while a read runs; the words before the call are stored once', async (t) => {
  await fault({ kind: 'hang', service: 'ecs', operation: 'ListClusters', times: 10 })
  const run = await begin([{
    content: [{ type: 'text', text: 'Let me look.' }, { type: 'tool_use', name: 'listClusters', input: {} }]
  }])
  await stored(run.run, 'tool_call')
  await cancel(run.run)
  const { frames } = await run.ended
  t.match(frames.map(({ data }) => data), [
    { type: 'content', text: /Let/ },
    ...framesOf(frames, 'content').slice(1).map(() => ({ type: 'content' })),
    { type: 'tool_call', status: 'running' },
    { type: 'tool_result', status: 'cancelled', http_status: null, result: null },
    done
  ])
  t.equal(textOf(frames), 'Let me look.')
  const messages = await messagesOf(app, run.session)
  t.same(messages.map(({ role, text, tool_calls: calls }) => [role, text, calls.map(({ status }) => status)]),
    [['user', run.message, []], ['assistant', 'Let me look.', ['cancelled']]])
  t.same((await goOn(run.session)).map(({ content }) => content.map(({ type }) => type)),
    [['text', 'text'], ['text', 'tool_use'], ['tool_result', 'text', 'text']])
  await fetch(`${app.sandbox.control.aws}/faults`, { method: 'DELETE' })
})

t.test('a run is stopped while it waits: the question is closed, nothing is executed', async (t) => {
  const asked = await chat(app, { message: scripted(anthropic, [scaling(7)]) })
  const [question] = framesOf(asked.frames, 'confirmation_required')
  const answer = await cancel(asked.run)
  t.match([answer.statusCode, answer.json()], [200, {
    id: asked.run,
    session_id: asked.session,
    status: 'cancelled',
    reason: 'user_cancel',
    error: null,
    pending_confirmations: [],
    cancel_requested: true,
    finished_at: /Z$/
  }])
  const { frames } = await follow(app, asked.session, `${asked.run}:0`)
  t.match(frames.slice(-2).map(({ data }) => data), [{ type: 'tool_result', status: 'cancelled' }, done])
  const late = await confirm(app, {
    session_id: asked.session, confirmation_id: question?.data.confirmation_id, approved: true
  })
  t.match([late.statusCode, late.json()], [409, { code: 'confirmation_closed', reason: 'user_cancel' }])
  await goOn(asked.session)
})

t.test('a run is stopped while the question is being made', async (t) => {
  await fault({ kind: 'slow', service: 'ecs', operation: 'DescribeServices', times: 4, delay_ms: 700 })
  const run = await begin([scaling(8)])
  await until(() => anthropic.control.requests(run.message)[0]?.outcome === 'complete')
  await cancel(run.run)
  const { frames } = await run.ended
  t.match(frames.at(-1)?.data, done)
  t.match((await get(`/runs/${run.run}`)).json(), { status: 'cancelled', pending_confirmations: [] })
  await goOn(run.session)
  await fetch(`${app.sandbox.control.aws}/faults`, { method: 'DELETE' })
})

t.test('a run is stopped while it pauses before a repetition: text that was taken back is not stored', async (t) => {
  const broken: Turn = { ...say('one two three'), fault: { kind: 'stream_error', after_events: 5 } }
  const run = await begin([broken, say('Never.')])
  await stored(run.run, 'error')
  await cancel(run.run)
  const { frames } = await run.ended
  t.match(story(frames), [{ text: 'one two ' }, { type: 'error', code: 'model_overloaded' }, 'reset', done])
  t.equal(textOf(frames), '')
  t.same((await messagesOf(app, run.session)).map(({ role }) => role), ['user'])
})

t.test('to stop twice, or what has ended, or what is not mine', async (t) => {
  const ended = await chat(app, { message: scripted(anthropic, [say('Done.')]) })
  const first = await cancel(ended.run)
  t.match([first.statusCode, first.json()], [200, { status: 'completed', reason: null, cancel_requested: false }])
  t.same((await cancel(ended.run)).json(), first.json())

  const run = await begin([hanging('one two three four')])
  await stored(run.run, 'content')
  const [one, two] = await Promise.all([cancel(run.run), cancel(run.run)])
  t.ok([200, 202].includes(one.statusCode) && [200, 202].includes(two.statusCode))
  const { frames } = await run.ended
  t.equal(framesOf(frames, 'done').length, 1)
  const again = await cancel(run.run)
  t.match([again.statusCode, again.json()], [200, { status: 'cancelled', reason: 'user_cancel' }])

  const mia = await makePerson(app, 'Mia', 'member')
  const foreign = `/runs/${run.run}`
  const problems = [await cancel(missing), await cancel(run.run, mia.headers), await get(foreign, mia.headers)]
  t.same(problems.map((answer) => answer.json().code), ['run_not_found', 'run_not_found', 'run_not_found'])
  t.equal((await cancel('nonsense')).statusCode, 400)
})

t.test('a deleted session stops its run, executes nothing and is gone', async (t) => {
  const waiting = await chat(app, { message: scripted(anthropic, [scaling(9)]) })
  const running = await begin([hanging('one two three four')])
  await stored(running.run, 'content')
  for (const { session, run } of [waiting, running]) {
    const url = `/api/v1/agent/sessions/${session}`
    t.equal((await app.inject({ method: 'DELETE', url, headers: asAdmin })).statusCode, 204)
    const row = await until(async () => {
      const found = await app.db.selectFrom('agent_run').select(['status', 'reason']).where('id', '=', run)
        .where('finished_at', 'is not', null).executeTakeFirst()
      return found
    })
    t.same(row, { status: 'cancelled', reason: 'session_deleted' })
    const again = await app.inject({ method: 'DELETE', url, headers: asAdmin })
    t.match([again.statusCode, again.json().code], [404, 'session_not_found'])
    for (const path of ['', '/messages', '/stream']) {
      t.equal((await get(`/sessions/${session}${path}`)).json().code, 'session_not_found', path)
    }
    t.equal((await post('/chat', { message: 'more', session_id: session })).json().code, 'session_not_found')
  }
  const question = framesOf(waiting.frames, 'confirmation_required')[0]?.data.confirmation_id
  const late = await confirm(app, { session_id: waiting.session, confirmation_id: question, approved: true })
  t.match([late.statusCode, late.json()], [409, { code: 'confirmation_closed', reason: 'session_deleted' }])
  t.match((await running.ended).frames.at(-1)?.data, { ...done, stop_reason: 'session_deleted' })
})
