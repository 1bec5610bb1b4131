import fc from 'fast-check'
import { sql } from 'kysely'
import t from '../tap.js'
import { buildApp } from '../app.js'
import { countProjects, decideAs, makeGroup, makePeople, proposeProject, type Person, type Proposed } from './voting.js'
import { ordinaryRequirement } from '../../schemas/agent/requirements.js'

/** The long form: VOTE_SEQUENCES=1000. */
const runs = Number(process.env.VOTE_SEQUENCES ?? 40)
const seed = Number(process.env.VOTE_SEED ?? 1)

const app = await buildApp(t, {
  SANDBOX: 'off', LIMITS: '{"waiting_tool_calls_per_user":100000,"requests_per_minute":10000000}'
})
const people = await makePeople(app, ['Ada', 'Bea', 'Cem', 'Dan'])
const group = await makeGroup(app, 'Three', people.slice(0, 3))

type Step =
  | { kind: 'approve' | 'reject' | 'edit', who: number }
  | { kind: 'delegate', who: number, to: number }
  | { kind: 'end' | 'expire' | 'leave' | 'join', who: number }

const who = fc.nat({ max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('approve' as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reject' as const, 'expire' as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), who }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delegate' as const), who, to: who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('end' as const, 'leave' as const, 'join' as const), who }) }
)

const course = fc.record({
  approvals: fc.integer({ min: 1, max: 3 }),
  exclude: fc.boolean(),
  grouped: fc.boolean(),
  atOnce: fc.integer({ min: 1, max: 3 }),
  steps: fc.array(step, { minLength: 3, maxLength: 14 })
})

const personAt = (index: number): Person => people[index] as Person

const memberRow = (index: number) =>
  ({ workspace_id: app.home.workspace_id, group_id: group, user_id: personAt(index).id })

const join = (index: number) => app.db.insertInto('account_group_member').values(memberRow(index))
  .onConflict((conflict) => conflict.doNothing()).execute()

/** The question that waits now, of those that followed each other. */
const openOf = async (call: Proposed) => app.db.selectFrom('agent_confirmation').select(['id', 'input_digest'])
  .where('tool_call_id', '=', call.tool_call_id).orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

const asked = async (call: Proposed): Promise<Proposed> =>
  ({ ...call, confirmation: { ...call.confirmation, ...await openOf(call) } })

let edits = 0
const editAs = async (person: Person, call: Proposed, names: string[]) => {
  const now = await asked(call)
  const name = `Edited ${++edits} of ${call.tool_call_id}`
  names.push(name)
  const url = `/api/v1/agent/confirmations/${now.confirmation.id}/plan`
  const payload = { arguments: { name } }
  const plan = (await app.inject({ method: 'POST', url, headers: person.headers, payload })).json()
  await decideAs(app, person, now, true, { ...payload, input_digest: plan.input_digest })
}

const take = async (call: Proposed, one: Step, names: string[]): Promise<unknown> => {
  const person = personAt(one.who)
  if (one.kind === 'approve' || one.kind === 'reject') {
    return decideAs(app, person, await asked(call), one.kind === 'approve')
  }
  if (one.kind === 'edit') return editAs(person, call, names)
  if (one.kind === 'delegate') {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const payload = { to: personAt(one.to).id, until }
    return app.inject({ method: 'POST', url: '/account/delegations', headers: person.headers, payload })
  }
  if (one.kind === 'join') return join(one.who)
  if (one.kind === 'leave') {
    return app.db.deleteFrom('account_group_member').where('user_id', '=', person.id).execute()
  }
  if (one.kind === 'end') {
    return app.db.updateTable('account_delegation').set({ until: sql`statement_timestamp()` })
      .where('from_user_id', '=', person.id).execute()
  }
  return app.db.updateTable('agent_confirmation').set({ expires_at: sql`statement_timestamp()` })
    .where('tool_call_id', '=', call.tool_call_id).where('status', '=', 'pending').execute()
}

const settled = async (call: Proposed): Promise<string> => {
  for (;;) {
    const { status } = await app.db.selectFrom('agent_tool_call').select('status')
      .where('id', '=', call.tool_call_id).executeTakeFirstOrThrow()
    if (status !== 'approved' && status !== 'dispatching') return status
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** @returns what is wrong with the approvals of what was done; the rules are written out here once more */
const complain = async (call: Proposed, approvals: number, exclude: boolean): Promise<string[]> => {
  const done = await app.db.selectFrom('agent_confirmation as c').innerJoin('agent_tool_call as t', (on) =>
    on.onRef('t.workspace_id', '=', 'c.workspace_id').onRef('t.id', '=', 'c.tool_call_id'))
    .select(['c.id', 'c.user_id', 't.input_digest']).where('t.id', '=', call.tool_call_id)
    .where('c.status', '=', 'approved').execute()
  const [question] = done
  if (done.length !== 1 || !question) return [`${done.length} approvals of one call`]
  const votes = await app.db.selectFrom('agent_vote').selectAll().where('confirmation_id', '=', question.id)
    .where('decision', '=', 'approve').where('input_digest', '=', question.input_digest).execute()
  const counted = new Set(votes.map(({ for_user_id: id }) => id))
  const givenBy = new Set(votes.map(({ user_id: id }) => id))
  return [
    ...(Math.min(counted.size, givenBy.size) < approvals ? [`${counted.size} of ${approvals} people`] : []),
    ...(exclude && (counted.has(question.user_id) || givenBy.has(question.user_id)) ? ['who asked has approved'] : [])
  ]
}

t.test('whatever people do in which order, a write is done once at most, and as enough people have approved it',
  async (t) => {
    let number = 0
    const ends = new Map<string, number>()
    await fc.assert(fc.asyncProperty(course, async ({ approvals, exclude, grouped, atOnce, steps }) => {
      for (const index of [0, 1, 2]) await join(index)
      await app.db.updateTable('account_delegation').set({ revoked_at: sql`now()` }).execute()
      const names = [`Course ${++number}`]
      const call = await proposeProject(app, personAt(0).headers, String(names[0]))
      const groups = grouped ? [group] : []
      const requirement = { ...ordinaryRequirement, approvals, exclude_requester: exclude, groups }
      await app.db.updateTable('agent_confirmation').set({ requirement: JSON.stringify(requirement) })
        .where('id', '=', call.confirmation.id).execute()
      for (let at = 0; at < steps.length; at += atOnce) {
        await Promise.all(steps.slice(at, at + atOnce).map((one) => take(call, one, names)))
      }
      const status = await settled(call)
      ends.set(status, (ends.get(status) ?? 0) + 1)
      let made = 0
      for (const name of names) made += await countProjects(app, name)
      if (made !== (status === 'succeeded' ? 1 : 0)) throw new Error(`${status}, and done ${made} times`)
      const complaints = status === 'succeeded' ? await complain(call, approvals, exclude) : []
      if (complaints.length > 0) throw new Error(complaints.join('; '))
      await decideAs(app, personAt(0), await asked(call), false)
    }), { numRuns: runs, seed })
    t.comment(JSON.stringify(Object.fromEntries(ends)))
    t.ok((ends.get('succeeded') ?? 0) > 0, 'some were done')
  })
