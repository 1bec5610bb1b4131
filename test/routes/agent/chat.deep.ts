import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, scripted, startChatApp, until, type Turn } from '../../chat.js'
import { makePerson, makeToken, problemOf } from '../account/actors.js'
import { done, marked, story } from './story.js'

const { app, anthropic, url } = await startChatApp(t, {
  LIMITS: JSON.stringify({
    message_bytes: 1_000, live_runs_per_user: 2, waiting_runs_per_user: 3, streams_per_user: 2
  })
})
const missing = '01900000-0000-7000-8000-000000000000'
const speech: Turn = { content: [{ type: 'text', text: 'Fine.' }] }
const hanging: Turn = { ...speech, fault: { kind: 'hang', after_events: 4 } }

type Headers = Record<string, string>
const post = (path: string, payload: unknown, headers: Headers = asAdmin) =>
  app.inject({ method: 'POST', url: `/api/v1/agent/${path}`, headers, payload: payload as object })
const raw = (path: string, payload: string) => post(path, payload, { ...asAdmin, 'content-type': 'application/json' })
const cancel = (run: string, headers: Headers = asAdmin) => post(`runs/${run}/cancel`, undefined, headers)

const count = async () => {
  const tables = ['agent_session', 'agent_run', 'agent_message', 'agent_preference', 'agent_confirmation'] as const
  const counts = tables.map(async (table) => (await app.db.selectFrom(table).select('id').execute()).length)
  return Promise.all(counts)
}

const message = 'Hello'
const decision = { session_id: missing, confirmation_id: missing, approved: true }
const rule = { key: 'a', kind: 'rule', value: 'b' }
const refusals: [string, unknown, number, string, string][] = [
  ['chat', {}, 400, 'invalid_request', '/message'],
  ['chat', { message: 1 }, 400, 'invalid_request', '/message'],
  ['chat', { message: null }, 400, 'invalid_request', '/message'],
  ['chat', { message: '' }, 400, 'invalid_request', '/message'],
  ['chat', { message: ' \n\t ' }, 400, 'invalid_request', '/message'],
  ['chat', { message, sesion_id: missing }, 400, 'unknown_field', '/sesion_id'],
  ['chat', { message, context: { page: '/' } }, 400, 'unknown_field', '/context/page'],
  ['chat', { message, context: [] }, 400, 'invalid_request', '/context'],
  ['chat', { message, context: { current_page: 'x'.repeat(501) } }, 400, 'invalid_request', '/context/current_page'],
  ['chat', { message, session_id: 'mine' }, 400, 'invalid_request', '/session_id'],
  ['chat', { message, session_id: null }, 400, 'invalid_request', '/session_id'],
  ['chat', { message, on_pending: 'ask' }, 400, 'invalid_request', '/on_pending'],
  ['chat', { message, wait_s: '5' }, 400, 'invalid_request', '/wait_s'],
  ['chat', { message, wait_s: -1 }, 400, 'invalid_request', '/wait_s'],
  ['chat', { message: 'a\u0000b' }, 400, 'invalid_text', '/message'],
  ['chat', { message: 'a\ud800' }, 400, 'invalid_text', '/message'],
  ['chat', { message, context: { current_page: '\udc00' } }, 400, 'invalid_text', '/context/current_page'],
  ['chat', { message: 'é'.repeat(501) }, 413, 'message_too_large', '/message'],
  ['chat', { message, context: { selected_project_id: missing } }, 404, 'project_not_found',
    '/context/selected_project_id'],
  ['confirm', {}, 400, 'invalid_request', '/session_id'],
  ['confirm', { ...decision, approved: 'yes' }, 400, 'invalid_request', '/approved'],
  ['confirm', { ...decision, approved: 1 }, 400, 'invalid_request', '/approved'],
  ['confirm', { ...decision, approve: true }, 400, 'unknown_field', '/approve'],
  ['confirm', { ...decision, confirmation_id: '1' }, 400, 'invalid_request', '/confirmation_id'],
  ['confirm', { ...decision, reason: 'a\u0000' }, 400, 'invalid_text', '/reason'],
  ['confirm', { ...decision, arguments: { a: ['\ud800'] } }, 400, 'invalid_text', '/arguments/a/0'],
  ['confirm', { ...decision, arguments: [] }, 400, 'invalid_request', '/arguments'],
  ['generate-title', { messages: [] }, 400, 'invalid_request', '/messages'],
  ['generate-title', { messages: [{ role: 'system', content: 'x' }] }, 400, 'invalid_request', '/messages/0/role'],
  ['generate-title', { messages: [{ role: 'user', content: 'x', more: 1 }] }, 400, 'unknown_field', '/messages/0/more'],
  ['generate-title', { messages: [{ role: 'user', content: '\u0000' }] }, 400, 'invalid_text', '/messages/0/content'],
  ['generate-title', { session_id: 'x' }, 400, 'invalid_request', '/session_id'],
  ['generate-title', { session: missing }, 400, 'unknown_field', '/session'],
  ['memory/preferences', { set: rule }, 400, 'invalid_request', '/set'],
  ['memory/preferences', { set: [{ ...rule, kind: 'input' }] }, 400, 'invalid_request', '/set/0/kind'],
  ['memory/preferences', { set: [{ ...rule, key: 'A B' }] }, 400, 'invalid_request', '/set/0/key'],
  ['memory/preferences', { set: [{ ...rule, source: 'assistant' }] }, 400, 'unknown_field', '/set/0/source'],
  ['memory/preferences', { set: [{ ...rule, value: 'a\u0000' }] }, 400, 'invalid_text', '/set/0/value'],
  ['memory/preferences', { set: [{ ...rule, version: '1' }] }, 400, 'invalid_request', '/set/0/version'],
  ['memory/preferences', { remove: ['ok', 3] }, 400, 'invalid_request', '/remove/1'],
  ['memory/preferences', { delete: [] }, 400, 'unknown_field', '/delete']
]

t.test('an invalid field is refused with its pointer, and nothing is written', async (t) => {
  const before = await count()
  for (const [path, body, status, code, pointer] of refusals) {
    const name = `${path} ${JSON.stringify(body).slice(0, 60)}`
    t.match((await post(path, body)).json(), { status, code, errors: [{ pointer }] }, name)
  }
  t.same(await count(), before)
})

t.test('a body that is no JSON, no object, or not there is refused', async (t) => {
  const before = await count()
  for (const path of ['chat', 'confirm', 'generate-title', 'memory/preferences']) {
    t.match((await raw(path, '{"message":')).json(), { status: 400, code: 'malformed_json' }, `${path}: cut`)
    t.match((await raw(path, '{"__proto__":{}}')).json(), { status: 400, code: 'malformed_json' }, `${path}: proto`)
    t.equal((await raw(path, '')).statusCode, 400, `${path}: empty`)
    t.match((await raw(path, '[]')).json(), { status: 400, code: 'invalid_request' }, `${path}: a list`)
    t.match((await raw(path, '"text"')).json(), { status: 400, code: 'invalid_request' }, `${path}: text`)
  }
  t.same(await count(), before)
})

t.test('a session of another person is as missing as one that is not there', async (t) => {
  const { session } = await chat(app, { message: scripted(anthropic, [speech]) })
  const { headers } = await makePerson(app, 'Eve', 'member')
  const before = await count()
  const problem = {
    type: 'urn:steward:error:session_not_found',
    title: 'There is no such chat session',
    status: 404,
    detail: 'There is no such chat session',
    code: 'session_not_found'
  }
  for (const session_id of [session, missing]) {
    t.same(problemOf(await post('chat', { message, session_id }, headers)), problem)
    t.same(problemOf(await post('generate-title', { session_id }, headers)), problem)
    for (const path of ['', '/messages', '/stream']) {
      t.same(problemOf(await app.inject({ url: `/api/v1/agent/sessions/${session_id}${path}`, headers })), problem)
    }
    t.match((await post('confirm', { ...decision, session_id }, headers)).json(),
      { status: 404, code: 'confirmation_not_found' })
  }
  t.same(await count(), before)
})

t.test('an answer is a stream that ends with done', async (t) => {
  const { answer, frames, session, run } = await chat(app, { message: scripted(anthropic, [speech]) })
  t.match(answer.headers, {
    'content-type': /^text\/event-stream/, 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no'
  })
  t.same(story(frames), [{ text: 'Fine.' }, done()])
  t.match(frames.at(-1)?.data, { session_id: session, run_id: run })
  t.ok(frames.every(({ id }) => id?.startsWith(`${run}:`)))
  t.ok(frames.every(({ event, data }) => event === data.type))
})

t.test('a client that does not want to wait gets the URLs of its run and stream', async (t) => {
  const payload = { message: scripted(anthropic, [speech]) }
  const answer = await post('chat', payload, { ...asAdmin, prefer: 'respond-async, wait=5' })
  t.equal(answer.statusCode, 202)
  const { session_id, run_id } = answer.json()
  t.same(answer.json(), {
    session_id,
    run_id,
    status: 'running',
    run_url: `/api/v1/agent/runs/${run_id}`,
    stream_url: `/api/v1/agent/sessions/${session_id}/stream`
  })
  t.match(answer.headers, { location: `/api/v1/agent/runs/${run_id}`, 'preference-applied': 'respond-async' })
  const run = await until(async () => {
    const body = (await app.inject({ url: answer.json().run_url, headers: asAdmin })).json()
    return body.finished_at !== null && body
  })
  t.match(run, { status: 'completed', session_id })
})

t.test('H56: the same key joins the run that it started', async (t) => {
  const payload = { message: scripted(anthropic, [speech]) }
  const headers = { ...asAdmin, 'idempotency-key': 'same-key' }
  const tried = await Promise.all(Array.from({ length: 6 }, () => chat(app, payload, headers)))
  // Those beyond the streams that a person may have open are refused; whoever is let in joins.
  const answers = tried.filter(({ answer }) => answer.statusCode !== 429)
  t.ok(answers.length >= 1)
  t.equal(new Set(answers.map(({ run }) => run)).size, 1)
  for (const { answer, frames } of answers) {
    t.same([answer.statusCode, story(frames)], [200, [{ text: 'Fine.' }, done()]])
  }
  const late = await chat(app, payload, headers)
  t.same([late.run, late.frames], [answers[0]?.run, answers[0]?.frames], 'also after its end')
  t.same(problemOf((await chat(app, { message: 'Other' }, headers)).answer), {
    type: 'urn:steward:error:idempotency_mismatch',
    title: problemOf((await chat(app, { message: 'Other' }, headers)).answer).title,
    status: 422,
    detail: problemOf((await chat(app, { message: 'Other' }, headers)).answer).detail,
    code: 'idempotency_mismatch'
  })
  t.equal((await chat(app, payload, { ...asAdmin, 'idempotency-key': 'two words' })).answer.statusCode, 400)
  const person = await makePerson(app, 'Key', 'member')
  const other = await chat(app, { message: scripted(anthropic, [speech]) },
    { ...person.headers, 'idempotency-key': 'same-key' })
  t.not(other.run, late.run, 'keys are each person\'s own')
})

t.test('G51: a person has so many live runs and streams, and no more', async (t) => {
  const { headers } = await makePerson(app, 'Busy', 'member')
  const start = async () => (await post('chat', { message: scripted(anthropic, [hanging]) },
    { ...headers, prefer: 'respond-async' }))
  const runs = [(await start()).json(), (await start()).json()]
  const refused = await start()
  t.same([refused.statusCode, refused.headers['retry-after'], refused.json().code], [429, '5', 'too_many_runs'])
  const busy = await post('chat', { message, session_id: runs[0].session_id }, headers)
  t.match(busy.json(), { status: 409, code: 'session_busy' }, 'a busy session says that it is busy')
  const aborts = new AbortController()
  const open = () => fetch(`${url}${runs[0].stream_url}`, { headers, signal: aborts.signal })
  t.same([(await open()).status, (await open()).status], [200, 200])
  const third = await open()
  t.equal(third.status, 429)
  t.ok(Number(third.headers.get('retry-after')) > 0)
  await third.text()
  aborts.abort()
  for (const { run_id } of runs) await cancel(run_id, headers)
  await until(async () => (await post('chat', { message: scripted(anthropic, [speech]) }, headers)).statusCode === 200)
  const states = await Promise.all(runs.map(async ({ run_id }) =>
    (await app.inject({ url: `/api/v1/agent/runs/${run_id}`, headers })).json().status))
  t.same(states, ['cancelled', 'cancelled'], 'both have ended')
})

t.test('a run that waits for approval is no live run, and has a limit of its own', async (t) => {
  const { headers } = await makePerson(app, 'Full', 'member')
  const write: Turn = { content: [{ type: 'tool_use', name: 'createProject', input: { name: 'Later' } }] }
  const wait = () => chat(app, { message: scripted(anthropic, [write]) }, headers)
  const waiting = [await wait(), await wait()]
  t.match(waiting.map(({ frames }) => frames.at(-1)?.data.status), ['awaiting_confirmation', 'awaiting_confirmation'])
  const free = await chat(app, { message: scripted(anthropic, [speech]) }, headers)
  t.same(story(free.frames), [{ text: 'Fine.' }, done()], 'more wait than may run, and one more runs')
  waiting.push(await wait())
  const refused = await post('chat', { message }, headers)
  t.same([refused.statusCode, refused.headers['retry-after'], problemOf(refused).code, problemOf(refused).detail],
    [429, '60', 'too_many_waiting', '3 conversations wait for approvals; decide some of them, or stop their runs'])
  const session_id = waiting[0]?.session
  t.match((await post('chat', { message, session_id, on_pending: 'reject' }, headers)).json(),
    { status: 409, code: 'approvals_pending', run_id: waiting[0]?.run })
  const next = await chat(app, { message: scripted(anthropic, [speech]), session_id, on_pending: 'supersede' }, headers)
  t.same(story(next.frames), [{ text: 'Fine.' }, done()], 'a message may supersede what waits in its session')
  t.match((await app.inject({ url: `/api/v1/agent/runs/${waiting[0]?.run}`, headers })).json(),
    { status: 'cancelled', reason: 'superseded', pending_confirmations: [] })
})

const operations: ['GET' | 'POST' | 'PATCH' | 'DELETE', string][] = [
  ['POST', 'chat'], ['POST', 'confirm'], ['GET', 'confirmations'], ['POST', 'generate-title'],
  ['GET', 'memory/preferences'], ['POST', 'memory/preferences'], ['GET', 'sessions'], ['GET', `sessions/${missing}`],
  ['PATCH', `sessions/${missing}`], ['DELETE', `sessions/${missing}`], ['GET', `sessions/${missing}/messages`],
  ['GET', `sessions/${missing}/stream`], ['GET', `runs/${missing}`], ['POST', `runs/${missing}/cancel`]
]

/** What a viewer may write is their own, and conversations are; deciding is not. */
const own = /^(chat|generate-title|memory|sessions|runs)/

t.test('nothing answers without credentials, nor writes for one who may only look', async (t) => {
  const viewer = await makePerson(app, 'Val', 'viewer')
  const reader = await makeToken(app, asAdmin, ['agent:read'])
  const before = await count()
  for (const [method, path] of operations) {
    const ask = (headers: Headers) => app.inject({
      method, url: `/api/v1/agent/${path}`, headers, ...(method === 'GET' ? {} : { payload: {} })
    })
    t.match((await ask({})).json(), { status: 401, code: 'unauthenticated' }, `${method} ${path}`)
    t.equal((await ask({ authorization: 'Bearer nobody' })).statusCode, 401)
    if (method === 'GET') continue
    const code = (await ask(viewer.headers)).json().code
    t[own.test(path) ? 'not' : 'equal'](code, 'insufficient_role', `viewer ${method} ${path}`)
    t.match((await ask(reader.headers)).json(), { status: 403, code: 'insufficient_scope' }, `reader ${method} ${path}`)
  }
  t.same(await count(), before)
  t.same(marked((await app.inject({ url: '/api/v1/agent/sessions', headers: viewer.headers })).json()),
    { items: [], next_cursor: null })
})
