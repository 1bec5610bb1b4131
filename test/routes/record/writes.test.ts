import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { chat, framesOf, scripted, startChatApp } from '../../chat.js'
import { say, serviceId, wantsToScale } from '../../flows/asking.js'
import {
  decideAs, endOf, makeGroup, makePeople, proposeProject, requireApprovals, type Person
} from '../../flows/voting.js'
import { enablePolicies } from '../../policies.js'

/** The record by writes: one for each, whatever it has of entries. */
const steward = await startChatApp(t)
const { app, anthropic } = steward
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]
const admin = app.home.admin_id
const group = await makeGroup(app, 'Operations', [bea])

/** A write of Ada's that Bea has to decide. */
const propose = async (name: string) => {
  const call = await proposeProject(app, ada.headers, name)
  await requireApprovals(app, call.confirmation.id, { approvals: 1, groups: [group], exclude_requester: true })
  return call
}

const list = async (query: Record<string, string> = {}, headers = asAdmin) =>
  (await app.inject({ url: '/account/audit/writes', query, headers })).json()
const first = async (query: Record<string, string> = {}) => (await list({ limit: '1', ...query })).items[0]

t.test('a write that was asked for is one, with who asked, who decided and how it ended', async (t) => {
  const call = await propose('Harbour')
  await decideAs(app, bea, call, true, { reason: 'Fine' })
  await endOf(app, ada.headers, call)
  const write = await first()
  t.match(write, {
    write_id: call.tool_call_id,
    operation: 'createProject',
    summary: /Harbour/,
    user_id: ada.id,
    outcome: 'succeeded',
    decided_by: null,
    steps: [
      { kind: 'asked', outcome: 'pending', user_id: ada.id, reason: null },
      { kind: 'decided', outcome: 'approved', user_id: bea.id, reason: 'Fine' },
      { kind: 'sent', outcome: 'sent', user_id: ada.id },
      { kind: 'ended', outcome: 'succeeded', status: 201 }
    ]
  })
  t.equal(write.steps.length, 4, 'the request that Steward made of itself is none')
  t.ok(write.began_at < write.at)
})

t.test('filters are met by any entry of a write: who decided, and how it ended', async (t) => {
  const call = await propose('Pier')
  await decideAs(app, bea, call, false, { changes: 'Call it Quay' })
  const ids = async (query: Record<string, string>): Promise<string[]> =>
    (await list(query)).items.map(({ write_id: id }: { write_id: string }) => id)
  t.same(await ids({ user_id: bea.id, outcome: 'rejected' }), [call.tool_call_id])
  t.same(await ids({ user_id: ada.id, outcome: 'rejected', q: 'pier' }), [call.tool_call_id])
  t.same(await ids({ user_id: ada.id, outcome: 'failed' }), [])
  t.same(await ids({ q: 'pier', until: '2020-01-01T00:00:00Z' }), [])
  t.match((await first({ outcome: 'rejected' })).steps[1], { outcome: 'rejected', reason: 'Call it Quay' })
})

t.test('a request of a person is one, also a refused one; pages follow each other without a gap', async (t) => {
  const post = (payload: object) => app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload })
  t.equal((await post({ name: 'Quay' })).statusCode, 201)
  t.equal((await post({ name: 'Quay' })).statusCode, 409)
  const page = await list({ limit: '1', operation: 'createProject' })
  t.match(page.items, [{
    summary: null, user_id: admin, outcome: 'project_name_taken', steps: [{ kind: 'direct', status: 409 }]
  }])
  const next = await list({ limit: '1', operation: 'createProject', cursor: page.next_cursor })
  t.match(next.items, [{ operation: 'createProject', outcome: 'succeeded', steps: [{ kind: 'direct' }] }])
  t.not(next.items[0].write_id, page.items[0].write_id)
})

t.test('what a policy let run unasked names it', async (t) => {
  const web = await serviceId(app, 'web')
  const version = await enablePolicies(app, `@id("small")@outcome("run")
    permit (principal, action == Action::"scaleService", resource);`)
  const { frames } = await chat(app, { message: scripted(anthropic, [wantsToScale([web, 5]), say('Done.')]) })
  const [call] = framesOf(frames, 'tool_call')
  t.match(await first({ operation: 'scaleService' }), {
    write_id: String(call?.data.tool_call_id),
    decided_by: `policy:v${version}:small`,
    outcome: 'succeeded',
    steps: [{ kind: 'sent' }, { kind: 'ended' }]
  })
  await enablePolicies(app, '')
})

t.test('only admins read it', async (t) => {
  const answer = await app.inject({ url: '/account/audit/writes', headers: ada.headers })
  t.equal(answer.statusCode, 403)
})
