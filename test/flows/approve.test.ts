import t from 'tap'
import { asAdmin } from '../app.js'
import { approveEdited, chat, confirm, follow, framesOf, startChatApp, textOf } from '../chat.js'
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
  t.match(textOf(clusters.frames), /2 clusters:[^]*\*\*prod\*\*[^]*\*\*staging\*\*/)
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
  t.same(await read(app, `/api/v1/agent/confirmations/${items[1].id}`), items[1])
  const { type: _, confirmation_id: id, ...shown } = older.first.data
  t.same(marked(items[1], { title: older.message }), marked({
    ...shown,
    id,
    facts: { desired_count: await countOf(search), status: 'ACTIVE', scheduling: 'REPLICA', autoscaling: null },
    proposed: null,
    session_title: '<title>',
    status: 'pending',
    requested_at: items[1].requested_at,
    decided_at: null
  }))
  const page = await inbox('?limit=1')
  t.same(page.items, [items[0]])
  t.same(await inbox(`?limit=1&cursor=${page.next_cursor}`), { items: [items[1]], next_cursor: null })

  await confirm(app, { ...newer.decision, approved: false })
  await follow(app, newer.session, newer.after)
  t.same((await inbox()).items, [items[1]])
  const all = await inbox('?status=all&limit=2')
  t.match(all.items, [{ ...items[0], status: 'rejected', decided_at: /Z$/ }, items[1]])
  await confirm(app, { ...older.decision, approved: false })
  await follow(app, older.session, older.after)
})
