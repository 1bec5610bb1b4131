import t from '../tap.js'
import { ordinaryRequirement } from '../../schemas/agent/requirements.js'
import { asAdmin } from '../app.js'
import { chat, confirm, follow, framesOf, startChatApp, textOf } from '../chat.js'
import { makePerson, makeToken, problemOf } from '../routes/account/actors.js'
import { askedIn, askToScale, lastId, marked, read, sentToModel, serviceId, timesScaled } from './asking.js'

const steward = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50}' })
const { app } = steward
const web = await serviceId(app, 'web')
const search = await serviceId(app, 'search')
const countOf = async (service: string): Promise<number> =>
  (await read(app, `/infrastructure/containers/services/${encodeURIComponent(service)}`)).desired_count
const inbox = async (query = '', headers: Record<string, string> = asAdmin) =>
  read(app, `/api/v1/agent/confirmations${query}`, headers)
const missing = '01900000-0000-7000-8000-000000000000'

const usage = { model_calls: 4, tool_calls: 4, cost: { currency: 'USD' } }

t.test('clusters are listed at once, a service is scaled after approval, once', async (t) => {
  const clusters = await chat(app, { message: 'Which clusters do I have?' })
  t.match(textOf(clusters.frames), /- \*\*prod\*\* in eu-west-1: 5 services[^]*- \*\*staging\*\*/)
  t.same(framesOf(clusters.frames, 'tool_call').map(({ data }) => [data.name, data.effect, data.status]),
    [['listClusters', 'read', 'running']])
  t.same(framesOf(clusters.frames, 'confirmation_required'), [])

  const { session } = clusters
  const { frames, run } = await chat(app, { message: 'Scale web to 4', session_id: session })
  const [asked] = askedIn(frames)
  const names = { session, run, web, confirmation: asked?.confirmation_id ?? '' }
  t.same(marked(asked?.data, names), {
    type: 'confirmation_required',
    confirmation_id: '<confirmation>',
    session_id: '<session>',
    run_id: '<run>',
    kind: 'tool',
    tool_call_id: '<id>',
    name: 'scaleService',
    arguments: { desired_count: 4, service: '<web>' },
    target: {
      kind: 'ecs_service',
      id: '<web>',
      within: { cloud_account: '<id>', region: 'eu-west-1', cluster: '<id>~eu-west-1~prod' },
      names: ['arn:aws:ecs:eu-west-1:123456789012:service/prod/web', 'web', 'prod/web']
    },
    replaces: null,
    summary: 'Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 4',
    preview: [{ label: 'Desired count', before: '2', after: '4' }],
    risk: 'medium',
    risk_reasons: ['changes_capacity'],
    editable: ['desired_count', 'autoscaling', 'reason'],
    input_digest: '<digest>',
    expires_at: '<time>'
  })
  const waiting = frames.at(-1)
  t.match(marked(waiting?.data, names), {
    status: 'awaiting_confirmation', final: false, pending_confirmations: ['<confirmation>']
  })
  t.same([await countOf(web), await timesScaled(steward, web, 4)], [2, 0], 'nothing happens before the approval')

  const decided = await confirm(app, {
    session_id: session,
    confirmation_id: names.confirmation,
    approved: true,
    input_digest: asked?.input_digest
  })
  t.same([decided.statusCode, marked(decided.json(), names)], [200, {
    confirmation_id: '<confirmation>',
    session_id: '<session>',
    run_id: '<run>',
    status: 'approved',
    decided_at: '<time>',
    already_decided: false,
    votes: [{
      person: { id: '<id>', name: 'Administrator' },
      on_behalf_of: null,
      decision: 'approve',
      reason: null,
      via: 'token',
      counts: true,
      at: '<time>'
    }],
    missing: 0,
    waits_for: null,
    tool_call: {
      tool_call_id: '<id>',
      name: 'scaleService',
      arguments: { desired_count: 4, service: '<web>' },
      status: 'approved'
    },
    stream_url: '/api/v1/agent/sessions/<session>/stream'
  }])
  const rest = await follow(app, session, lastId(frames))
  t.same(rest.frames.map(({ event, data }) => [event, data.status ?? null]),
    [['tool_call', 'running'], ['tool_result', 'succeeded'], ['content', null], ['done', 'completed']])
  t.match(marked(rest.frames[1]?.data, names), {
    result: { service_id: '<web>', previous_count: 2, desired_count: 4, changed: true }
  })
  t.match(rest.frames.at(-1)?.data, { final: true, stop_reason: 'end_turn', pending_confirmations: [], usage })
  t.same([await countOf(web), await timesScaled(steward, web, 4)], [4, 1])

  const next = await chat(app, { message: 'Which clusters do I have?', session_id: session })
  t.match(framesOf(next.frames, 'done')[0]?.data, { status: 'completed', final: true })
})

t.test('a rejection executes nothing, and the model receives it with the reason', async (t) => {
  const asked = await askToScale(steward, [[web, 7]])
  const decided = await confirm(app, { ...asked.decision, approved: false, reason: 'Not before Monday' })
  t.match(decided.json(), { status: 'rejected', already_decided: false, tool_call: { status: 'rejected' } })
  const { frames } = await follow(app, asked.session, asked.after)
  t.same(frames.map(({ event, data }) => [event, data.status ?? null]),
    [['tool_result', 'rejected'], ['content', null], ['done', 'completed']])
  t.match(frames[0]?.data, { name: 'scaleService', http_status: null, result: null, truncated: false })
  const [result, ...others] = sentToModel(steward, asked.message).results ?? []
  t.same(others, [])
  t.match(result, {
    type: 'tool_result',
    content: 'The user declined this action. It was not executed. Reason: Not before Monday',
    is_error: true
  })
  t.equal(await timesScaled(steward, web, 7), 0)
})

t.test('the same decision again is answered, the other one is a conflict', async (t) => {
  for (const approved of [true, false]) {
    const asked = await askToScale(steward, [[search, approved ? 2 : 3]])
    const first = (await confirm(app, { ...asked.decision, approved })).json()
    await follow(app, asked.session, asked.after)
    const again = await confirm(app, { ...asked.decision, approved })
    t.same([again.statusCode, again.json()], [200, {
      ...first,
      already_decided: true,
      tool_call: { ...first.tool_call, status: approved ? 'succeeded' : 'rejected' }
    }])
    const other = await confirm(app, { ...asked.decision, approved: !approved })
    t.same([other.statusCode, problemOf(other)], [409, {
      type: 'urn:steward:error:confirmation_decided',
      title: 'It was decided the other way',
      status: 409,
      detail: 'It was decided the other way',
      code: 'confirmation_decided',
      decision: first.status,
      decided_at: first.decided_at
    }])
  }
  t.same([await timesScaled(steward, search, 2), await timesScaled(steward, search, 3)], [1, 0])
})

t.test('E42: a decision on something else than what was shown is refused', async (t) => {
  const asked = await askToScale(steward, [[search, 4]])
  const stale = `sha256:${'0'.repeat(64)}`
  for (const approved of [true, false]) {
    const answer = await confirm(app, { ...asked.decision, approved, input_digest: stale })
    t.match([answer.statusCode, answer.json()],
      [409, { code: 'stale_preview', input_digest: asked.first.input_digest }])
  }
  const { input_digest } = asked.first
  t.equal((await confirm(app, { ...asked.decision, approved: false, input_digest })).statusCode, 200)
  await follow(app, asked.session, asked.after)
  t.equal(await timesScaled(steward, search, 4), 0)
})

t.test('B21: what is not mine does not exist, and who approves must be allowed to do it', async (t) => {
  const asked = await askToScale(steward, [[search, 5]])
  const other = await askToScale(steward, [[search, 6]])
  const mia = await makePerson(app, 'Mia', 'member')
  const token = await makeToken(app, mia.headers, ['approvals:write', 'agent:read', 'infrastructure:write'])
  const cases: [object, Record<string, string>][] = [
    [{ ...asked.decision, confirmation_id: missing }, asAdmin],
    [{ ...asked.decision, session_id: other.session }, asAdmin],
    [{ ...asked.decision, session_id: missing }, asAdmin],
    [asked.decision, mia.headers],
    [asked.decision, token.headers]
  ]
  const bodies = []
  for (const [decision, headers] of cases) {
    const answer = await confirm(app, { ...decision, approved: true }, headers)
    bodies.push(problemOf(answer))
  }
  t.same(new Set(bodies.map((body) => JSON.stringify(body))).size, 1, 'the refusals do not differ')
  t.match(bodies[0], { status: 404, code: 'confirmation_not_found' })
  t.same(await inbox('', token.headers), { items: [], next_cursor: null })

  const approver = await makeToken(app, asAdmin, ['approvals:write'])
  const answer = await confirm(app, { ...asked.decision, approved: true }, approver.headers)
  t.match([answer.statusCode, answer.json()],
    [403, { code: 'insufficient_scope', scope: 'infrastructure:write' }])
  const rejected = await confirm(app, { ...asked.decision, approved: false }, approver.headers)
  t.match([rejected.statusCode, rejected.json().status], [200, 'rejected'])
  await confirm(app, { ...other.decision, approved: false })
  await Promise.all([follow(app, asked.session, asked.after), follow(app, other.session, other.after)])
  t.same([await timesScaled(steward, search, 5), await timesScaled(steward, search, 6)], [0, 0])
})

t.test('the inbox holds what waits for me, newest first', async (t) => {
  t.same(await inbox(), { items: [], next_cursor: null })
  const older = await askToScale(steward, [[search, 7]])
  const newer = await askToScale(steward, [[search, 8]])
  const { items, next_cursor: end } = await inbox()
  t.same(items.map(({ id }: { id: string }) => id), [newer.first.confirmation_id, older.first.confirmation_id])
  t.equal(end, null)
  const approvers = { groups: [], people: 2 }
  t.same(await read(app, `/api/v1/agent/confirmations/${items[1].id}`), { ...items[1], approvers })
  const { type: _, confirmation_id: id, ...shown } = older.first.data
  t.same(marked(items[1], { title: older.message }), marked({
    ...shown,
    id,
    facts: {
      desired_count: await countOf(search),
      status: 'ACTIVE',
      scheduling: 'REPLICA',
      task_definition: 'arn:aws:ecs:eu-west-1:123456789012:task-definition/search:1',
      autoscaling: null
    },
    not_shown: [],
    proposed: null,
    session_title: '<title>',
    status: 'pending',
    thread_id: id,
    requested_by: { id: app.home.admin_id, name: 'Administrator' },
    requirement: ordinaryRequirement,
    votes: [],
    missing: 1,
    waits_for: '1 more',
    may_approve: true,
    escalates_at: null,
    escalated: false,
    reason: null,
    changes: null,
    requested_at: items[1].requested_at,
    decided_at: null,
    decided_by: null
  }))
  const page = await inbox('?limit=1')
  t.same(page.items, [items[0]])
  t.same(await inbox(`?limit=1&cursor=${page.next_cursor}`), { items: [items[1]], next_cursor: null })

  await confirm(app, { ...newer.decision, approved: false })
  await follow(app, newer.session, newer.after)
  t.same((await inbox()).items, [items[1]])
  const all = await inbox('?status=all&limit=2')
  t.match(all.items, [{
    ...items[0],
    status: 'rejected',
    votes: [{ decision: 'reject' }],
    missing: 0,
    waits_for: null,
    may_approve: false,
    decided_at: /Z$/,
    decided_by: { name: 'Administrator' }
  }, items[1]])
  await confirm(app, { ...older.decision, approved: false })
  await follow(app, older.session, older.after)
})
