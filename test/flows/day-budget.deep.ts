import t from '../tap.js'
import { sql } from 'kysely'
import { chat, framesOf, scripted, startChatApp, until, type Turn } from '../chat.js'
import { makePerson } from '../routes/account/actors.js'
import { makeBrief, makeProject } from '../routes/content/actors.js'
import { makeSession } from '../routes/pse/actors.js'

// A million input tokens cost 3 USD: fifty thousand of them are 0.15.
const { app, anthropic } = await startChatApp(t, {
  LIMITS: JSON.stringify({ budget_user_day_usd: 0.02, model_retry_base_ms: 1, live_runs_per_user: 50 })
})

type Headers = Record<string, string>
const usage =
  { input_tokens: 50_000, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
const post = async (url: string, payload: object, headers: Headers) =>
  (await app.inject({ method: 'POST', url, payload, headers })).json()
const asked = () => anthropic.control.requests().length
const title = (headers: Headers) => post('/api/v1/agent/generate-title',
  { messages: [{ role: 'user', content: 'My own words' }] }, headers)

const spentBy = async (userId: string) => (await sql<{ purpose: string, micros: number }>`
  select purpose, sum(cost_usd_micros)::bigint as micros from agent_usage where user_id = ${userId}
  group by purpose order by purpose`.execute(app.db)).rows
const reserved = async () => (await sql`select 1 from model_reservation`.execute(app.db)).rows.length

t.afterEach(() => anthropic.control.reset())

const titles = (count: number, charged: typeof usage) => {
  const turns = Array.from({ length: count }, (): Turn =>
    ({ content: [{ type: 'text', text: 'By the model' }], usage: charged }))
  anthropic.control.script({ turns, match: { title: true } })
}

t.test('twenty titles one after the other cost what one costs, and the rest are made of the words', async (t) => {
  const { id, headers } = await makePerson(app, 'Titles', 'member')
  titles(20, usage)
  const made: string[] = []
  for (let i = 0; i < 20; i++) made.push((await title(headers)).title)
  t.same(made, ['By the model', ...made.slice(1).map(() => 'My own words')])
  t.match(await spentBy(id), [{ purpose: 'title', micros: 150_000 }])
})

t.test('titles at the same time pass the budget by no more than one of them', async (t) => {
  const { id, headers } = await makePerson(app, 'Hasty', 'member')
  // 1,650 micro-dollars of 20,000 each, which is a little less than is reserved.
  titles(20, { ...usage, input_tokens: 100, output_tokens: 90 })
  await Promise.all(Array.from({ length: 20 }, () => title(headers)))
  const [spent] = await spentBy(id)
  const micros = Number(spent?.micros)
  t.ok(micros >= 20_000 && micros < 20_000 + 1_650, `${micros}`)
  await until(async () => await reserved() === 0)
})

t.test('chats at once begin no call on money that another one spends', async (t) => {
  const { id, headers } = await makePerson(app, 'Chats', 'member')
  const fine: Turn = { content: [{ type: 'text', text: 'Fine.' }], usage }
  const replies = await Promise.all(Array.from({ length: 8 }, () =>
    chat(app, { message: scripted(anthropic, [fine]) }, headers)))
  const ends = replies.map(({ frames }) => framesOf(frames, 'done').at(-1)?.data.stop_reason).toSorted()
  t.same(ends, [...Array.from({ length: 7 }, () => 'budget_reached'), 'end_turn'])
  t.match(await spentBy(id), [{ purpose: 'chat', micros: 150_000 }])
  await until(async () => await reserved() === 0)
})

t.test('whoever has spent the day asks the model for nothing more, and others may', async (t) => {
  const { id, headers } = await makePerson(app, 'Spent', 'admin')
  await chat(app, { message: scripted(anthropic, [{ content: [{ type: 'text', text: 'Fine.' }], usage }]) }, headers)
  const before = asked()
  t.equal((await title(headers)).title, 'My own words')
  const refused = await chat(app, { message: 'hello' }, headers)
  t.match(framesOf(refused.frames, 'done')[0]?.data, { stop_reason: 'budget_reached', usage: { model_calls: 0 } })

  const failed = { status: 'budget_exceeded', error: { code: 'budget_exceeded', message: /this person's day, 0.02 USD/ } }
  const { path } = await makeSession(app, 'The door must open within 5 seconds.')
  const inTime = { ...headers, prefer: 'wait=60' }
  t.match((await post(`/pse${path}/generate`, {}, inTime)).generation, failed)
  const { id: brief_id } = await makeBrief(app, await makeProject(app, 'Spent'), { title: 'Spent' })
  t.match((await post('/content/generate', { engine: 'anthropic', brief_id }, inTime)).generation, failed)
  t.equal(asked(), before, 'the model was not called')
  t.match(await spentBy(id), [{ purpose: 'chat' }])

  const other = await makePerson(app, 'Other', 'member')
  const reply = await chat(app, { message: 'hello' }, other.headers)
  t.match(framesOf(reply.frames, 'done')[0]?.data, { stop_reason: 'end_turn' })
})

t.test('a generation is charged to who asked for it', async (t) => {
  const { id, headers } = await makePerson(app, 'Writer', 'admin')
  const { path } = await makeSession(app, 'The door must open within 5 seconds.')
  await post(`/pse${path}/generate`, {}, { ...headers, prefer: 'wait=60' })
  const [row, ...rest] = await spentBy(id)
  t.match([row?.purpose, rest], ['spec', []])
  t.ok(Number(row?.micros) > 0)
})
