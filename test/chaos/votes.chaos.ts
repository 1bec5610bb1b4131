import { randomUUID } from 'node:crypto'
import t from 'tap'
import { killAtRandom, startFleet } from './fleet.js'
import { itemAt } from '../../schemas/keys.js'
import { openQueries, requirePostgres } from './postgres.js'
import { proposersOf } from './proposing.js'
import { randomFrom, sizes } from './sizes.js'
import { ask, makeVoters, requireTwo, type Voter } from './voters.js'

await requirePostgres(t)
const fleet = await startFleet(t, sizes.apis, { waiting_tool_calls_per_user: 10_000 })
const { url } = fleet
const query = openQueries(t, fleet.world.env.DATABASE_URL ?? '')
const { voters, group } = await makeVoters(url, query)

const { pick, proposeByMcp, proposeByChat } = proposersOf(fleet)

interface Conversed { name: string, requester: Voter, call: string, statuses: number[], status: string }

const isOpen = (status: string) => ['awaiting', 'approved', 'dispatching'].includes(status)

/** All four decide at once, two of them twice, until it has ended: a question that was replaced is decided anew. */
const decideAll = async (call: string, requester: Voter): Promise<{ statuses: number[], status: string }> => {
  const statuses: number[] = []
  for (;;) {
    const { body } = await ask(url, 'GET', `/api/v1/agent/tool-calls/${call}?wait_s=2`, requester.headers)
    const { status } = body as unknown as { status: string }
    if (!isOpen(status)) return { statuses, status }
    const question = { ...await pick(call, requester), approved: true }
    const answers = await Promise.all([...voters, ...voters.slice(0, 2)].map(({ headers }) =>
      ask(url, 'POST', '/api/v1/agent/confirm', headers, question)))
    statuses.push(...answers.map((answer) => answer.status))
  }
}

const converse = async (index: number): Promise<Conversed> => {
  // MCP takes no cookie: there it is one of those with a token.
  const byMcp = index % 3 === 0
  const able = byMcp ? voters.filter(({ headers }) => 'authorization' in headers) : voters
  const requester = itemAt(able, index % able.length)
  const name = `Project ${index} ${randomUUID()}`
  const call = await (byMcp ? proposeByMcp(requester, name) : proposeByChat(requester, name))
  await requireTwo(query, (await pick(call, requester)).confirmation_id, group)
  return { name, requester, call, ...await decideAll(call, requester) }
}

const rowsOf = (call: string) => query<{ voters: string, own: string, same: string }>(`
  select count(distinct v.for_user_id)::text as voters,
    count(*) filter (where v.for_user_id = c.user_id or v.user_id = c.user_id)::text as own,
    count(*) filter (where v.input_digest = t.input_digest)::text as same
  from agent_tool_call t
    join agent_confirmation c on c.workspace_id = t.workspace_id and c.tool_call_id = t.id and c.status = 'approved'
    join agent_vote v on v.workspace_id = c.workspace_id and v.confirmation_id = c.id and v.decision = 'approve'
  where t.id = $1`, [call])

t.test(`${sizes.conversations} writes that two of four people approve, while instances die`, async (t) => {
  t.comment(`CHAOS_SEED=${sizes.seed}`)
  await fleet.world.speakSlowly(5)
  const killer = killAtRandom(fleet, randomFrom(sizes.seed), sizes.killEvery, sizes.deaths)
  const settled: PromiseSettledResult<Conversed>[] = []
  let begun = 0
  const person = async () => {
    while (begun < sizes.conversations || killer.deaths < sizes.apis) {
      settled.push(...await Promise.allSettled([converse(begun++)]))
    }
  }
  await Promise.all(Array.from({ length: sizes.atOnce }, person))
  await killer.stop()
  t.same(settled.flatMap((one) => one.status === 'rejected' ? [String(one.reason)] : []), [], 'every write ends')
  const ended = settled.flatMap((one) => one.status === 'fulfilled' ? [one.value] : [])
  t.comment(`${ended.length} writes, ${killer.deaths} deaths, ` +
    `unknown: ${ended.filter(({ status }) => status === 'unknown').length}`)
  for (const { name, call, statuses, status } of ended) {
    const made = (await query('select id from account_project where name = $1', [name])).length
    t.ok(status === 'succeeded' ? made === 1 : status === 'unknown' && made <= 1, `${status}, done ${made} times`)
    const [row] = await rowsOf(call)
    t.ok(Number(row?.voters) >= 2, `${row?.voters} people have approved it`)
    t.equal(row?.own, '0', 'not who asked')
    t.ok(Number(row?.same) >= 2, 'for the plan that ran')
    t.same(statuses.filter((code) => ![200, 403, 409].includes(code)), [])
  }
})
