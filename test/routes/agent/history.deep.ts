import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, textOf, until, type Turn } from '../../chat.js'
import { messagesOf, spoken } from './story.js'

const { app, anthropic } = await startChatApp(t, {
  LIMITS: JSON.stringify({ live_runs_per_user: 50, model_retry_base_ms: 1 })
})

const missing = '01900000-0000-7000-8000-000000000000'

interface Block { type: string, text?: string, id?: string, name?: string, input?: unknown, tool_use_id?: string }
interface Request {
  tools: { name: string }[]
  system: unknown
  messages: { role: string, content: Block[] }[]
}

const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })
const call = (name: string, input: unknown = {}, more: object = {}) =>
  ({ type: 'tool_use' as const, name, input, ...more })
const readCall = call('listClusters')

/** Sends a message; a request that the sandbox refuses, as the API would, fails the run. */
const converse = async (turns: Turn[], session?: string, more: object = {}) => {
  const message = scripted(anthropic, turns)
  const reply = await chat(app, { message, ...(session && { session_id: session }), ...more })
  const requests = anthropic.control.requests(message).map(({ body }) => body as Request)
  return { ...reply, message, requests, done: framesOf(reply.frames, 'done').at(-1)?.data }
}

const usesOf = (request: Request | undefined) => (request?.messages ?? []).flatMap(({ content }) =>
  content.filter(({ type }) => type === 'tool_use'))

t.test('a session reads its prefix from the cache: tools sorted, system and history byte for byte', async (t) => {
  const first = await converse([{ content: [readCall] }, say('Two clusters.')])
  const second = await converse([say('Still two.')], first.session)
  const usage = second.done?.usage as Record<string, number>
  const { input_tokens: fresh = 0, cache_read_tokens: cached = 0 } = usage
  const { cache_write_tokens: written } = await app.db.selectFrom('agent_usage').select('cache_write_tokens')
    .where('run_id', '=', second.run).executeTakeFirstOrThrow()
  const all = cached + Number(written) + fresh
  t.ok(cached / all >= 0.9, `${cached} of ${all}`)

  const requests = [...first.requests, ...second.requests]
  const names = requests[0]?.tools.map(({ name }) => name) ?? []
  t.same(names, names.toSorted())
  for (const { tools, system } of requests) t.same([tools, system], [requests[0]?.tools, requests[0]?.system])
  const before = requests[1]?.messages ?? []
  t.same(requests[2]?.messages.slice(0, before.length), before, 'what was said stays as it was')
})

t.test('P8: the history is valid for the model after every ending', async (t) => {
  const { session } = await converse([say('Hello.')])
  const endings: [string, Turn[], Record<string, unknown>][] = [
    ['a refusal in a call', [{ content: [readCall], fault: { kind: 'refusal' } }], { stop_reason: 'refusal' }],
    ['no answer at all', [{ content: [] }], { stop_reason: 'empty_answer' }],
    ['blanks alone', [say(' \n ')], { stop_reason: 'empty_answer' }],
    ['blanks before a call', [{ content: [{ type: 'text', text: '\n\n' }, readCall] }, say('Two.')],
      { status: 'completed' }],
    ['a failure in the middle', Array.from({ length: 4 }, () =>
      ({ ...say('one two three'), fault: { kind: 'cut' as const, after_events: 4 } })), { status: 'failed' }],
    ['thinking', [{ content: [{ type: 'thinking', thinking: 'hm' }, readCall] }, say('Two.')], { status: 'completed' }],
    ['a name no tool can have', [{ content: [call('list clusters, please!'), call('\0')] }, say('No.')],
      { status: 'completed' }],
    ['a write that cannot work', [{ content: [call('archiveProject', { project_id: missing })] },
      say('There is none.')], { status: 'completed' }]
  ]
  for (const [name, turns, ending] of endings) {
    const reply = await converse(turns, session)
    t.match(reply.done, ending, name)
    const next = await converse([say('Fine.')], session)
    t.match(next.done, { status: 'completed', stop_reason: 'end_turn' }, `after ${name}`)
    t.same(framesOf(next.frames, 'error'), [], `after ${name}`)
  }
})

t.test('ids that a model repeats are made unique, in a turn and in the conversation', async (t) => {
  const same = { id: 'toolu_same' }
  const first = await converse([{ content: [call('listClusters', {}, same)] }, say('Two.')])
  const second = await converse([
    { content: [call('listClusters', { limit: 1 }, same), call('listClusters', { limit: 2 }, same)] },
    { content: [call('listClusters', { limit: 3 }, same)] },
    say('Two.')
  ], first.session)
  t.match(second.done, { status: 'completed', usage: { tool_calls: 3 } })
  const uses = usesOf(second.requests.at(-1))
  t.same([uses.length, new Set(uses.map(({ id }) => id)).size], [4, 4])
  const results = (await messagesOf(app, first.session)).flatMap(({ tool_calls: calls }) => calls)
  t.same(results.map(({ status }) => status), Array.from({ length: 4 }, () => 'succeeded'))
})

t.test('of two calls with one id, the one whose arguments are broken does not run', async (t) => {
  const same = { id: 'toolu_twin' }
  for (const broken of [0, 1]) {
    const content = [0, 1].map((at) =>
      call('listClusters', {}, { ...same, ...(at === broken ? { raw_json: '{"limit":' } : {}) }))
    const reply = await converse([{ content }, say('So it is.')])
    const statuses = framesOf(reply.frames, 'tool_result').map(({ data }) => data.status)
    t.same(statuses.toSorted(), ['failed', 'succeeded'])
    const calls = (await messagesOf(app, reply.session)).flatMap(({ tool_calls: made }) => made)
    t.same(calls.map(({ status }) => status), broken === 0 ? ['failed', 'succeeded'] : ['succeeded', 'failed'])
    t.match(calls[broken]?.result, { code: 'arguments_malformed' })
  }
})

t.test('text that no row can hold is sent and stored alike', async (t) => {
  const reply = await converse([{ ...say('a\0b \ud83d c 🚀 d'), chunk: 3 }])
  t.equal(textOf(reply.frames), 'ab \ufffd c 🚀 d')
  t.equal(await spoken(app, reply.session), textOf(reply.frames))
  t.match((await converse([say('Fine.')], reply.session)).done, { status: 'completed' })
})

t.test('arguments that no row can hold do not run', async (t) => {
  for (const raw_json of ['{"limit":1,"cursor":"\\u0000"}', '{"cursor":"\\ud83d"}', '{"\\ud83d":1}']) {
    const reply = await converse([{ content: [call('listClusters', {}, { raw_json })] }, say('No.')])
    const [result] = framesOf(reply.frames, 'tool_result')
    t.match(result?.data, { status: 'failed', result: { code: 'arguments_malformed' } })
    t.match(reply.done, { status: 'completed' })
  }
})

t.test('a message that replaces a question leaves a valid history that shows it to the model', async (t) => {
  const [account] = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items
  const writes = ['web', 'search'].map((name) =>
    call('scaleService', { service: `${account.id}~eu-west-1~prod~${name}`, desired_count: 5 }))
  const asked = await converse([{ content: [readCall, ...writes] }])
  const [first, second] = framesOf(asked.frames, 'confirmation_required').map(({ data }) => data.confirmation_id)
  await confirm(app, { session_id: asked.session, confirmation_id: first, approved: false, reason: 'Too few' })
  // The rejection is a step of the run, which then waits for the other answer.
  await until(async () => {
    const answer = await app.inject({ url: `/api/v1/agent/runs/${asked.run}`, headers: asAdmin })
    return answer.json().status === 'awaiting_confirmation'
  })
  const next = await converse([say('Fine.')], asked.session, { on_pending: 'supersede' })
  t.match(next.done, { status: 'completed' })
  const results = Object(next.requests[0]?.messages.at(-1)?.content) as { type: string, content: string }[]
  t.match(results.map(({ content }) => content), [
    /"source":"listClusters"/,
    'The user declined this action. It was not executed. Reason: Too few',
    'The user moved on without approving. It was not executed.'
  ])
  t.same(results.map(({ type }) => type), ['tool_result', 'tool_result', 'tool_result', 'text', 'text'])
  const late = await confirm(app, { session_id: asked.session, confirmation_id: second, approved: true })
  t.match([late.statusCode, late.json()], [409, { code: 'confirmation_closed', reason: 'superseded' }])
  const rest = await follow(app, asked.session, asked.frames.findLast(({ id }) => id)?.id)
  t.match(rest.frames.map(({ data }) => [data.type, data.status]),
    [['tool_result', 'rejected'], ['tool_result', 'superseded'], ['done', 'cancelled']])
})
