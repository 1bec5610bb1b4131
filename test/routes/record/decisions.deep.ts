import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { approveEdited, chat, framesOf, scripted, startChatApp } from '../../chat.js'
import { askToScale, askedIn, read, say, serviceId, wantsToScale } from '../../flows/asking.js'
import {
  decideAs, endOf, makeGroup, makePeople, proposeProject, requireApprovals, type Person
} from '../../flows/voting.js'
import { enablePolicies } from '../../policies.js'

/** What the record keeps of decisions that are more than one person's yes. */
const steward = await startChatApp(t, {
  LIMITS: '{"live_runs_per_user":50,"waiting_tool_calls_per_user":100,"requests_per_minute":100000}'
})
const { app, anthropic } = steward
const web = await serviceId(app, 'web')
const [ada, bea, cem] = await makePeople(app, ['Ada', 'Bea', 'Cem']) as [Person, Person, Person]
const operations = await makeGroup(app, 'Operations', [bea, cem])

interface Entry {
  kind: string
  outcome: string
  user_id: string | null
  body: Record<string, unknown> | null
}

/** @returns what the record says of a write, in its order, without the calls that it made of itself */
const recordOf = async (write: string): Promise<Entry[]> => {
  const { entries }: { entries: Entry[] } = await read(app, `/account/audit/writes/${write}`)
  return entries.filter(({ kind }) => kind !== 'direct')
}
const partsOf = (entries: Entry[]) => entries.map(({ kind, outcome, user_id: by }) => [kind, outcome, by])

t.test('each voter has an entry of their own, with what was still missing after it', async (t) => {
  const call = await proposeProject(app, ada.headers, 'Harbour')
  const requirement = { approvals: 2, groups: [operations], exclude_requester: true, policies: ['two-people'] }
  await requireApprovals(app, call.confirmation.id, requirement)
  t.equal((await decideAs(app, ada, call, true)).statusCode, 403)
  await decideAs(app, bea, call, true, { reason: 'Fine' })
  await decideAs(app, cem, call, true)
  await endOf(app, ada.headers, call)
  const entries = await recordOf(call.tool_call_id)
  t.same(partsOf(entries), [
    ['asked', 'pending', ada.id],
    ['decided', 'approved', bea.id],
    ['decided', 'approved', cem.id],
    ['sent', 'sent', ada.id],
    ['ended', 'succeeded', ada.id]
  ])
  const [, first, second, sent] = entries
  t.match(first?.body, { reason: 'Fine', on_behalf_of: null, question: { status: 'pending', missing: 1 } })
  t.match(second?.body, { reason: null, question: { status: 'approved', missing: 0 } })
  t.match(sent?.body, { requirement: { approvals: 2, groups: [operations], policies: ['two-people'] } })
})

t.test('an edited plan is recorded as it was asked, and as it was sent', async (t) => {
  const asked = await askToScale(steward, [[web, 8]])
  await approveEdited(app, asked.decision, { service: web, desired_count: 3 })
  const write = String(asked.first.data.tool_call_id)
  await app.inject({ url: `/api/v1/agent/tool-calls/${write}?wait_s=20`, headers: asAdmin })
  const [question, decision, sent, end] = await recordOf(write)
  t.match(question, { kind: 'asked', body: { plan: { arguments: { desired_count: 8 } } } })
  t.match(decision, { kind: 'decided', outcome: 'approved' })
  t.match(sent, { kind: 'sent', body: { arguments: { service: web, desired_count: 3 } } })
  t.match(end, { kind: 'ended', body: { result: { desired_count: 3 } } })
  t.not(sent?.body?.digest, (question?.body?.plan as { digest: string }).digest)
  t.equal(decision?.body?.digest, sent?.body?.digest, 'what was decided is what was sent')
})

t.test('what is decided as a list is recorded one by one, and what was refused of it as that', async (t) => {
  const calls = [await proposeProject(app, asAdmin, 'List one'), await proposeProject(app, asAdmin, 'List two')]
  const decisions = calls.map(({ session_id, confirmation: { id, input_digest } }, index) =>
    ({ session_id, confirmation_id: id, input_digest, approved: index === 0 }))
  const url = '/api/v1/agent/confirmations/decide'
  const answer = await app.inject({ method: 'POST', url, headers: asAdmin, payload: { decisions } })
  t.equal(answer.statusCode, 200)
  const outcomes = []
  for (const call of calls) {
    await endOf(app, asAdmin, call)
    outcomes.push((await recordOf(call.tool_call_id)).map(({ kind, outcome }) => `${kind} ${outcome}`))
  }
  t.same(outcomes, [
    ['asked pending', 'decided approved', 'sent sent', 'ended succeeded'],
    ['asked pending', 'decided rejected', 'ended rejected']
  ])
})

t.test('a plan of steps has an entry for each of its steps', async (t) => {
  const content = ['Step one', 'Step two'].map((name) =>
    ({ type: 'tool_use' as const, name: 'createProject', input: { name } }))
  const { frames } = await chat(app, { message: scripted(anthropic, [{ content }, say('Done.')]) })
  const asked = askedIn(frames)
  const url = `/api/v1/agent/confirmations/${asked[0]?.confirmation_id}/steps`
  const { input_digest } = await read(app, url)
  const answer = await app.inject({ method: 'POST', url, headers: asAdmin, payload: { approved: true, input_digest } })
  t.equal(answer.statusCode, 200, answer.payload)
  for (const { data: { tool_call_id: id } } of asked) {
    await app.inject({ url: `/api/v1/agent/tool-calls/${id}?wait_s=20`, headers: asAdmin })
    t.same((await recordOf(String(id))).map(({ kind, outcome }) => `${kind} ${outcome}`),
      ['asked pending', 'decided approved', 'sent sent', 'ended succeeded'])
  }
})

t.test('what a policy lets run unasked is recorded with the policy that decided it', async (t) => {
  const version = await enablePolicies(app, `@id("small")@outcome("run")
    permit (principal, action == Action::"scaleService", resource)
    when { context.args has desired_count && context.args.desired_count < 10 };`)
  const { frames } = await chat(app, { message: scripted(anthropic, [wantsToScale([web, 5]), say('Done.')]) })
  const [call] = framesOf(frames, 'tool_call')
  const entries = await recordOf(String(call?.data.tool_call_id))
  t.same(entries.map(({ kind, outcome }) => `${kind} ${outcome}`), ['sent sent', 'ended succeeded'])
  t.match(entries[0]?.body, { decided_by: `policy:v${version}:small`, arguments: { desired_count: 5 } })
  await enablePolicies(app, '')
})
