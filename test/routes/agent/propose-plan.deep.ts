import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { confirm, startChatApp, until } from '../../chat.js'
import { read, serviceId, timesScaled } from '../../flows/asking.js'
import { enablePolicies } from '../../policies.js'
import { makePerson } from '../account/actors.js'

const steward = await startChatApp(t, { LIMITS: '{"waiting_tool_calls_per_user":3}' })
const { app } = steward
const [web, search] = [await serviceId(app, 'web'), await serviceId(app, 'search')]

interface Item { tool_call_id: string, run_id: string, status: string, confirmation: Asked | null }
interface Asked { id: string, thread_id: string, summary: string }

const propose = async (calls: object[], headers: Record<string, string> = asAdmin) => {
  const answer = await app.inject({ method: 'POST', url: '/api/v1/agent/tool-calls/plan', headers, payload: { calls } })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}
const scale = (service: string, desired_count: number, more: object = {}) =>
  ({ name: 'scaleService', arguments: { service, desired_count }, ...more })
const decide = (session_id: string, { confirmation }: Item, approved: boolean, more: object = {}) =>
  confirm(app, { session_id, confirmation_id: confirmation?.id, approved, ...more })
const waiting = async () => (await read(app, '/api/v1/agent/confirmations')).items
const endOf = (id: string) => read(app, `/api/v1/agent/tool-calls/${id}?wait_s=60`)

t.test('writes of one request are one turn: those that wait for others are asked as steps', async (t) => {
  const { status, body } = await propose([scale(web, 4), scale(search, 4), scale(web, 5)])
  t.equal(status, 202)
  const items = body.items as Item[]
  t.match(items, [
    { status: 'awaiting', confirmation: { summary: /web .* from 2 to 4/ } },
    { status: 'awaiting', confirmation: { summary: /search .* from 1 to 4/ } },
    { status: 'awaiting', confirmation: null }
  ])
  t.same(new Set(items.map(({ run_id }) => run_id)), new Set([body.run_id]))
  t.match(await read(app, `/api/v1/agent/confirmations/${items[0]?.confirmation?.id}/steps`), {
    run_id: body.run_id, steps: [{}, {}, { summary: /web .* from 4 to 5/, tool_call_id: items[2]?.tool_call_id }]
  })
  const again = await propose([scale(web, 4), scale(search, 4), scale(web, 5)])
  t.equal(again.body.run_id, body.run_id, 'the same plan is the one that waits')
  const other = await propose([scale(search, 6), scale(search, 7)])
  t.match([other.status, other.body.code, other.headers['retry-after']], [429, 'too_many_waiting', '60'],
    'each call counts, as one that is proposed by itself')
  const stranger = await makePerson(app, 'Other', 'member')
  t.equal((await read(app, `/api/v1/agent/tool-calls/${items[0]?.tool_call_id}`, stranger.headers)).status, 404)

  // Decided one by one, the third is asked on what the first has left.
  t.equal((await decide(body.session_id, items[0] as Item, true)).statusCode, 200)
  t.equal((await decide(body.session_id, items[1] as Item, false, { changes: 'Three' })).statusCode, 200)
  const [third] = await until(async () => {
    const asked = await waiting()
    return asked.length > 0 ? asked : undefined
  })
  t.match(third, { tool_call_id: items[2]?.tool_call_id, summary: /web .* from 4 to 5/ })
  await confirm(app, { session_id: body.session_id, confirmation_id: third.id, approved: true })
  t.match(await endOf(third.tool_call_id), { status: 'succeeded' })
  t.match(await endOf(String(items[1]?.tool_call_id)), { status: 'rejected', result: { changes: 'Three' } })
  t.same(await Promise.all([timesScaled(steward, web, 4), timesScaled(steward, web, 5)]), [1, 1])

  const follows = { follows: items[1]?.confirmation?.id }
  const wrong = await propose([scale(web, 6, { follows: items[0]?.confirmation?.id }), scale(search, 3)])
  t.match([wrong.status, wrong.body.code], [404, 'confirmation_not_found'], 'nobody asked for changes of that one')
  const next = await propose([scale(web, 6), scale(search, 3, follows)])
  t.match(next.body.items, [{}, { confirmation: { thread_id: follows.follows } }])
  for (const item of next.body.items) await decide(next.body.session_id, item, false)
})

t.test('what is refused of a plan refuses it all, and says which step', async (t) => {
  const runs = async () => (await app.db.selectFrom('agent_run').select('id').execute()).length
  const before = await runs()
  t.match(await propose([scale(web, 9), scale(search, -1)]),
    { status: 422, body: { code: 'tool_call_refused', step: 2, cause: { code: 'arguments_invalid' } } })
  t.match(await propose([scale(web, 9), { name: 'listClusters', arguments: {} }]),
    { status: 422, body: { code: 'tool_only_reads' } })
  t.match(await propose([scale(web, 9)]), { status: 400, body: { errors: [{ pointer: '/calls' }] } })
  t.match(await propose(Array.from({ length: 11 }, (_, index) => scale(web, index + 10))), { status: 400 })
  t.match(await propose([scale(web, 9), { ...scale(search, 9), approved: true }]),
    { status: 400, body: { errors: [{ code: 'unknown_field', pointer: '/calls/1/approved' }] } })
  t.equal(await runs(), before, 'nothing is written')
})

t.test('what policies let run of a plan runs at once, and the rest waits', async (t) => {
  await enablePolicies(app, `@id("web")@outcome("run")@allow_tainted("true")
    permit (principal, action == Action::"scaleService", resource) when { resource.names.contains("web") };`)
  const { body } = await propose([scale(web, 2), scale(search, 5), scale(web, 3)])
  const items = body.items as Item[]
  t.match(await endOf(String(items[0]?.tool_call_id)), { status: 'succeeded', confirmation: null })
  t.match(await read(app, `/api/v1/agent/tool-calls/${items[1]?.tool_call_id}`), { status: 'awaiting' })
  t.equal(await timesScaled(steward, web, 3), 0)
  t.equal((await decide(body.session_id, items[1] as Item, true)).statusCode, 200)
  t.match(await endOf(String(items[1]?.tool_call_id)), { status: 'succeeded' })
  t.match(await endOf(String(items[2]?.tool_call_id)), { status: 'succeeded', confirmation: null })
  t.same(await Promise.all([timesScaled(steward, search, 5), timesScaled(steward, web, 3)]), [1, 1])
})
