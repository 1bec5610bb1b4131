import t from '../tap.js'
import { chat, framesOf, scripted, startChatApp, type Turn } from '../chat.js'
import { asAdmin } from '../app.js'
import { makeWorkspace, problemOf } from '../routes/account/actors.js'
import { actor } from '../routes/pse/actors.js'

// A million input tokens cost 3 USD: fifty thousand of them are 0.15.
const { app, anthropic, url } = await startChatApp(t, { LIMITS: JSON.stringify({ live_runs_per_user: 20 }) })
const usage =
  { input_tokens: 50_000, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
const fine: Turn = { content: [{ type: 'text', text: 'Fine.' }], usage }

type Headers = Record<string, string>
const patch = (id: string, payload: object) =>
  app.inject({ method: 'PATCH', url: `/account/workspaces/${id}`, headers: asAdmin, payload })

/** Two workspaces, of which one has limits. */
const makeTwo = async (limits: object) => {
  const [limited, free] = [await makeWorkspace(app, 'Limited'), await makeWorkspace(app, 'Free')]
  const { statusCode, body } = await patch(limited.id, { settings: { limits } })
  if (statusCode !== 200) throw new Error(body)
  return { limited, free }
}

const makeColleague = async (headers: Headers) => {
  const made = await app.inject({
    method: 'POST', url: '/account/users', headers, payload: { name: 'Colleague', role: 'member' }
  })
  const token = new URL(made.json().link.url).hash.replace('#token=', '')
  const answer = await app.inject({ method: 'POST', url: '/account/sign-in', payload: { token } })
  return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' }
}

const say = async (headers: Headers, turns: Turn[] = [fine]) => {
  const { frames } = await chat(app, { message: scripted(anthropic, turns) }, headers)
  return framesOf(frames, 'done').at(-1)?.data.stop_reason ?? framesOf(frames, 'confirmation_required').at(-1)?.data
}

t.afterEach(() => anthropic.control.reset())

t.test('the budget of a workspace\'s day is that of all its people, and of no other workspace', async (t) => {
  const { limited, free } = await makeTwo({ budget_workspace_day_usd: 0.2 })
  const colleague = await makeColleague(limited.headers)
  t.equal(await say(limited.headers), 'end_turn')
  t.equal(await say(colleague), 'end_turn', '0.15 of 0.20 USD are spent')
  t.equal(await say(colleague), 'budget_reached', '0.30 are')
  t.equal(await say(limited.headers), 'budget_reached')
  for (let i = 0; i < 3; i++) t.equal(await say(free.headers), 'end_turn')
  await patch(limited.id, { settings: { limits: { budget_workspace_day_usd: 1 } } })
  t.equal(await say(colleague), 'end_turn', 'a higher one counts at once')
})

t.test('the budget of a person\'s day is lower where the workspace has it so', async (t) => {
  const { limited, free } = await makeTwo({ budget_user_day_usd: 0.1 })
  for (const { headers } of [limited, free]) t.equal(await say(headers), 'end_turn')
  t.equal(await say(limited.headers), 'budget_reached')
  t.equal(await say(await makeColleague(limited.headers)), 'end_turn', 'each person has their own')
  t.equal(await say(free.headers), 'end_turn')
})

const search: Turn = { content: [{ type: 'tool_use', id: 'toolu_1', name: 'listProjects', input: {} }], usage }

t.test('a run asks before it costs more than its workspace lets a run cost', async (t) => {
  const { limited, free } = await makeTwo({ budget_run_usd: 0.1 })
  t.match(await say(limited.headers, [search, fine]), { name: 'raise_budget', arguments: { raise_by_usd: 0.1 } })
  t.equal(await say(free.headers, [search, fine]), 'end_turn')
})

t.test('a session asks before it costs more than its workspace lets a session cost', async (t) => {
  const { limited, free } = await makeTwo({ budget_session_usd: 0.1 })
  t.match(await say(limited.headers, [search, fine]), { summary: /^This conversation has cost/ })
  t.equal(await say(free.headers, [search, fine]), 'end_turn')
})

t.test('the calls of one run are limited by its workspace', async (t) => {
  const calls = await makeTwo({ model_calls_per_run: 1 })
  t.equal(await say(calls.limited.headers, [search, fine]), 'limit_model_calls')
  t.equal(await say(calls.free.headers, [search, fine]), 'end_turn')
  const tools = await makeTwo({ tool_calls_per_run: 1 })
  t.equal(await say(tools.limited.headers, [search, fine]), 'limit_tool_calls')
  t.equal(await say(tools.free.headers, [search, fine]), 'end_turn')
})

const write: Turn = {
  content: [{ type: 'tool_use', id: 'toolu_2', name: 'createProject', input: { name: 'Shop' } }], usage
}
const propose = (headers: Headers) => chat(app, { message: scripted(anthropic, [write, fine]) }, headers)

t.test('how long an approval waits, and how many conversations do, is the workspace\'s', async (t) => {
  const { limited, free } = await makeTwo({ confirmation_ttl_s: 60, waiting_runs_per_user: 1 })
  const left = ({ frames }: Awaited<ReturnType<typeof propose>>) =>
    Date.parse(String(framesOf(frames, 'confirmation_required').at(-1)?.data.expires_at)) - Date.now()
  t.ok(left(await propose(limited.headers)) < 61_000)
  t.ok(left(await propose(free.headers)) > 3_600_000)
  t.match(problemOf((await propose(limited.headers)).answer), { status: 429, code: 'too_many_waiting' })
  t.equal((await propose(free.headers)).answer.statusCode, 200)
})

t.test('a generation costs at most what the workspace lets it cost', async (t) => {
  const { limited, free } = await makeTwo({ generation_usd: 1 })
  const plan = async (headers: Headers, max_cost_usd?: string) => {
    const { post } = actor(app, headers)
    const inputs = [{ kind: 'text', label: 'Brief', text: 'The door must open within 5 seconds.' }]
    const { session_id: id } = (await post('/sessions', { title: 'Door', inputs })).json()
    return post(`/sessions/${id}/generate`, { dry_run: true, budget: max_cost_usd ? { max_cost_usd } : {} })
  }
  t.match(problemOf(await plan(limited.headers, '2')), { status: 422, code: 'budget_above_limit' })
  t.equal((await plan(free.headers, '2')).statusCode, 200)
  t.match((await plan(limited.headers)).json().generation.budget, { max_cost_usd: '1.000000' })
})

t.test('requests of a minute are those of the principal\'s workspace', async (t) => {
  const { limited, free } = await makeTwo({ requests_per_minute: 3 })
  const read = async ({ headers }: { headers: Headers }) =>
    (await app.inject({ url: '/account/workspace', headers })).statusCode
  const many = async (who: { headers: Headers }) => {
    const codes = []
    for (let i = 0; i < 10; i++) codes.push(await read(who))
    return codes
  }
  // A minute may begin in the middle.
  t.ok((await many(limited)).filter((code) => code === 429).length >= 4)
  t.notOk((await many(free)).includes(429))
})

t.test('runs and streams at once are those of the person\'s workspace', async (t) => {
  const { limited, free } = await makeTwo({ live_runs_per_user: 1, streams_per_user: 1 })
  const start = (headers: Headers) => app.inject({
    method: 'POST',
    url: '/api/v1/agent/chat',
    headers: { ...headers, prefer: 'respond-async' },
    payload: { message: scripted(anthropic, [{ ...fine, fault: { kind: 'hang', after_events: 4 } }]) }
  })
  const codes = async (headers: Headers) => {
    const first = (await start(headers)).json()
    const second = await start(headers)
    const aborts = new AbortController()
    const open = async () => (await fetch(`${url}${first.stream_url}`, { headers, signal: aborts.signal })).status
    const streams = [await open(), await open()]
    aborts.abort()
    for (const { run_id } of [first, second.json()]) {
      await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${run_id}/cancel`, headers })
    }
    return [second.statusCode, ...streams]
  }
  t.same(await codes(limited.headers), [429, 200, 429])
  t.same(await codes(free.headers), [202, 200, 200])
})
