import t from '../tap.js'
import { asAdmin } from '../app.js'
import { approveEdited, confirm, follow, startChatApp } from '../chat.js'
import { askToScale, read, sentToModel, serviceId, timesScaled } from './asking.js'

const steward = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50}' })
const { app } = steward
const web = await serviceId(app, 'web')
const search = await serviceId(app, 'search')
const countOf = async (service: string): Promise<number> =>
  (await read(app, `/infrastructure/containers/services/${encodeURIComponent(service)}`)).desired_count

t.test('E42: edited arguments are those that run, under a digest of their own', async (t) => {
  const asked = await askToScale(steward, [[web, 8]])
  const call = () => app.db.selectFrom('agent_tool_call').select(['input', 'effective_input', 'input_digest'])
    .where('run_id', '=', asked.run).executeTakeFirstOrThrow()
  const before = await call()
  t.equal(before.input_digest, asked.first.input_digest)
  const edited = { service: web, desired_count: 3 }
  const unseen = await confirm(app, { ...asked.decision, approved: true, arguments: edited })
  const rows = [{ label: 'Desired count', before: String(await countOf(web)), after: '3' }]
  t.match([unseen.statusCode, unseen.json()], [409, {
    code: 'plan_required', plan: { arguments: edited, preview: rows, risk: 'medium', target: { id: web } }
  }])
  const decided = await approveEdited(app, asked.decision, edited)
  t.match(decided.json(), { status: 'approved', tool_call: { arguments: edited } })
  const { frames } = await follow(app, asked.session, asked.after)
  t.match(frames.map(({ data }) => data), [
    { type: 'tool_call', arguments: edited, status: 'running' },
    { type: 'tool_result', status: 'succeeded', result: { desired_count: 3 } },
    { type: 'content' },
    { type: 'done', status: 'completed' }
  ])
  t.same([await timesScaled(steward, web, 3), await timesScaled(steward, web, 8)], [1, 0])
  const after = await call()
  t.same([after.input, after.effective_input], [before.input, edited], 'what the model asked stays as it was')
  t.not(after.input_digest, before.input_digest)
  const [result] = sentToModel(steward, asked.message).results ?? []
  t.match(JSON.parse(String(result?.content)).note, /^The user changed the arguments before running. Ran with: /)

  const again = await confirm(app, { ...asked.decision, approved: true, arguments: edited })
  t.match([again.statusCode, again.json()], [200, { already_decided: true, tool_call: { arguments: edited } }])
  const other = await confirm(app, { ...asked.decision, approved: true, arguments: { ...edited, desired_count: 8 } })
  t.match([other.statusCode, other.json()], [409, { code: 'confirmation_decided', decision: 'approved' }])
})

t.test('an edit that raises the risk is asked anew, with that risk, and nothing is decided until it is', async (t) => {
  const asked = await askToScale(steward, [[search, 9]])
  const { confirmation_id: id } = asked.decision
  const stop = { service: search, desired_count: 0 }
  const unseen = await confirm(app, { ...asked.decision, approved: true, arguments: stop })
  t.match([unseen.statusCode, unseen.json()], [409, {
    code: 'plan_required', plan: { arguments: stop, risk: 'high', risk_reasons: ['stops_service'] }
  }])
  const asBefore = await confirm(app,
    { ...asked.decision, approved: true, arguments: stop, input_digest: asked.first.input_digest })
  t.match([asBefore.statusCode, asBefore.json().code], [409, 'plan_required'], 'the digest of the question is not its')
  t.match(await read(app, `/api/v1/agent/confirmations/${id}`), { status: 'pending', risk: 'medium' })
  t.equal(await timesScaled(steward, search, 0), 0)
  const decided = await confirm(app,
    { ...asked.decision, approved: true, arguments: stop, input_digest: unseen.json().plan.input_digest })
  t.match([decided.statusCode, decided.json().status], [200, 'approved'])
  await follow(app, asked.session, asked.after)
  t.equal(await timesScaled(steward, search, 0), 1)
})

t.test('arguments that cannot be used are refused with a pointer, and nothing is decided', async (t) => {
  const asked = await askToScale(steward, [[web, 9]])
  const fit = { service: web, desired_count: 9 }
  const cases: [object, { pointer: string, code: string }][] = [
    [{ ...fit, service: search }, { pointer: '/arguments/service', code: 'not_editable' }],
    [{ desired_count: 9 }, { pointer: '/arguments/service', code: 'not_editable' }],
    [{ ...fit, desired_count: -1 }, { pointer: '/arguments/desired_count', code: 'minimum' }],
    [{ ...fit, desired_count: '9' }, { pointer: '/arguments/desired_count', code: 'type' }],
    [{ ...fit, colour: 'red' }, { pointer: '/arguments/colour', code: 'not_editable' }]
  ]
  for (const [edited, error] of cases) {
    const answer = await confirm(app, { ...asked.decision, approved: true, arguments: edited })
    t.match([answer.statusCode, answer.json()], [422, { code: 'arguments_invalid', errors: [error] }],
      JSON.stringify(edited))
  }
  const rows = await app.db.selectFrom('agent_confirmation as c')
    .innerJoin('agent_tool_call as l', 'l.id', 'c.tool_call_id')
    .select(['c.status', 'l.status as call', 'c.decided_at', 'l.effective_input'])
    .where('c.run_id', '=', asked.run).execute()
  t.same(rows, [{ status: 'pending', call: 'awaiting', decided_at: null, effective_input: fit }])
  await confirm(app, { ...asked.decision, approved: false })
  await follow(app, asked.session, asked.after)
  t.equal(await timesScaled(steward, web, 9), 0)
})

t.test('an edit may not make what the person forbids', async (t) => {
  const forbid = { key: 'never-zero', kind: 'forbid', value: { desired_count: 0 }, applies_to: ['scaleService'] }
  const prefer = (payload: object) =>
    app.inject({ method: 'POST', url: '/api/v1/agent/memory/preferences', payload, headers: asAdmin })
  const asked = await askToScale(steward, [[web, 5]])
  t.equal((await prefer({ set: [forbid] })).statusCode, 200)
  const edited = { service: web, desired_count: 0 }
  const answer = await confirm(app, { ...asked.decision, approved: true, arguments: edited })
  t.match([answer.statusCode, answer.json()],
    [422, { code: 'arguments_invalid', errors: [{ pointer: '/arguments', code: 'forbidden_by_preference' }] }])
  await prefer({ remove: ['never-zero'] })
  await confirm(app, { ...asked.decision, approved: false })
  await follow(app, asked.session, asked.after)
  t.equal(await timesScaled(steward, web, 0), 0)
})
