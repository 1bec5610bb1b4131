import { randomUUID } from 'node:crypto'
import t from '../tap.js'
import { asAdmin } from '../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, type Turn } from '../chat.js'
import { enablePolicies, makeGroup } from '../policies.js'
import { makePerson, problemOf } from '../routes/account/actors.js'
import {
  askToScale, askedIn, lastId, marked, read, say, sentToModel, serviceId, timesScaled, wantsToScale
} from './asking.js'

const limits = { live_runs_per_user: 50, waiting_tool_calls_per_user: 50 }
const steward = await startChatApp(t, { LIMITS: JSON.stringify(limits) })
const { app, anthropic } = steward
const web = await serviceId(app, 'web')
const search = await serviceId(app, 'search')

const servicePath = (id: string) => `/infrastructure/containers/services/${encodeURIComponent(id)}`
const scale = (id: string, desired_count: number, headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'POST', url: `${servicePath(id)}/scale`, headers, payload: { desired_count } })

const upToNine = `@id("small")
@outcome("run")
permit (principal, action == Action::"scaleService", resource)
when { context.args has desired_count && context.args.desired_count < 10 };`

const readsLogs: Turn = { content: [{ type: 'tool_use', name: 'getServiceLogs', input: { service: web } }] }
const talk = async (turns: Turn[], body: object = {}) => {
  const message = scripted(anthropic, [...turns, say('Done.')])
  return { message, ...await chat(app, { message, ...body }) }
}

t.test('what a policy lets run runs once, with its plan in the stream, and says what allowed it', async (t) => {
  const version = await enablePolicies(app, upToNine)
  const { frames, session, message } = await talk([wantsToScale([web, 5])])
  t.same(askedIn(frames), [])
  const [call] = framesOf(frames, 'tool_call')
  t.same(marked(call?.data, { web }), {
    type: 'tool_call',
    tool_call_id: '<id>',
    name: 'scaleService',
    arguments: { service: '<web>', desired_count: 5 },
    effect: 'write',
    status: 'running',
    unasked: {
      decided_by: `policy:v${version}:small`,
      target: {
        kind: 'ecs_service',
        id: '<web>',
        within: { cloud_account: '<id>', region: 'eu-west-1', cluster: '<id>~eu-west-1~prod' },
        names: ['arn:aws:ecs:eu-west-1:123456789012:service/prod/web', 'web', 'prod/web']
      },
      summary: 'Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 5',
      preview: [{ label: 'Desired count', before: '2', after: '5' }],
      risk: 'medium',
      risk_reasons: ['changes_capacity']
    }
  })
  t.match(framesOf(frames, 'tool_result').at(-1)?.data, { name: 'scaleService', status: 'succeeded' })
  t.match(framesOf(frames, 'done').at(-1)?.data, { status: 'completed', final: true })
  t.equal(await timesScaled(steward, web, 5), 1)
  t.equal(sentToModel(steward, message).calls, 2)
  const { items } = await read(app, `/api/v1/agent/sessions/${session}/messages`)
  const [stored] = items.flatMap(({ tool_calls: calls }: { tool_calls: object[] }) => calls)
  t.match(stored, { status: 'succeeded', decided_by: `policy:v${version}:small` })
  const rows = await app.db.selectFrom('agent_confirmation').select('id').where('session_id', '=', session).execute()
  t.same(rows, [], 'nobody was asked')
})

t.test('what no policy lets run is asked as before, and the requirement names the policies', async (t) => {
  const { asked } = await askToScale(steward, [[web, 12]])
  t.equal(asked.length, 1)
  t.equal(await timesScaled(steward, web, 12), 0)
})

t.test('of two writes to one target in a turn, each runs on the state that the one before left', async (t) => {
  const { frames } = await talk([wantsToScale([search, 3], [search, 4])])
  t.same(framesOf(frames, 'tool_result').map(({ data }) => data.status), ['succeeded', 'succeeded'])
  const plans = framesOf(frames, 'tool_call').flatMap(({ data }) => {
    const { unasked } = data as { unasked?: { summary: string } }
    return unasked ? [unasked.summary.slice(-11)] : []
  })
  t.same(plans, ['from 1 to 3', 'from 3 to 4'])
  t.same([await timesScaled(steward, search, 3), await timesScaled(steward, search, 4)], [1, 1])
})

t.test('a conversation that has read foreign text asks, until a person decides', async (t) => {
  const first = await talk([readsLogs, wantsToScale([web, 6])])
  const [question] = askedIn(first.frames)
  t.ok(question, 'it is asked')
  t.equal(await timesScaled(steward, web, 6), 0)
  t.equal((await confirm(app, {
    session_id: first.session, confirmation_id: question?.confirmation_id, approved: true
  })).statusCode, 200)
  await follow(app, first.session, lastId(first.frames))
  t.equal(await timesScaled(steward, web, 6), 1)
  const next = await talk([wantsToScale([web, 7])], { session_id: first.session })
  t.same([askedIn(next.frames).length, await timesScaled(steward, web, 7)], [0, 1], 'a person has decided since')
  const together: Turn = { content: [...readsLogs.content, ...wantsToScale([web, 8]).content] }
  const last = await talk([together], { session_id: first.session })
  t.same([askedIn(last.frames).length, await timesScaled(steward, web, 8)], [1, 0],
    'also where the read and the write come in one turn')
})

t.test('a policy may say that foreign text does not matter', async (t) => {
  await enablePolicies(app, upToNine.replace('@id("small")', '@id("small")\n@allow_tainted("true")'))
  const { frames } = await talk([readsLogs, wantsToScale([web, 9])])
  t.same([askedIn(frames).length, await timesScaled(steward, web, 9)], [0, 1])
})

t.test('what a client proposes is tainted: nobody here knows what it has read', async (t) => {
  const propose = (desired_count: number) => app.inject({
    method: 'POST',
    url: '/api/v1/agent/tool-calls',
    headers: asAdmin,
    payload: { name: 'scaleService', arguments: { service: search, desired_count } }
  })
  await enablePolicies(app, upToNine)
  t.match((await propose(5)).json(), { status: 'awaiting' })
  await enablePolicies(app, upToNine.replace('@id("small")', '@id("small")\n@allow_tainted("true")'))
  const { tool_call_id: id } = (await propose(6)).json()
  const url = `/api/v1/agent/tool-calls/${id}?wait_s=60`
  t.match(await read(app, url), { status: 'succeeded', decided_by: /^policy:v\d+:small$/, confirmation: null })
  t.equal(await timesScaled(steward, search, 6), 1)
})

t.test('what is forbidden is denied with its reason, in a chat and when it is called directly', async (t) => {
  await enablePolicies(app, `${upToNine}
    @id("frozen")@reason("Web is frozen until Friday")
    forbid (principal, action, resource) when { resource.names.contains("web") };`)
  const { frames } = await talk([wantsToScale([web, 3])])
  t.match(framesOf(frames, 'tool_result').at(-1)?.data, {
    status: 'failed', result: { code: 'forbidden_by_policy', detail: 'Web is frozen until Friday' }
  })
  const direct = await scale(web, 3)
  t.same([direct.statusCode, problemOf(direct)], [403, {
    type: 'urn:steward:error:forbidden_by_policy',
    title: 'The policies of the workspace forbid this',
    status: 403,
    detail: 'Web is frozen until Friday',
    code: 'forbidden_by_policy',
    policies: ['frozen']
  }])
  t.equal((await scale(search, 2)).statusCode, 200, 'another is not')
  t.equal(await timesScaled(steward, web, 3), 0)
})

t.test('what others have to approve is not done directly; one approval is what doing it is', async (t) => {
  const person = await makePerson(app, 'Op', 'member')
  const ops = await makeGroup(app, randomUUID(), 'ops', [person.id])
  const requires = (annotations: string) => enablePolicies(app, `@id("two")@outcome("approve")${annotations}
    permit (principal, action == Action::"scaleService", resource);`)
  await requires('@approvals("1")')
  t.equal((await scale(web, 4)).statusCode, 200)
  const version = await requires('@approvals("2")@from("ops")@exclude_requester("true")')
  const refused = await scale(web, 3)
  t.same([refused.statusCode, problemOf(refused)], [403, {
    type: 'urn:steward:error:approval_required',
    title: 'The policies of the workspace require an approval for this',
    status: 403,
    detail: 'Other people have to approve it: propose it with POST /api/v1/agent/tool-calls as scaleService',
    code: 'approval_required',
    policies: ['two'],
    requirement: {
      approvals: 2, groups: [ops], exclude_requester: true, escalate: null, policy_version: version, policies: ['two']
    },
    tool: 'scaleService'
  }])
  const rows = await app.db.selectFrom('agent_confirmation').select('requirement')
    .where('id', '=', (await askToScale(steward, [[search, 7]])).decision.confirmation_id).execute()
  t.match(rows, [{ requirement: { approvals: 2, groups: [ops], exclude_requester: true, policy_version: version } }],
    'the question keeps it')
})

t.test('what was to run unasked and is not allowed any more when it is sent is asked', async (t) => {
  await enablePolicies(app, upToNine)
  const before = await timesScaled(steward, search, 8)
  // The policies change between the plan and the claim.
  const held = app.policies.of.bind(app.policies)
  let looks = 0
  app.policies.of = async (workspaceId) => {
    looks += 1
    if (looks === 4) await enablePolicies(app, upToNine.replace('< 10', '< 2'))
    return held(workspaceId)
  }
  t.teardown(() => { app.policies.of = held })
  const { frames } = await talk([wantsToScale([search, 8])])
  app.policies.of = held
  t.equal(await timesScaled(steward, search, 8), before)
  t.equal(askedIn(frames).length, 1)
})
