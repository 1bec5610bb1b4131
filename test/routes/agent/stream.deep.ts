import t from '../../tap.js'
import { chat, follow, framesOf, parseFrames, scripted, startChatApp, until, type Turn } from '../../chat.js'
import { makePerson, makeToken } from '../account/actors.js'

const { app, anthropic, url } = await startChatApp(t, {
  LIMITS: JSON.stringify({ streams_per_user: 2, live_runs_per_user: 20 })
})

type Headers = Record<string, string>
const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })
const write: Turn = { content: [{ type: 'tool_use', name: 'createProject', input: { name: 'Never' } }] }
const post = (path: string, payload: object, headers: Headers) =>
  app.inject({ method: 'POST', url: `/api/v1/agent/${path}`, payload, headers })
const runsOf = async (person: string) =>
  (await app.db.selectFrom('agent_run').select('id').where('user_id', '=', person).execute()).length

t.test('who has no stream left begins no run with a chat, unless they want none', async (t) => {
  const { id, headers } = await makePerson(app, 'Reader', 'member')
  const waiting = await chat(app, { message: scripted(anthropic, [write]) }, headers)
  const leave = new AbortController()
  const open = () => fetch(`${url}/api/v1/agent/sessions/${waiting.session}/stream`, { headers, signal: leave.signal })
  const streams = await Promise.all([open(), open()])
  t.same(streams.map(({ status }) => status), [200, 200])
  const runs = await runsOf(id)
  const message = scripted(anthropic, [say('Fine.')])
  const refused = await post('chat', { message }, headers)
  t.match([refused.statusCode, refused.headers['retry-after'], refused.json().code], [429, '5', 'rate_limited'])
  t.equal(await runsOf(id), runs, 'nothing was begun')
  const accepted = await post('chat', { message }, { ...headers, prefer: 'respond-async' })
  t.equal(accepted.statusCode, 202)
  leave.abort()
  await until(async () => app.openStreams.total === 0)
  await until(async () => (await app.inject({ url: accepted.json().run_url, headers })).json().status === 'completed')
  const next = { message: scripted(anthropic, [say('Fine.')]), session_id: waiting.session }
  t.equal((await post('chat', next, headers)).statusCode, 200)
})

t.test('the limit of streams is a person\'s, whatever tokens and sessions they open them with', async (t) => {
  const { headers } = await makePerson(app, 'Many tokens', 'member')
  const tokens = await Promise.all([1, 2].map(() => makeToken(app, headers, ['agent:read'])))
  const waiting = await chat(app, { message: scripted(anthropic, [write]) }, headers)
  const leave = new AbortController()
  const open = (by: Headers) =>
    fetch(`${url}/api/v1/agent/sessions/${waiting.session}/stream`, { headers: by, signal: leave.signal })
  const statuses = []
  for (const by of [headers, ...tokens.map((token) => token.headers)]) statuses.push((await open(by)).status)
  t.same(statuses, [200, 200, 429])
  leave.abort()
  await until(async () => app.openStreams.total === 0)
})

t.test('a client that lost a stream gets its rest first, also when a newer run is live', async (t) => {
  const { headers } = await makePerson(app, 'Latecomer', 'member')
  const first = await chat(app, { message: scripted(anthropic, [say('one two three')]) }, headers)
  const second = await chat(app, { message: scripted(anthropic, [say('four')]), session_id: first.session }, headers)
  const rest = await follow(app, first.session, `${first.run}:4`, headers)
  t.match(rest.frames.map(({ id, data }) => [id, data.text ?? data.status]),
    [[`${first.run}:13`, 'two three'], [`${first.run}:14`, 'completed']])

  const third = await chat(app, { message: scripted(anthropic, [write]), session_id: first.session }, headers)
  const late = await follow(app, first.session, `${second.run}:0`, headers)
  t.match(late.frames.map(({ data }) => data.text ?? data.status), ['four', 'completed'])
  await post(`runs/${third.run}/cancel`, {}, headers)
  t.equal((await follow(app, first.session, late.frames.at(-1)?.id, headers)).answer.statusCode, 204)
})

t.test('an id that names nothing of the session begins at the beginning, or is nothing', async (t) => {
  const { headers } = await makePerson(app, 'Forger', 'member')
  const foreign = await chat(app, { message: scripted(anthropic, [say('secret')]) })
  const mine = await chat(app, { message: scripted(anthropic, [say('mine')]) }, headers)
  const cases: [id: string, status: number, text: string][] = [
    [`${foreign.run}:0`, 204, ''], ['nonsense', 204, ''], [':', 204, ''], [`${'0'.repeat(36)}:1`, 204, ''],
    [`${mine.run}:999`, 204, ''], [mine.run, 200, 'mine'], [`${mine.run}:x`, 200, 'mine']
  ]
  for (const [id, status, text] of cases) {
    const { answer, frames } = await follow(app, mine.session, id, headers)
    t.same([answer.statusCode, framesOf(frames, 'content').map(({ data }) => data.text).join('')], [status, text], id)
  }
  const waiting = await chat(app, { message: scripted(anthropic, [write]), session_id: mine.session }, headers)
  const answer = await fetch(`${url}/api/v1/agent/sessions/${mine.session}/stream`,
    { headers: { ...headers, 'last-event-id': `${foreign.run}:3` } })
  await post(`runs/${waiting.run}/cancel`, {}, headers)
  const [before, after] = [waiting.frames.filter(({ id }) => id), parseFrames(await answer.text())]
  t.same(after.slice(0, before.length), before, 'the live run, from its beginning')
})

t.test('a key that joins a run gets the status of that run', async (t) => {
  const { headers } = await makePerson(app, 'Keyed', 'member')
  const keyed = { ...headers, prefer: 'respond-async', 'idempotency-key': 'k-1' }
  const message = scripted(anthropic, [write, say('Fine.')])
  const first = await post('chat', { message }, keyed)
  t.match([first.statusCode, first.json().status], [202, 'running'])
  const { run_id, session_id } = first.json()
  const statusOf = async () => (await app.inject({ url: first.json().run_url, headers })).json().status
  await until(async () => await statusOf() === 'awaiting_confirmation')
  t.same((await post('chat', { message }, keyed)).json(), { ...first.json(), status: 'awaiting_confirmation' })
  await post(`runs/${run_id}/cancel`, {}, headers)
  t.same((await post('chat', { message }, keyed)).json(), { ...first.json(), status: 'cancelled' })
  t.equal(first.json().session_id, session_id)
})
