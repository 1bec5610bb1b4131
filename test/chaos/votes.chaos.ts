import t from '../tap.js'
import { converseAmongDeaths, startFleet } from './fleet.js'
import { openQueries, requirePostgres } from './postgres.js'
import { isOpen, proposersOf } from './proposing.js'
import { sizes } from './sizes.js'
import { ask, makeVoters, requireTwo, type Voter } from './voters.js'

await requirePostgres(t)
const fleet = await startFleet(t, sizes.apis, { waiting_tool_calls_per_user: 10_000 })
const { url } = fleet
const query = openQueries(t, fleet.world.env.DATABASE_URL ?? '')
const { voters, group } = await makeVoters(url, query)

const { pick, propose, statusOf } = proposersOf(fleet)

interface Conversed { name: string, requester: Voter, call: string, statuses: number[], status: string }

/** All four decide at once, two of them twice, until it has ended: a question that was replaced is decided anew. */
const decideAll = async (call: string, requester: Voter): Promise<{ statuses: number[], status: string }> => {
  const statuses: number[] = []
  for (;;) {
    const status = await statusOf(call, requester)
    if (!isOpen(status)) return { statuses, status }
    const question = { ...await pick(call, requester), approved: true }
    const answers = await Promise.all([...voters, ...voters.slice(0, 2)].map(({ headers }) =>
      ask(url, 'POST', '/api/v1/agent/confirm', headers, question)))
    statuses.push(...answers.map((answer) => answer.status))
  }
}

const converse = async (index: number): Promise<Conversed> => {
  const { requester, name, call } = await propose(index, voters)
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
  const { ended, deaths } = await converseAmongDeaths(t, fleet, converse)
  t.comment(`${ended.length} writes, ${deaths} deaths, ` +
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
