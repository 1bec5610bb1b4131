import { randomUUID } from 'node:crypto'
import t from '../tap.js'
import { asAdmin } from '../app.js'
import { chat, confirm, planEdit, scripted, startChatApp, until, type Turn } from '../chat.js'
import { enablePolicies } from '../policies.js'
import { askedIn, marked, read, say, sentToModel, serviceId, timesScaled, wantsToScale } from './asking.js'
import { countProjects, makePeople, requireApprovals, type Headers, type Person } from './voting.js'

const steward = await startChatApp(t, {
  LIMITS: '{"live_runs_per_user":50,"waiting_tool_calls_per_user":100,"requests_per_minute":100000}'
})
const { app, anthropic } = steward
const [web, search] = [await serviceId(app, 'web'), await serviceId(app, 'search')]
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]

const stepsUrl = (id: string) => `/api/v1/agent/confirmations/${id}/steps`
const planOf = (id: string, headers: Headers = asAdmin) => read(app, stepsUrl(id), headers)
const decide = async (id: string, payload: object, headers: Headers = asAdmin) => {
  const answer = await app.inject({ method: 'POST', url: stepsUrl(id), headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const progressOf = (id: string, headers: Headers = asAdmin) => read(app, `${stepsUrl(id)}/progress`, headers)
const scale = (id: string, desired_count: number) => app.inject({
  method: 'POST',
  headers: asAdmin,
  payload: { desired_count },
  url: `/infrastructure/containers/services/${encodeURIComponent(id)}/scale`
})
const ask = async (turn: Turn, headers: Headers = asAdmin) => {
  const message = scripted(anthropic, [turn, say('All right.')])
  const reply = await chat(app, { message }, headers)
  const asked = askedIn(reply.frames)
  return { ...reply, message, asked, first: asked[0]?.confirmation_id ?? '' }
}
const projects = (...names: string[]): Turn => ({
  content: names.map((name) => ({ type: 'tool_use' as const, name: 'createProject', input: { name } }))
})
/** @returns how the run's writes have ended, in order */
const endsOf = async (run: string) => {
  const rows = () => app.db.selectFrom('agent_tool_call').select(['status', 'result', 'result_model'])
    .where('run_id', '=', run).orderBy('ordinal').execute()
  await until(async () => (await rows()).every(({ result_model: end }) => end !== null) || undefined)
  return (await rows()).map(({ status, result }) => ({ status, code: (result as { code?: string } | null)?.code }))
}
/** @returns what became of the questions of its writes, in their order */
const closedBy = (run: string) => app.db.selectFrom('agent_confirmation as q')
  .innerJoin('agent_tool_call as c', (join) =>
    join.onRef('c.workspace_id', '=', 'q.workspace_id').onRef('c.id', '=', 'q.tool_call_id'))
  .select(['q.status', 'q.close_reason', 'q.reason']).where('q.run_id', '=', run)
  .orderBy('c.ordinal').execute()
const fault = (body: object) => fetch(`${app.sandbox.control.aws}/faults`, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
})
const reset = async () => { await scale(web, 2); await scale(search, 2) }
const succeeded = { status: 'succeeded', code: undefined }
const stopped = { status: 'failed', code: 'step_stopped' }

t.test('three deployments of one turn are approved at once, and run in their order', async (t) => {
  const [account] = web.split('~')
  const { items } = await read(app, `/infrastructure/containers/clusters/${account}~eu-west-1~prod/services?limit=100`)
  const three = (items as { id: string }[]).slice(0, 3).map(({ id }) => id)
  t.equal(three.length, 3)
  const { asked, first, run } = await ask({
    content: three.map((service) =>
      ({ type: 'tool_use', name: 'deployService', input: { service, force_new_deployment: true } }))
  })
  t.equal(asked.length, 3)
  const plan = await planOf(first)
  t.match(plan, { risk: 'high', missing: 1, may_approve: true })
  t.same(plan.steps.map((one: { step: number, arguments: { service: string }, undo: string }) =>
    [one.step, one.arguments.service, one.undo.startsWith('Roll back to ')]), three.map((id, i) => [i + 1, id, true]))
  const body = { approved: true, input_digest: plan.input_digest }
  t.match(await decide(first, { ...body, high_risk: [1, 3] }),
    { status: 409, body: { code: 'high_risk_alone', steps: [2] } }, 'each step of high risk is named')
  t.match(await decide(first, { approved: true, high_risk: [1, 2, 3] }),
    { status: 409, body: { code: 'stale_preview' } })
  const decided = await decide(first, { ...body, high_risk: [1, 2, 3] })
  t.match(decided, { status: 200, body: { status: 'approved', missing: 0, already_decided: false } })
  t.equal(decided.body.items.length, 3)
  t.same(await endsOf(run), [succeeded, succeeded, succeeded])
  t.match(await progressOf(first), {
    run_id: run,
    status: 'succeeded',
    steps: asked.map(({ confirmation_id, data }, index) => ({
      step: index + 1,
      tool_call_id: data.tool_call_id,
      confirmation_id,
      summary: data.summary,
      risk: 'high',
      status: 'succeeded',
      has_ended: true,
      stopped: null
    }))
  })
  t.match(await decide(first, body), { status: 200, body: { status: 'approved', already_decided: true } })
  const calls = await app.db.selectFrom('agent_tool_call').select('id').where('run_id', '=', run).orderBy('ordinal')
    .execute()
  for (const { id } of calls) {
    // An entry is moved into the record as it is numbered.
    const [waiting, numbered] = await Promise.all([
      app.db.selectFrom('audit').select('kind').where('write_id', '=', id).execute(),
      app.db.selectFrom('audit_entry').select('kind').where('write_id', '=', id).execute()
    ])
    const kinds = new Set<string>([...waiting, ...numbered].map(({ kind }) => kind))
    // The rollout that follows has entries of its own under the same write.
    const missing = ['asked', 'decided', 'sent', 'ended'].filter((kind) => !kinds.has(kind))
    t.same(missing, [], 'each step has the entries of a write')
  }
})

t.test('a step on the same target is planned on what the step before it will leave', async (t) => {
  await reset()
  const { asked, first, run, message } = await ask(wantsToScale([web, 3], [web, 5]))
  t.equal(asked.length, 1, 'by itself only the first is asked')
  const plan = await planOf(first)
  t.same(marked(plan.steps[1], { web }), {
    step: 2,
    tool_call_id: '<id>',
    confirmation_id: null,
    name: 'scaleService',
    arguments: { service: '<web>', desired_count: 5 },
    summary: 'Scale service web in cluster prod (eu-west-1, account Sandbox) from 3 to 5',
    preview: [{ label: 'Desired count', before: '3', after: '5' }],
    risk: 'medium',
    risk_reasons: ['changes_capacity'],
    target: plan.steps[0].target === undefined ? {} : marked(plan.steps[0].target, { web }),
    facts: { ...plan.steps[0].facts, desired_count: 3 },
    input_digest: '<digest>',
    undo: 'Scale it back to 3',
    forbidden: null,
    requirement: plan.steps[0].requirement
  })
  t.match(await decide(first, { approved: true, input_digest: plan.input_digest }), { body: { status: 'approved' } })
  t.same(await endsOf(run), [succeeded, succeeded])
  t.equal(await timesScaled(steward, web, 3), 1)
  t.equal(await timesScaled(steward, web, 5), 1)
  t.equal(sentToModel(steward, message).calls, 2)
})

t.test('a step that meets another state stops the plan, and nothing after it runs', async (t) => {
  await reset()
  const { first, run } = await ask(wantsToScale([web, 4], [search, 7], [web, 8]))
  const { input_digest } = await planOf(first)
  await fault({ kind: 'slow', operation: 'UpdateService', match: '"web"', delay_ms: 1_500, times: 1 })
  t.match(await decide(first, { approved: true, input_digest }), { body: { status: 'approved' } })
  await until(async () => (await app.db.selectFrom('agent_tool_call').select('id').where('run_id', '=', run)
    .where('status', '=', 'dispatching').execute()).length > 0 || undefined)
  t.equal((await scale(search, 3)).statusCode, 200, 'while the first step runs, somebody changes what the second needs')
  t.same(await endsOf(run), [succeeded, stopped, stopped])
  t.match(await closedBy(run), [
    { status: 'approved' },
    { status: 'closed', close_reason: 'step_stopped', reason: /^Step 2 of 3 did not run.*state_changed/ },
    { status: 'closed', close_reason: 'step_stopped', reason: /^Step 2 of 3 stopped the plan/ }
  ])
  t.match(await progressOf(first), {
    status: 'stopped',
    steps: [
      { status: 'succeeded', stopped: null },
      { status: 'failed', stopped: /^Step 2 of 3 did not run/ },
      { status: 'failed', stopped: /^Step 2 of 3 stopped the plan/ }
    ]
  })
  t.equal(await timesScaled(steward, search, 7) + await timesScaled(steward, web, 8), 0)
})

t.test('unknown stops the plan', async (t) => {
  await reset()
  const { first, run } = await ask(wantsToScale([web, 6], [search, 6]))
  const { input_digest } = await planOf(first)
  await fault({ kind: 'drop', operation: 'UpdateService', executed: true, times: 1 })
  await decide(first, { approved: true, input_digest })
  t.same(await endsOf(run), [{ status: 'unknown', code: (await endsOf(run))[0]?.code }, stopped])
  t.match((await closedBy(run))[1], {
    status: 'closed',
    close_reason: 'step_stopped',
    reason: 'Step 1 of 2 stopped the plan (unknown): this step did not run'
  })
  t.match(await progressOf(first), {
    status: 'unknown', steps: [{ status: 'unknown', stopped: null }, { stopped: /Step 1 of 2 stopped the plan/ }]
  })
  t.equal(await timesScaled(steward, search, 6), 0)
})

t.test('an edited step is another plan, which needs a decision of its own', async (t) => {
  const names = [randomUUID(), randomUUID(), randomUUID()] as [string, string, string]
  const { first, asked, run } = await ask(projects(names[0], names[1]))
  const { input_digest: before } = await planOf(first)
  await planEdit(app, asked[1]?.confirmation_id ?? '', { name: names[2] })
  const plan = await planOf(first)
  t.not(plan.input_digest, before)
  t.match(plan.steps, [{ arguments: { name: names[0] }, undo: 'Archive it' }, { arguments: { name: names[2] } }])
  t.match(await decide(first, { approved: true, input_digest: before }),
    { status: 409, body: { code: 'stale_preview' } })
  t.match(await decide(first, { approved: true, input_digest: plan.input_digest }), { body: { status: 'approved' } })
  t.same(await endsOf(run), [succeeded, succeeded])
  t.same(await Promise.all(names.map((name) => countProjects(app, name))), [1, 0, 1])
})

t.test('what one step needs of two people, all of them need; a step is not decided by itself any more', async (t) => {
  const names = [randomUUID(), randomUUID()] as [string, string]
  const { first, asked, run, session: session_id } = await ask(projects(...names), ada.headers)
  const second = asked[1]?.confirmation_id ?? ''
  await requireApprovals(app, second, { approvals: 2, exclude_requester: false })
  const plan = await planOf(first, ada.headers)
  t.match(plan, { missing: 2, steps: [{ requirement: { approvals: 2 } }, { requirement: { approvals: 2 } }] })
  const body = { approved: true, input_digest: plan.input_digest }
  t.match(await decide(first, body, ada.headers), { body: { status: 'pending', missing: 1, already_decided: false } })
  t.match(await decide(first, body, ada.headers), { body: { status: 'pending', missing: 1, already_decided: true } })
  t.match((await confirm(app, { session_id, confirmation_id: first, approved: true }, ada.headers)).json(),
    { code: 'decided_as_steps', status: 409 })
  t.match(await progressOf(first, bea.headers), { status: 'pending', steps: [{ status: 'awaiting' }, {}] })
  t.match(await planOf(second, bea.headers), { missing: 1, may_approve: true, input_digest: plan.input_digest })
  t.match(await read(app, `/api/v1/agent/confirmations/${second}`, bea.headers), { steps: { step: 2, of: 2 } })
  t.same(await Promise.all(names.map((name) => countProjects(app, name))), [0, 0])
  t.match(await decide(second, body, bea.headers), { body: { status: 'approved', missing: 0 } })
  t.same(await endsOf(run), [succeeded, succeeded])
  t.same(await Promise.all(names.map((name) => countProjects(app, name))), [1, 1])
})

t.test('a rejection ends all steps, those too that were not asked yet', async (t) => {
  await reset()
  const { first, run } = await ask(wantsToScale([web, 3], [web, 9]))
  t.match(await decide(first, { approved: false, reason: 'Not today' }), { body: { status: 'rejected' } })
  t.same((await endsOf(run)).map(({ status }) => status), ['rejected', 'rejected'])
  t.match(await decide(first, { approved: true }), { status: 409, body: { code: 'confirmation_decided' } })
  t.equal(await timesScaled(steward, web, 9), 0)
})

t.test('one write alone is no plan of steps, and nobody else sees one', async (t) => {
  const { first, session: session_id } = await ask(projects(randomUUID()), ada.headers)
  t.match(await planOf(first, ada.headers), { status: 404, code: 'steps_not_found' })
  t.match(await progressOf(first, ada.headers), { status: 404, code: 'steps_not_found' })
  for (const of of [planOf, progressOf]) {
    t.match(await of(first, bea.headers), { status: 404, code: 'confirmation_not_found' })
  }
  await confirm(app, { session_id, confirmation_id: first, approved: false }, ada.headers)
})

t.test('the writes of a turn are still decided one by one', async (t) => {
  const names = [randomUUID(), randomUUID()] as [string, string]
  const { asked, run, session: session_id } = await ask(projects(...names))
  for (const { confirmation_id } of asked) {
    await confirm(app, { session_id, confirmation_id, approved: true })
  }
  t.same(await endsOf(run), [succeeded, succeeded])
})

t.test('a plan with a step that policies forbid by now is not approved', async (t) => {
  await reset()
  const { first, run } = await ask(wantsToScale([web, 3], [search, 3]))
  await enablePolicies(app, `@id("frozen")@reason("Search is frozen")
    forbid (principal, action, resource) when { resource.names.contains("search") };`)
  const plan = await planOf(first)
  t.match(plan, { may_approve: false, steps: [{ forbidden: null }, { forbidden: 'Search is frozen' }] })
  t.match(await decide(first, { approved: true, input_digest: plan.input_digest }),
    { status: 409, body: { code: 'step_forbidden', step: 2, reason: 'Search is frozen' } })
  await decide(first, { approved: false })
  t.same((await endsOf(run)).map(({ status }) => status), ['rejected', 'rejected'])
})
