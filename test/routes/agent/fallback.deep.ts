import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import t from '../../tap.js'
import { sql } from 'kysely'
import { asAdmin } from '../../app.js'
import { chat, framesOf, scripted, startChatApp, textOf, until, type Turn } from '../../chat.js'
import { makeWorkspace } from '../account/actors.js'
import { messagesOf, story } from './story.js'

const first = 'claude-sonnet-5-5'
const second = 'claude-haiku-5-5'
const retired = 'claude-sonnet-4-20250514'
const limits = { LIMITS: JSON.stringify({ model_retry_base_ms: 1, live_runs_per_user: 50 }) }
const { app, anthropic } = await startChatApp(t, { ...limits, ANTHROPIC_FALLBACK_MODEL: second })
const alone = await startChatApp(t, limits)

const thinking = { type: 'thinking' as const, thinking: 'Zürich – 東京' }
const readCall = { type: 'tool_use' as const, name: 'listClusters', input: {} }
const usage = { input_tokens: 1_000, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
const say = (text: string): Turn => ({ content: [{ type: 'text', text }], usage })

t.afterEach(() => {
  anthropic.control.reset()
  for (const model of [first, second]) app.llm.installed.overload.reached(model)
})

const ask = async (turns: Turn[], session_id?: string) => {
  const message = scripted(anthropic, turns)
  const reply = await chat(app, { message, ...(session_id && { session_id }) })
  const requests = anthropic.control.requests(message).map(({ body }) => body as MessageCreateParamsBase)
  return { ...reply, requests, asked: requests.map(({ model }) => model) }
}
const overload = (times: number, fault: object = { kind: 'http_error', status: 529 }, model = first) =>
  anthropic.control.fault({ ...fault, times, match: { model } } as Parameters<typeof anthropic.control.fault>[0])
const changes = ({ frames }: Awaited<ReturnType<typeof ask>>) =>
  framesOf(frames, 'model_changed').map(({ data }) => data)
const moved = (from: string, to: string, reason: string) => ({ type: 'model_changed', from, to, reason })
const typesIn = (request: MessageCreateParamsBase | undefined) => request?.messages.flatMap(({ content }) =>
  typeof content === 'string' ? [] : content.map(({ type }) => type))
const wasChosen = (session: string, model: string) =>
  sql`update agent_session set own_model = ${model} where id = ${session}`.execute(app.db)

for (const status of [529, 503]) {
  t.test(`a model that answers ${status} again and again is replaced by the second one, which is paid`, async (t) => {
    overload(4, { kind: 'http_error', status })
    const reply = await ask([say('From the second.')])
    t.same(reply.asked, [first, first, first, first, second])
    t.same(changes(reply), [moved(first, second, 'overloaded')])
    t.equal(textOf(reply.frames), 'From the second.')
    t.match(await messagesOf(app, reply.session), [{ role: 'user', model: null }, { role: 'assistant', model: second }])
    const { rows } = await sql`select model, cost_usd_micros as cost from agent_usage
      where run_id = ${reply.run}`.execute(app.db)
    t.same(rows, [{ model: second, cost: 1_000 * 1 + 10 * 5 }])
  })
}

t.test('a model that is overloaded in its text takes that back', async (t) => {
  overload(4, { kind: 'stream_error', after_events: 4 })
  const reply = await ask(Array.from({ length: 5 }, () => ({ ...say('From one of them.'), chunk: 4 })))
  t.same(changes(reply), [moved(first, second, 'overloaded')])
  t.match(story(reply.frames).slice(-4),
    [{ type: 'model_changed' }, 'reset', { text: 'From one of them.' }, { status: 'completed' }])
  t.equal(textOf(reply.frames), 'From one of them.')
})

t.test('within a tool loop the second goes on without the thoughts of the first, to the end of the run', async (t) => {
  const message = scripted(anthropic, [{ content: [thinking, readCall], delay_ms: 100 }])
  anthropic.control.script({
    turns: [{ content: [thinking, { ...readCall, name: 'listProjects' }] }, say('Done.')],
    match: { text: message, model: second }
  })
  // Its first answer is whole; the requests after it are refused.
  const reply = chat(app, { message })
  await until(() => anthropic.control.pending().turns === 2)
  overload(4)
  const { frames, session } = await reply
  const requests = anthropic.control.requests(message).map(({ body }) => body as MessageCreateParamsBase)
  t.same(requests.map(({ model }) => model), [first, first, first, first, first, second, second])
  t.same(typesIn(requests[5])?.slice(-2), ['tool_use', 'tool_result'], 'what was called and came back is kept')
  t.same(typesIn(requests[6])?.slice(-5), ['tool_use', 'tool_result', 'thinking', 'tool_use', 'tool_result'])
  t.equal(textOf(frames), 'Done.')
  t.equal(framesOf(frames, 'model_changed').length, 1)
  const models = (await messagesOf(app, session)).map((one) => (one as { model?: unknown }).model)
  t.same(models, [null, first, second, second])
})

t.test('while it rests the first is not waited for, and after that it is tried once', async (t) => {
  overload(4)
  const { session } = await ask([say('One.')])
  const next = await ask([say('Two.')], session)
  t.same([next.asked, changes(next)], [[second], [moved(first, second, 'overloaded')]])
  t.same((await ask([say('Three.')])).asked, [second], 'other sessions do not wait either')
  const { now } = performance
  t.teardown(() => { performance.now = now })
  performance.now = () => now.call(performance) + 61_000
  overload(1)
  t.same((await ask([say('Four.')], session)).asked, [first, second], 'still overloaded')
  performance.now = () => now.call(performance) + 130_000
  t.same((await ask([say('Five.')], session)).asked, [first], 'it answers again')
  overload(1)
  t.same((await ask([say('Six.')], session)).asked, [first, first], 'and is asked again as usual')
})

t.test('what the second does not take of effort is not sent to it', async (t) => {
  const { session } = await ask([say('Hello.')])
  const url = `/api/v1/agent/sessions/${session}`
  await app.inject({ url: '/api/v1/agent/models', headers: asAdmin })
  await app.inject({ method: 'PATCH', url, headers: asAdmin, payload: { effort: 'max', thinking: 'adaptive' } })
  overload(4)
  const { requests } = await ask([say('Here.')], session)
  t.match(requests.at(-1), { model: second, output_config: { effort: 'max' }, thinking: { type: 'adaptive' } })
})

t.test('when both are overloaded the run fails, and the session goes on', async (t) => {
  overload(4)
  overload(4, { kind: 'http_error', status: 529 }, second)
  const reply = await ask([say('Never.')])
  t.match(story(reply.frames).slice(-2), [{ code: 'model_overloaded', fatal: true }, { status: 'failed' }])
  app.llm.installed.overload.reached(first)
  anthropic.control.reset()
  t.equal(textOf((await ask([say('Again.')], reply.session)).frames), 'Again.')
})

t.test('without a second model an overload fails as before', async (t) => {
  const message = scripted(alone.anthropic, [say('Never.')])
  alone.anthropic.control.fault({ kind: 'http_error', status: 529, times: 4, match: { text: message } })
  const { frames } = await chat(alone.app, { message })
  t.match(framesOf(frames, 'error').at(-1)?.data, { code: 'model_overloaded', fatal: true })
  t.equal(framesOf(frames, 'model_changed').length, 0)
})

t.test('a session whose own model is gone moves on to the configured one, for good', async (t) => {
  const { session } = await ask([{ content: [thinking, readCall] }, say('Hello.')])
  await wasChosen(session, retired)
  const reply = await ask([say('Still here.')], session)
  t.same([reply.asked, changes(reply)], [[retired, first], [moved(retired, first, 'retired')]])
  t.equal(textOf(reply.frames), 'Still here.')
  t.same((await ask([say('As ever.')], session)).asked, [first])
  const shown = (await app.inject({ url: `/api/v1/agent/sessions/${session}`, headers: asAdmin })).json()
  t.match(shown, { model: first, own_model: null })
})

t.test('where the configured model is gone, the second goes on', async (t) => {
  const own = await makeWorkspace(app, 'Old')
  await sql`update workspace set settings = ${JSON.stringify({ model: retired })}::json
    where id = ${own.id}`.execute(app.db)
  await app.workspaces.read()
  const message = scripted(anthropic, [say('From the second.')])
  const { frames } = await chat(app, { message }, own.headers)
  t.same(framesOf(frames, 'model_changed').map(({ data }) => data), [moved(retired, second, 'retired')])
  t.equal(textOf(frames), 'From the second.')
})

t.test('where the configured model is gone, and no other is known, the error names what to set', async (t) => {
  const gone = await startChatApp(t, { ...limits, ANTHROPIC_MODEL: retired })
  const { frames } = await chat(gone.app, { message: 'Hello' })
  t.match(framesOf(frames, 'error')[0]?.data, {
    code: 'model_unknown',
    message: `The provider does not know the model ${retired}. An administrator can set ANTHROPIC_MODEL to another.`,
    fatal: true
  })
})

t.test('thoughts that the provider refuses are left out, and the answer comes all the same', async (t) => {
  const { session } = await ask([{ content: [thinking, readCall] }, say('Hello.')])
  // As if it had been signed elsewhere, or for what was before it once.
  await sql`update agent_message set content = replace(content::text, 'Sandbox', 'Sandbax')::json
    where session_id = ${session}`.execute(app.db)
  const reply = await ask([say('On we go.')], session)
  t.equal(textOf(reply.frames), 'On we go.')
  t.same(reply.requests.map((request) => typesIn(request)?.includes('thinking')), [true, false])
  t.same(changes(reply), [])
  t.equal((await ask([say('And on.')], session)).requests.length, 1, 'from then on they are not sent')
})
