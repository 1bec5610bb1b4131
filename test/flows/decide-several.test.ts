import t from '../tap.js'
import { asAdmin } from '../app.js'
import { chat, scripted, startChatApp } from '../chat.js'
import { askedIn, read, say, serviceId } from './asking.js'
import {
  countProjects, decideAs, endOf, makeGroup, makePeople, proposeProject, requireApprovals, type Headers, type Person,
  type Proposed
} from './voting.js'

const steward = await startChatApp(t, {
  LIMITS: '{"live_runs_per_user":50,"waiting_tool_calls_per_user":100,"requests_per_minute":100000}'
})
const { app, anthropic } = steward
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]
const group = await makeGroup(app, 'Operations', [bea])
const decisionOf = ({ session_id, confirmation }: Proposed, approved = true) =>
  ({ session_id, confirmation_id: confirmation.id, input_digest: confirmation.input_digest, approved })
const decideAll = (headers: Headers, decisions: object[]) => app.inject({
  method: 'POST', url: '/api/v1/agent/confirmations/decide', headers, payload: { decisions }
})
const inbox = async (query: string, headers: Headers) => read(app, `/api/v1/agent/confirmations?${query}`, headers)
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

t.test('what one turn asks is listed in its order, and decided together, each for itself', async (t) => {
  const names = ['One', 'Two', 'Three']
  const message = scripted(anthropic, [{
    content: names.map((name) => ({ type: 'tool_use' as const, name: 'createProject', input: { name } }))
  }, say('Done.')])
  const reply = await chat(app, { message }, ada.headers)
  const asked = askedIn(reply.frames)
  const page = await inbox(`run_id=${reply.run}&limit=2`, ada.headers)
  t.same(page.items.map((item: { arguments: object }) => item.arguments), [{ name: 'One' }, { name: 'Two' }])
  const rest = await inbox(`run_id=${reply.run}&limit=2&cursor=${page.next_cursor}`, ada.headers)
  t.match(rest, { items: [{ arguments: { name: 'Three' } }], next_cursor: null })
  const [one, two, three] = asked.map(({ session_id, confirmation_id, input_digest }) =>
    ({ session_id, confirmation_id, input_digest, approved: true })) as [object, object, object]
  const other = { ...two, input_digest: 'sha256:other' }
  const answer = await decideAll(ada.headers, [one, other, { ...three, approved: false }])
  t.equal(answer.statusCode, 200)
  t.match(answer.json().items, [
    { result: { status: 'approved' }, problem: null },
    { result: null, problem: { status: 409, code: 'stale_preview' } },
    { result: { status: 'rejected' }, problem: null }
  ])
  t.match((await decideAll(ada.headers, [one, two])).json().items, [
    { result: { status: 'approved', already_decided: true } },
    { result: { status: 'approved', already_decided: false } }
  ])
})

t.test('among several, high risk is not approved, and stays pending', async (t) => {
  const service = await serviceId(app, 'web')
  const payload = { name: 'scaleService', arguments: { service, desired_count: 0 } }
  const high: Proposed = (await app.inject({
    method: 'POST', url: '/api/v1/agent/tool-calls', headers: asAdmin, payload
  })).json()
  const low = await proposeProject(app, asAdmin, 'Among several')
  t.match(high.confirmation, { risk: 'high' })
  const answer = await decideAll(asAdmin, [decisionOf(high), decisionOf(low)])
  t.match(answer.json().items, [
    { result: null, problem: { status: 409, code: 'high_risk_alone' } }, { result: { status: 'approved' } }
  ])
  t.match((await read(app, `/api/v1/agent/confirmations/${high.confirmation.id}`)), { status: 'pending', votes: [] })
  t.match(await endOf(app, asAdmin, low), { status: 'succeeded' })
  const foreign = await decideAll(bea.headers, [decisionOf(high), decisionOf(low)])
  t.match(foreign.json().items, [{ problem: { code: 'confirmation_not_found' } }, { problem: { status: 404 } }],
    'others learn nothing of it')
  t.match((await decideAll(asAdmin, [decisionOf(high, false)])).json().items, [{ result: { status: 'rejected' } }])
})

t.test('the inbox shows what I may decide, what waits for others, and what was decided', async (t) => {
  const mine = await proposeProject(app, bea.headers, 'My own')
  const theirs = await proposeProject(app, ada.headers, 'For Bea')
  const ordinary = await proposeProject(app, ada.headers, 'For Ada')
  await requireApprovals(app, theirs.confirmation.id, { groups: [group], exclude_requester: true })
  const all = [ordinary, theirs, mine].map(({ confirmation: { id } }) => id)
  const [forAda, forBea, ofBea] = all
  t.same(idsOf(await inbox('', bea.headers)), [ofBea], 'by default what I asked')
  t.same(idsOf(await inbox('view=to_decide', bea.headers)), [forBea, ofBea])
  t.same(idsOf(await inbox('view=to_decide&limit=1', bea.headers)), [forBea])
  const { next_cursor: cursor } = await inbox('view=to_decide&limit=1', bea.headers)
  t.same(idsOf(await inbox(`view=to_decide&limit=1&cursor=${cursor}`, bea.headers)), [ofBea])
  t.same(idsOf(await inbox('view=waiting', ada.headers)), [forBea])
  t.same(idsOf(await inbox('view=to_decide', ada.headers)), [forAda])
  t.same(idsOf(await inbox('view=workspace', bea.headers)), [forBea, ofBea])
  t.same(idsOf(await inbox('view=workspace&q=FOR%20BEA', bea.headers)), [forBea])
  t.same(idsOf(await inbox('view=workspace&tool=scaleService', bea.headers)), [])
  t.same(idsOf(await inbox(`view=workspace&requested_by=${ada.id}`, bea.headers)), [forBea])
  await decideAs(app, bea, theirs, true)
  await endOf(app, ada.headers, theirs)
  const decided = await inbox(`view=workspace&status=decided&decided_by=${bea.id}`, ada.headers)
  t.match(decided, { items: [{ id: forBea, votes: [{ person: { name: 'Bea' } }], decided_by: { name: 'Bea' } }] })
  t.equal(await countProjects(app, 'For Bea'), 1)
  for (const [person, call] of [[bea, mine], [ada, ordinary]] as const) await decideAs(app, person, call, false)
})
