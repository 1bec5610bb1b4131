import t from '../tap.js'
import { asAdmin } from '../app.js'
import { chat, confirm, follow, framesOf, planEdit, scripted, startChatApp, until, type Turn } from '../chat.js'
import { steer } from '../routes/infrastructure/sandbox.js'
import { askToScale, askedIn, lastId, read, say, sentToModel, serviceId, timesScaled } from './asking.js'

const limits = { wait_s: 1, live_runs_per_user: 50, waiting_tool_calls_per_user: 50 }
const steward = await startChatApp(t, { LIMITS: JSON.stringify(limits) })
const { app, anthropic } = steward
const web = await serviceId(app, 'web')
const search = await serviceId(app, 'search')
const servicePath = (id: string) => `/infrastructure/containers/services/${encodeURIComponent(id)}`
const scale = (id: string, desired_count: number) =>
  app.inject({ method: 'POST', url: `${servicePath(id)}/scale`, headers: asAdmin, payload: { desired_count } })
const countOf = async (id: string): Promise<number> => (await read(app, servicePath(id))).desired_count
const inbox = async () => (await read(app, '/api/v1/agent/confirmations')).items
const post = async (url: string, payload: object) =>
  (await app.inject({ method: 'POST', url, headers: asAdmin, payload })).json()

t.test('an approval from 2 to 4 is not carried out on a service that another person scaled to 12', async (t) => {
  await scale(web, 2)
  const asked = await askToScale(steward, [[web, 4]])
  t.match(asked.first.data, { preview: [{ label: 'Desired count', before: '2', after: '4' }], replaces: null })
  await scale(web, 12)
  const decided = await confirm(app, { ...asked.decision, approved: true, input_digest: asked.first.input_digest })
  const { confirmation: next, ...problem } = decided.json()
  t.match([decided.statusCode, problem], [409, {
    type: 'urn:steward:error:state_changed',
    title: 'The state has changed since this was shown',
    code: 'state_changed',
    detail: 'Nothing was done. It is asked again on the state as it is now'
  }])
  t.match(next, {
    replaces: asked.decision.confirmation_id,
    summary: /from 12 to 4$/,
    preview: [{ label: 'Desired count', shown: '2', before: '12', after: '4' }]
  }, 'shown, now and what it would become')
  t.same([await countOf(web), await timesScaled(steward, web, 4)], [12, 0])

  const { frames } = await follow(app, asked.session, asked.after)
  t.match(askedIn(frames), [{ confirmation_id: next.id, input_digest: next.input_digest }], 'the stream asks again')
  t.equal(sentToModel(steward, asked.message).calls, 1, 'the model is not asked')
  t.same((await inbox()).map(({ id }: { id: string }) => id), [next.id])
  t.match(await read(app, `/api/v1/agent/confirmations/${asked.decision.confirmation_id}`), { status: 'closed' })

  const old = await confirm(app, { ...asked.decision, approved: true })
  t.match([old.statusCode, old.json()], [409, { code: 'confirmation_closed', reason: 'state_changed' }])
  const { session_id } = asked.decision
  t.equal((await confirm(app, { session_id, confirmation_id: next.id, approved: true })).statusCode, 200)
  const end = await follow(app, asked.session, lastId(frames))
  t.match(framesOf(end.frames, 'tool_result').map(({ data }) => data.status), ['succeeded'])
  t.same([await countOf(web), await timesScaled(steward, web, 4)], [4, 1])
})

t.test('tasks that come and go do not invalidate an approval', async (t) => {
  const asked = await askToScale(steward, [[web, 3]])
  await steer(app).advance(600_000)
  t.equal((await confirm(app, { ...asked.decision, approved: true })).statusCode, 200)
  await follow(app, asked.session, asked.after)
  t.equal(await countOf(web), 3)
})

t.test('only the digest of a plan that was shown can be approved', async (t) => {
  const asked = await askToScale(steward, [[search, 7]])
  const id = asked.decision.confirmation_id
  const edited = { service: search, desired_count: 0 }
  const plan = (await planEdit(app, id, edited)).json()
  const before = String(await countOf(search))
  t.match(plan, {
    arguments: edited,
    target: { kind: 'ecs_service', id: search },
    risk: 'high',
    preview: [{ label: 'Desired count', before, after: '0' }],
    facts: { desired_count: Number(before) }
  })
  const guessed = await confirm(app, { ...asked.decision, approved: true, input_digest: `sha256:${'0'.repeat(64)}` })
  t.match([guessed.statusCode, guessed.json()], [409, { code: 'stale_preview' }])
  const other = { ...asked.decision, approved: true, arguments: { ...edited, desired_count: Number(before) + 2 } }
  const swapped = await confirm(app, { ...other, input_digest: plan.input_digest })
  t.match([swapped.statusCode, swapped.json()],
    [409, { code: 'plan_required', plan: { arguments: { desired_count: Number(before) + 2 } } }])
  const same = await planEdit(app, id, { ...edited, desired_count: Number(before) })
  t.match([same.statusCode, same.json()], [409, { code: 'unchanged' }], 'an edit that changes nothing is refused as that')
  t.match(await read(app, `/api/v1/agent/confirmations/${id}`), { status: 'pending' })
  const lost = await confirm(app, { ...asked.decision, approved: true, input_digest: plan.input_digest })
  t.match([lost.statusCode, lost.json()], [409, { code: 'stale_preview' }], 'it is the plan shown last')
  const again = (await planEdit(app, id, edited)).json()
  t.equal(again.input_digest, plan.input_digest)
  t.equal((await confirm(app, { ...asked.decision, approved: true, input_digest: again.input_digest })).statusCode, 200)
  await follow(app, asked.session, asked.after)
  t.same([await countOf(search), await timesScaled(steward, search, 7)], [0, 0])
  t.match(await read(app, `/api/v1/agent/confirmations/${id}`), {
    status: 'approved',
    summary: /to 0$/,
    arguments: edited,
    proposed: { summary: /to 7$/, arguments: { desired_count: 7 }, preview: [{ before, after: '7' }] }
  }, 'the record has what was asked and what was approved')
})

t.test('an edit whose state changes after its plan is not carried out', async (t) => {
  await scale(search, 2)
  const asked = await askToScale(steward, [[search, 8]])
  const plan = (await planEdit(app, asked.decision.confirmation_id, { service: search, desired_count: 5 })).json()
  await scale(search, 30)
  const decided = await confirm(app, { ...asked.decision, approved: true, input_digest: plan.input_digest })
  t.match([decided.statusCode, decided.json()], [409, {
    code: 'plan_required', plan: { preview: [{ before: '30', after: '5' }] }
  }])
  t.equal(await countOf(search), 30)
  t.match(await read(app, `/api/v1/agent/confirmations/${asked.decision.confirmation_id}`), { status: 'pending' })
  await confirm(app, { ...asked.decision, approved: false })
  await follow(app, asked.session, asked.after)
})

t.test('a target that is gone is reported with its cause, and nothing is decided', async (t) => {
  const made = await post('/account/projects', { name: 'Soon gone' })
  const call = await post('/api/v1/agent/tool-calls', {
    name: 'updateProject', arguments: { project_id: made.id, name: 'Later' }
  })
  await app.db.deleteFrom('account_project').where('id', '=', made.id).execute()
  const { session_id, confirmation } = call
  const decision = { session_id, confirmation_id: confirmation.id }
  const answer = await confirm(app, { ...decision, approved: true })
  t.match([answer.statusCode, answer.json()], [409, {
    code: 'state_changed', confirmation: null, cause: { code: 'not_found', status: 404 }
  }])
  t.match(await read(app, `/api/v1/agent/confirmations/${confirmation.id}`), { status: 'pending' })
  t.equal((await confirm(app, { ...decision, approved: false })).statusCode, 200, 'it can be rejected')
})

t.test('a source that does not answer decides nothing', async (t) => {
  const asked = await askToScale(steward, [[web, 9]])
  await steer(app).fault({ kind: 'error_500', service: 'ecs', times: 20 })
  const answer = await confirm(app, { ...asked.decision, approved: true })
  t.match([answer.statusCode, answer.json()], [503, { code: 'plan_unavailable', detail: /^Nothing was decided/ }])
  t.type(answer.headers['retry-after'], 'string')
  await steer(app).clear()
  t.equal((await confirm(app, { ...asked.decision, approved: true })).statusCode, 200)
  await follow(app, asked.session, asked.after)
  t.equal(await countOf(web), 9)
})

t.test('two writes of a turn to one target are asked in turn, on the state that the first left', async (t) => {
  const { id } = await post('/account/projects', { name: 'Twice', description: 'Zero' })
  const change = (description: string) =>
    ({ type: 'tool_use' as const, name: 'updateProject', input: { project_id: id, description } })
  const turn: Turn = { content: [change('One'), change('Two')] }
  const message = scripted(anthropic, [turn, say('Both done.')])
  const reply = await chat(app, { message })
  const [first, ...others] = askedIn(reply.frames)
  t.match([first?.data.preview, others], [[{ before: 'Zero', after: 'One' }], []], 'one question')
  t.equal(framesOf(reply.frames, 'tool_call').filter(({ data }) => data.status === 'awaiting_confirmation').length, 2)
  const { session_id, confirmation_id } = first ?? {}
  t.equal((await confirm(app, { session_id, confirmation_id, approved: true })).statusCode, 200)
  const { frames } = await follow(app, reply.session, lastId(reply.frames))
  const [second] = askedIn(frames)
  t.match(second?.data.preview, [{ before: 'One', after: 'Two' }], 'the second one on what the first one left')
  await confirm(app, { session_id, confirmation_id: second?.confirmation_id, approved: true })
  const end = await follow(app, reply.session, lastId(frames))
  t.match(end.frames.at(-1)?.data, { status: 'completed' })
  t.equal((await read(app, `/account/projects/${id}`)).description, 'Two')
  t.same(sentToModel(steward, message).results?.map(({ is_error }) => is_error), [undefined, undefined])
})

t.test('a write that cannot be planned before another is done waits for it', async (t) => {
  const name = 'Made in the same turn'
  const older = await post('/account/projects', { name })
  const turn: Turn = {
    content: [
      { type: 'tool_use', name: 'archiveProject', input: { project_id: older.id } },
      { type: 'tool_use', name: 'updateProject', input: { project_id: '01900000-0000-7000-8000-000000000009', name } }
    ]
  }
  const message = scripted(anthropic, [turn, say('One of them.')])
  const reply = await chat(app, { message })
  const [first, ...others] = askedIn(reply.frames)
  t.equal(others.length, 0)
  t.same(framesOf(reply.frames, 'tool_result'), [], 'the second has not failed yet')
  const { session_id, confirmation_id } = first ?? {}
  await confirm(app, { session_id, confirmation_id, approved: true })
  const { frames } = await follow(app, reply.session, lastId(reply.frames))
  t.match(framesOf(frames, 'tool_result').map(({ data }) => [data.name, data.status]),
    [['archiveProject', 'succeeded'], ['updateProject', 'failed']])
  t.match(frames.at(-1)?.data, { status: 'completed' })
})

t.test('a dry run needs no approval, whoever proposes it', async (t) => {
  const args = { service: web, image: 'registry/web:9', dry_run: true }
  const turn: Turn = { content: [{ type: 'tool_use', name: 'deployService', input: args }] }
  const reply = await chat(app, { message: scripted(anthropic, [turn, say('That is the plan.')]) })
  t.same(askedIn(reply.frames), [])
  t.match(framesOf(reply.frames, 'tool_result')[0]?.data, { status: 'succeeded', result: { dry_run: true } })
  const call = await post('/api/v1/agent/tool-calls', { name: 'deployService', arguments: args })
  t.equal(call.confirmation, null)
  const ended = await until(async () => {
    const now = await read(app, `/api/v1/agent/tool-calls/${call.tool_call_id}`)
    return now.finished_at !== null && now
  })
  t.match(ended, { status: 'succeeded', effect: 'read', result: { dry_run: true } })
})

t.test('a rule that forbids a service holds by its id, its name, its ARN and its cluster', async (t) => {
  const arn = 'arn:aws:ecs:eu-west-1:123456789012:service/prod/web'
  const prefer = (payload: object) => post('/api/v1/agent/memory/preferences', payload)
  for (const rule of [web, 'web', arn, 'prod/web', encodeURIComponent(arn)]) {
    await prefer({ set: [{ key: 'never', kind: 'forbid', value: { service: rule }, applies_to: ['scaleService'] }] })
    for (const spelled of [web, 'web', arn, 'prod/web']) {
      const payload = { name: 'scaleService', arguments: { service: spelled, desired_count: 6 } }
      const answer = await app.inject({ method: 'POST', url: '/api/v1/agent/tool-calls', headers: asAdmin, payload })
      t.match([answer.statusCode, answer.json()], [422, { cause: { code: 'forbidden_by_preference' } }],
        `${rule} against ${spelled}`)
    }
    const other = { name: 'scaleService', arguments: { service: search, desired_count: 6 } }
    t.type((await post('/api/v1/agent/tool-calls', other)).tool_call_id, 'string')
  }
  await prefer({ remove: ['never'] })
})

t.test('a rule made while a call waits keeps it from running', async (t) => {
  const asked = await askToScale(steward, [[web, 11]])
  const forbid = { key: 'frozen', kind: 'forbid', value: {}, applies_to: ['scaleService'] }
  await post('/api/v1/agent/memory/preferences', { set: [forbid] })
  await confirm(app, { ...asked.decision, approved: true })
  const { frames } = await follow(app, asked.session, asked.after)
  t.match(framesOf(frames, 'tool_result')[0]?.data, { status: 'failed', result: { code: 'forbidden_by_preference' } })
  t.equal(await timesScaled(steward, web, 11), 0)
  await post('/api/v1/agent/memory/preferences', { remove: ['frozen'] })
})

t.test('the questions of one session are listed with what became of them, and of no other', async (t) => {
  const [one, other] = [await askToScale(steward, [[web, 13]]), await askToScale(steward, [[search, 13]])]
  await confirm(app, { ...one.decision, approved: false })
  const list = async (query: string) => (await read(app, `/api/v1/agent/confirmations?${query}`)).items
    .map(({ id, status }: { id: string, status: string }) => [id, status])
  const [mine, others] = [`session_id=${one.session}`, `session_id=${other.session}`]
  t.same(await list(`${mine}&status=all`), [[one.decision.confirmation_id, 'rejected']])
  t.same(await list(mine), [])
  t.same(await list(others), [[other.decision.confirmation_id, 'pending']])
  await confirm(app, { ...other.decision, approved: false })
})
