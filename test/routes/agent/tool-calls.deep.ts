import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { approveEdited, confirm, startChatApp } from '../../chat.js'
import { fromRecord } from '../../recorded.js'
import { marked, read, serviceId, timesScaled } from '../../flows/asking.js'
import { makePerson, makeToken, problemOf } from '../account/actors.js'
import { ordinaryRequirement } from '../../../schemas/agent/requirements.js'

const steward = await startChatApp(t, { LIMITS: '{"waiting_tool_calls_per_user":3,"confirmation_ttl_s":600}' })
const { app } = steward
const web = await serviceId(app, 'web')
const url = '/api/v1/agent/tool-calls'

const propose = (payload: object, headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'POST', url, payload, headers })
const scale = (desired_count: number) => ({ name: 'scaleService', arguments: { service: web, desired_count } })
const decisionOf = ({ session_id, confirmation }: { session_id: string, confirmation: { id: string } }) =>
  ({ session_id, confirmation_id: confirmation.id })

t.test('a proposed write waits in the inbox and is done once when it is approved', async (t) => {
  const answer = await propose(scale(5))
  const call = answer.json()
  const names = { web, call: call.tool_call_id, session: call.session_id, run: call.run_id }
  t.equal(answer.headers.location, `${url}/${call.tool_call_id}`)
  t.same([answer.statusCode, marked(call, names)], [202, {
    tool_call_id: '<call>',
    session_id: '<session>',
    run_id: '<run>',
    name: 'scaleService',
    arguments: { service: '<web>', desired_count: 5 },
    effect: 'write',
    status: 'awaiting',
    http_status: null,
    result: null,
    truncated: false,
    confirmation: {
      id: '<id>',
      kind: 'tool',
      session_id: '<session>',
      session_title: 'scaleService, proposed by a client',
      run_id: '<run>',
      tool_call_id: '<call>',
      status: 'pending',
      name: 'scaleService',
      arguments: { service: '<web>', desired_count: 5 },
      summary: 'Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 5',
      preview: [{ label: 'Desired count', before: '2', after: '5' }],
      risk: 'medium',
      risk_reasons: ['changes_capacity'],
      target: {
        kind: 'ecs_service',
        id: '<web>',
        within: { cloud_account: '<id>', region: 'eu-west-1', cluster: '<id>~eu-west-1~prod' },
        names: ['arn:aws:ecs:eu-west-1:123456789012:service/prod/web', 'web', 'prod/web']
      },
      facts: {
        desired_count: 2,
        status: 'ACTIVE',
        scheduling: 'REPLICA',
        task_definition: 'arn:aws:ecs:eu-west-1:123456789012:task-definition/web:3',
        autoscaling: null
      },
      not_shown: [],
      editable: ['desired_count', 'autoscaling', 'reason'],
      input_digest: '<digest>',
      proposed: null,
      replaces: null,
      thread_id: '<id>',
      requested_by: { id: '<id>', name: 'Administrator' },
      requirement: ordinaryRequirement,
      votes: [],
      missing: 1,
      waits_for: '1 more',
      may_approve: true,
      escalates_at: null,
      escalated: false,
      reason: null,
      changes: null,
      decided_by: null,
      requested_at: '<time>',
      expires_at: '<time>',
      decided_at: null
    },
    created_at: '<time>',
    finished_at: null
  }])
  t.same((await read(app, '/api/v1/agent/confirmations')).items.map((item: { id: string }) => item.id),
    [call.confirmation.id])
  t.same((await read(app, '/api/v1/agent/sessions')).items, [], 'it is no conversation')
  t.equal((await propose(scale(5))).json().tool_call_id, call.tool_call_id, 'the same call is the one that waits')
  t.equal(await timesScaled(steward, web, 5), 0)

  const waiting = app.inject({ url: `${url}/${call.tool_call_id}?wait_s=60`, headers: asAdmin })
  const decisions = await Promise.all([1, 2, 3].map(() => confirm(app, { ...decisionOf(call), approved: true })))
  t.same(decisions.map(({ statusCode }) => statusCode), [200, 200, 200])
  t.equal(decisions.filter((decided) => decided.json().already_decided === false).length, 1)
  const ended = (await waiting).json()
  t.match(ended, {
    tool_call_id: call.tool_call_id,
    status: 'succeeded',
    http_status: 200,
    result: { service_id: web, previous_count: 2, desired_count: 5, changed: true },
    confirmation: { status: 'approved' }
  })
  t.ok(ended.finished_at)
  t.equal(await timesScaled(steward, web, 5), 1)
  t.match(await read(app, `/api/v1/agent/runs/${call.run_id}`), {
    status: 'completed', usage: { model_calls: 0, tool_calls: 1, input_tokens: 0 }
  })
  const audited = await fromRecord(app).select(['operation', 'via', 'outcome']).where('operation', 'in',
    ['proposeToolCall', 'confirm', 'scaleService']).orderBy('id').execute()
  t.ok(audited.some(({ operation, via }) => operation === 'scaleService' && via === 'assistant'))
  t.ok(audited.some(({ operation, via }) => operation === 'proposeToolCall' && via === 'token'))
})

t.test('a rejection ends it, edits are those that run, a cancelled one is closed', async (t) => {
  const rejected = (await propose(scale(6))).json()
  await confirm(app, { ...decisionOf(rejected), approved: false, reason: 'no' })
  t.match(await read(app, `${url}/${rejected.tool_call_id}?wait_s=60`),
    { status: 'rejected', result: null, confirmation: { status: 'rejected' } })

  const edited = (await propose(scale(7))).json()
  await approveEdited(app, decisionOf(edited), { service: web, desired_count: 3 })
  t.match(await read(app, `${url}/${edited.tool_call_id}?wait_s=60`),
    { status: 'succeeded', arguments: { desired_count: 3 }, result: { desired_count: 3 } })

  const stopped = (await propose(scale(8))).json()
  await app.inject({ method: 'POST', url: `/api/v1/agent/runs/${stopped.run_id}/cancel`, headers: asAdmin })
  t.match(await read(app, `${url}/${stopped.tool_call_id}?wait_s=60`),
    { status: 'cancelled', confirmation: { status: 'closed' } })
  t.equal((await confirm(app, { ...decisionOf(stopped), approved: true })).json().code, 'confirmation_closed')
  t.same([await timesScaled(steward, web, 6), await timesScaled(steward, web, 7), await timesScaled(steward, web, 8)],
    [0, 0, 0])
})

t.test('what cannot work is refused without asking', async (t) => {
  const count = async () => (await app.db.selectFrom('agent_run').select('id').execute()).length
  const before = await count()
  const cases: [object, number, object][] = [
    [{ name: 'nothing', arguments: {} }, 404, { code: 'tool_not_found' }],
    [{ name: 'listClusters', arguments: {} }, 422, { code: 'tool_only_reads' }],
    [scale(-1), 422, { code: 'tool_call_refused', cause: { code: 'arguments_invalid' } }],
    [{ ...scale(4), arguments: { service: web.replace('~web', '~gone'), desired_count: 4 } }, 422,
      { code: 'tool_call_refused', cause: { code: 'service_not_found', status: 404 } }],
    [{ name: 'scaleService' }, 400, { code: 'invalid_request' }]
  ]
  for (const [payload, status, body] of cases) {
    const answer = await propose(payload)
    t.equal(answer.statusCode, status)
    t.match(problemOf(answer), body)
  }
  t.equal(await count(), before, 'and nothing is written')
})

t.test('calls are their user\'s, need the tool\'s rights, and only so many wait', async (t) => {
  const other = await makePerson(app, 'Other', 'member')
  const mine = (await propose(scale(9))).json()
  t.equal((await app.inject({ url: `${url}/${mine.tool_call_id}`, headers: other.headers })).statusCode, 404)
  t.equal((await app.inject({ url: `${url}/${mine.tool_call_id}` })).statusCode, 401)
  t.equal((await propose(scale(9), {})).statusCode, 401)
  const narrow = await makeToken(app, asAdmin, ['agent:read', 'agent:write', 'infrastructure:read'])
  t.equal((await propose(scale(9), narrow.headers)).json().code, 'tool_not_found')
  t.same([(await propose(scale(10))).statusCode, (await propose(scale(11))).statusCode], [202, 202])
  const full = await propose(scale(12))
  t.same([full.statusCode, full.json().code, full.headers['retry-after']], [429, 'too_many_waiting', '60'])
  t.equal((await propose(scale(12), other.headers)).statusCode, 202)
})
