import t from '../tap.js'
import type { Confirmation } from '../../schemas/agent/confirmations.js'
import { asAdmin } from '../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, until } from '../chat.js'
import { makeToken } from '../routes/account/actors.js'
import { askedIn, lastId, read, say, sentToModel, serviceId, wantsToScale } from './asking.js'
import { countProjects, decideAs, endOf, makePeople, proposeProject, requireApprovals, type Person } from './voting.js'

const steward = await startChatApp(t, { LIMITS: '{"live_runs_per_user":50,"requests_per_minute":100000}' })
const { app, anthropic } = steward
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]
const create = (name: string) => ({ content: [{ type: 'tool_use' as const, name: 'createProject', input: { name } }] })

t.test('the words go to the model, which proposes again, on the same thread', async (t) => {
  const message = scripted(anthropic, [create('Harbor'), create('Harbour'), say('Done.')])
  const reply = await chat(app, { message }, ada.headers)
  const [first] = askedIn(reply.frames)
  const decision = { session_id: reply.session, confirmation_id: first?.confirmation_id }
  t.match((await confirm(app, { ...decision, approved: true, changes: 'More' }, ada.headers)).json(),
    { status: 400, code: 'invalid_request' })
  const changes = 'Write it in British English'
  t.match((await confirm(app, { ...decision, approved: false, changes }, ada.headers)).json(), { status: 'rejected' })
  const second = await until(async () => {
    const { items } = await read(app, `/api/v1/agent/confirmations?session_id=${reply.session}`, ada.headers)
    return items[0]
  })
  t.match(String(sentToModel(steward, message).results?.[0]?.content), /propose it again with them: Write it in British/)
  await confirm(app, { session_id: reply.session, confirmation_id: second.id, approved: true }, ada.headers)
  const { frames } = await follow(app, reply.session, lastId(reply.frames), ada.headers)
  t.equal(askedIn(frames)[0]?.data.thread_id, first?.confirmation_id)
  t.match(framesOf(frames, 'tool_result').map(({ data }) => data), [
    { status: 'rejected', result: { code: 'changes_requested', changes } }, { status: 'succeeded' }
  ])
  t.same([await countProjects(app, 'Harbor'), await countProjects(app, 'Harbour')], [0, 1])
  const thread = await read(app, `/api/v1/agent/confirmations/${second.id}/thread`, ada.headers)
  t.match(thread, {
    items: [
      { id: first?.confirmation_id, status: 'rejected', changes, reason: null, arguments: { name: 'Harbor' } },
      { id: second.id, status: 'approved', changes: null, arguments: { name: 'Harbour' } }
    ],
    next_cursor: null
  })
})

t.test('a plan that is sent back whole goes on in the thread of each target, in whatever order', async (t) => {
  const [web, search] = [await serviceId(app, 'web'), await serviceId(app, 'search')]
  const turns = [wantsToScale([web, 5], [search, 5]), wantsToScale([search, 4], [web, 4]), say('All right.')]
  const reply = await chat(app, { message: scripted(anthropic, turns) })
  const asked = askedIn(reply.frames)
  const [first = '', second] = asked.map(({ confirmation_id: id }) => id)
  const sentBack = await app.inject({
    method: 'POST',
    url: `/api/v1/agent/confirmations/${first}/steps`,
    headers: asAdmin,
    payload: { approved: false, changes: 'Fewer' }
  })
  t.equal(sentBack.statusCode, 200, sentBack.payload)
  const { items } = await until(async () => {
    const page = await read(app, `/api/v1/agent/confirmations?session_id=${reply.session}&status=pending`)
    return page.items.length === 2 ? page : undefined
  })
  const threads = items.map(({ id, summary, thread_id }: Confirmation) => ({ id, summary, thread_id }))
  t.match(threads.toSorted((one: Confirmation, other: Confirmation) => one.summary < other.summary ? -1 : 1), [
    { summary: /service search .* to 4/, thread_id: second }, { summary: /service web .* to 4/, thread_id: first }
  ])
  await chat(app, { message: scripted(anthropic, [say('Stopped.')]), session_id: reply.session })
})

t.test('a client reads the words as the outcome of its call, and goes on with the thread', async (t) => {
  const { headers } = await makeToken(app, ada.headers, ['agent:read', 'agent:write', 'account:read', 'account:write'])
  const call = await proposeProject(app, headers, 'Short')
  await requireApprovals(app, call.confirmation.id, { exclude_requester: true })
  const follows = { follows: call.confirmation.id }
  await t.rejects(proposeProject(app, headers, 'Too soon', follows), /confirmation_not_found/)
  await decideAs(app, bea, call, false, { changes: 'A longer name' })
  t.match(await endOf(app, headers, call), {
    status: 'rejected', result: { code: 'changes_requested', changes: 'A longer name' }
  })
  const next = await proposeProject(app, headers, 'A longer name', follows)
  t.equal(next.confirmation.thread_id, call.confirmation.id)
  await decideAs(app, ada, next, false)
})
