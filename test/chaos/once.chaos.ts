import { readdirSync } from 'node:fs'
import t from '../tap.js'
import { until } from '../chat.js'
import { Follower, get, send } from '../flows/crash-client.js'
import { startFleet } from './fleet.js'
import { requirePostgres, openQueries } from './postgres.js'
import { sizes } from './sizes.js'

await requirePostgres(t)
const fleet = await startFleet(t, sizes.apis)
const query = openQueries(t, fleet.world.env.DATABASE_URL ?? '')
const [one, other, third] = fleet.apis.map(({ url }) => url) as [string, string, string]

const countOf = async (table: string): Promise<number> =>
  Number((await query<{ count: string }>(`select count(*) from ${table}`))[0]?.count)

t.test('I66: instances that start at once on an empty database make it once', async (t) => {
  const files = readdirSync('db/migrations').filter((name) => /^\d{4}-.*\.ts$/.test(name))
  t.equal(await countOf('kysely_migration'), files.length, 'every migration ran once')
  t.equal(await countOf('workspace'), 1)
  t.equal(await countOf('account_user'), 1, 'one admin')
  const readSchedules = () => query<{ name: string }>('select name from jobs.schedule')
  const names = (await until(async () => {
    const rows = await readSchedules().catch(() => [])
    return rows.length > 5 && rows
  })).map(({ name }) => name)
  t.equal(new Set(names).size, names.length, 'every schedule is there once')
  for (const { url } of fleet.apis) t.match(await get(url, '/ready'), { status: 'ready' })
})

/** Ends every connection that listens, again and again: no NOTIFY is heard. @returns how to stop that */
const cutListeners = () => {
  let cuts = 0
  const timer = setInterval(() => {
    query<{ cut: boolean }>(`select pg_terminate_backend(pid) as cut from pg_stat_activity
      where datname = current_database() and query ilike 'listen %'`)
      .then((rows) => { cuts += rows.length }, () => undefined)
  }, 50)
  return () => {
    clearInterval(timer)
    return cuts
  }
}

const text = 'Nothing of this is worth waiting for. '.repeat(200)

t.test('a stop reaches the run in any instance within 1.5 s, and its readers, while no NOTIFY is heard', async (t) => {
  const mend = cutListeners()
  for (let round = 0; round < 5; round++) {
    const message = `Tell a long story, number ${round}`
    fleet.world.anthropic.control.script({
      turns: [{ content: [{ type: 'text', text }], chunk: 4, delay_ms: 100 }], match: { text: message }
    })
    const follower = new Follower(one)
    const { end } = await follower.chat(message)
    await follower.until('content')
    const reader = new Follower(third)
    reader.sessionId = follower.sessionId
    const joined = await reader.join()
    const { id } = follower.seen[0] ?? {}
    const stopped = await send(other, `/api/v1/agent/runs/${id?.split(':')[0]}/cancel`, {})
    t.ok([200, 202].includes(stopped.status))
    await Promise.all([end, joined.end])
    for (const { seen } of [follower, reader]) {
      t.match(seen.at(-1), { event: 'done', data: { status: 'cancelled', final: true } })
    }
  }
  t.ok(mend() > 0, 'listening connections were cut')
  const rows = await query<{ ms: number }>(`select extract(epoch from finished_at - cancel_requested_at)::float8 * 1000
    as ms from agent_run where status = 'cancelled' order by 1`)
  t.equal(rows.length, 5)
  t.comment(`from the request to the end of the run: ${rows.map(({ ms }) => Math.round(ms)).join(', ')} ms`)
  t.ok(rows.every(({ ms }) => ms < 1_500), 'each within 1.5 s')
})

t.test('I66: a decision made at any instance is the only one, however many are made at once', async (t) => {
  const { world } = fleet
  const account = await send(one, '/cloud/accounts',
    { name: 'Sandbox', regions: ['eu-west-1', 'us-east-1'], auth: { type: 'ambient' } })
  t.equal(account.status, 201)
  const follower = new Follower(one)
  const { end } = await follower.chat('Scale web to 7')
  const { session_id, confirmation_id, input_digest } = await follower.until('confirmation_required')
  const decide = (url: string, approved: boolean) =>
    send(url, '/api/v1/agent/confirm', { session_id, confirmation_id, input_digest, approved })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) =>
    decide(fleet.apis[index % 3]?.url ?? one, index % 5 !== 0)))
  await end
  const bodies = await Promise.all(answers.map(async (answer) => ({
    status: answer.status, body: await answer.json() as Record<string, unknown>
  })))
  const first = bodies.filter(({ status, body }) => status === 200 && body.already_decided === false)
  t.equal(first.length, 1, 'one of fifty decided')
  t.same(bodies.filter(({ status, body }) => status !== 200 && body.code !== 'confirmation_decided'), [],
    'the others heard the same, or that it had been decided')
  const isApproved = first[0]?.body.status === 'approved'
  t.equal(await world.updates(), isApproved ? 1 : 0, 'and it was done as often as it was approved')
})
