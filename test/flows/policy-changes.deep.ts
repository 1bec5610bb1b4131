import { sql } from 'kysely'
import t, { type Test } from '../tap.js'
import { buildApp } from '../app.js'
import { until } from '../chat.js'
import { enablePolicies } from '../policies.js'
import { problemOf } from '../routes/account/actors.js'
import {
  confirmationOf, countProjects, decideAs, endOf, makePeople, proposeProject, type Person, type Proposed
} from './voting.js'

const app = await buildApp(t, { LIMITS: '{"waiting_tool_calls_per_user":500}' })
const [ada, bea, cem] = await makePeople(app, ['Ada', 'Bea', 'Cem']) as [Person, Person, Person]

let isRuled = false
const policy = async (head: string, effect = 'permit') => {
  isRuled = true
  return enablePolicies(app, `@id("now")${head} ${effect} (principal, action == Action::"createProject", resource);`)
}
const none = async () => {
  if (isRuled) await enablePolicies(app, '')
  isRuled = false
}
const frozen = () => policy('@reason("Projects are frozen")', 'forbid')
const two = '@outcome("approve")@approvals("2")'

/** Asked while there are no policies: one person suffices, who may be the one who asked. */
const ask = async (name: string): Promise<Proposed> => {
  await none()
  return proposeProject(app, ada.headers, name)
}

t.test('what is forbidden between the question and the decision is closed, and not done', async (t) => {
  const call = await ask('Forbidden meanwhile')
  await frozen()
  const answer = await decideAs(app, ada, call, true)
  t.match([answer.statusCode, problemOf(answer)], [409, {
    code: 'confirmation_closed', reason: 'forbidden_by_policy', detail: 'Projects are frozen'
  }])
  t.match(await confirmationOf(app, ada, call.confirmation.id), {
    status: 'closed', decided_by: null
  })
  t.match(await endOf(app, ada.headers, call), { status: 'denied', result: { code: 'forbidden_by_policy' } })
  t.equal(await countProjects(app, 'Forbidden meanwhile'), 0)
  await none()
  t.equal((await decideAs(app, ada, call, true)).json().code, 'confirmation_closed', 'for good')
})

/** Approves it while no instance may take the run yet, and changes the rules before one does. */
const changeBeforeClaim = async (t: Test, call: Proposed, change: () => Promise<unknown>) => {
  const leaseFor = (seconds: number) => app.db.updateTable('agent_run')
    .set({ status: 'running', lease_until: sql`now() + ${seconds} * interval '1 second'` })
    .where('id', '=', call.run_id).execute()
  await leaseFor(3_600)
  t.match((await decideAs(app, ada, call, true)).json(), { status: 'approved' })
  await change()
  await leaseFor(0)
}

t.test('what is forbidden between the decision and the claim is denied, and not done', async (t) => {
  const call = await ask('Forbidden at last')
  await changeBeforeClaim(t, call, frozen)
  t.match(await endOf(app, ada.headers, call), {
    status: 'denied', result: { code: 'forbidden_by_policy', detail: 'Projects are frozen' }
  })
  t.match(await confirmationOf(app, ada, call.confirmation.id), { status: 'approved' }, 'what the person said stays')
  t.equal(await countProjects(app, 'Forbidden at last'), 0)
})

t.test('what needs two others at the decision is refused to who asked, and decided by the others', async (t) => {
  const call = await ask('Others by now')
  await policy('@outcome("approve")@approvals("2")@exclude_requester("true")')
  const refused = await decideAs(app, ada, call, true)
  t.match([refused.statusCode, problemOf(refused)], [403, { code: 'needs_other_approver', approvals: 2 }])
  t.match((await decideAs(app, bea, call, true)).json(), { status: 'pending', missing: 1 })
  t.match((await decideAs(app, cem, call, true)).json(), { status: 'approved' })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })
  t.equal(await countProjects(app, 'Others by now'), 1)
})

t.test('what needs more people at the claim than have approved is asked again', async (t) => {
  const call = await ask('More at last')
  await changeBeforeClaim(t, call, () => policy(two))
  const again = await until(async () => {
    const all = await app.inject({ url: '/api/v1/agent/confirmations?q=More', headers: ada.headers })
    const [item] = all.json().items
    return item?.replaces === call.confirmation.id && item
  })
  t.match(again, { status: 'pending', missing: 2, votes: [], requirement: { approvals: 2, policies: ['now'] } })
  t.match(await confirmationOf(app, ada, call.confirmation.id), { status: 'closed' })
  t.equal(await countProjects(app, 'More at last'), 0)
  const next = { ...call, confirmation: again }
  t.match((await decideAs(app, ada, next, true)).json(), { status: 'pending', missing: 1 })
  t.match((await decideAs(app, bea, next, true)).json(), { status: 'approved' })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })
  t.equal(await countProjects(app, 'More at last'), 1)
})
