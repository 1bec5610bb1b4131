import { ECSClient, UpdateServiceCommand } from '@aws-sdk/client-ecs'
import t from '../tap.js'
import { SANDBOX_CREDENTIALS } from '../../packages/sandbox/src/aws/constants.js'
import { asAdmin } from '../app.js'
import { approveEdited, chat, confirm, follow, framesOf, scripted, startChatApp, type Turn } from '../chat.js'
import { enablePolicies } from '../policies.js'
import { makePerson, makeToken, problemOf } from '../routes/account/actors.js'
import { askToScale, askedIn, lastId, marked, read, say, serviceId, timesScaled, wantsToScale } from './asking.js'

const steward = await startChatApp(t, { LIMITS: JSON.stringify({ live_runs_per_user: 50 }) })
const { app, anthropic } = steward
const web = await serviceId(app, 'web')
const search = await serviceId(app, 'search')
const url = '/api/v1/agent/grants'

const give = (confirmation_id: string, minutes = 30, headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'POST', url, headers, payload: { confirmation_id, minutes } })
const revoke = (id: string, headers: Record<string, string> = asAdmin) =>
  app.inject({ method: 'DELETE', url: `${url}/${id}`, headers })
const readsLogs: Turn = { content: [{ type: 'tool_use', name: 'getServiceLogs', input: { service: web } }] }

const elsewhere = new ECSClient({
  region: 'eu-west-1', endpoint: steward.aws, credentials: SANDBOX_CREDENTIALS
})
t.teardown(() => elsewhere.destroy())

/** Another actor scales through the provider itself. */
const scaleElsewhere = (service: string, desiredCount: number) =>
  elsewhere.send(new UpdateServiceCommand({ cluster: 'prod', service: service.split('~').at(-1), desiredCount }))

/** Approves a question that scales a service from 2, and lets its run end. */
const approveScaling = async (service: string, count: number, edited?: number) => {
  await scaleElsewhere(service, 2)
  const asked = await askToScale(steward, [[service, count]])
  if (edited === undefined) await confirm(app, { ...asked.decision, approved: true })
  else await approveEdited(app, asked.decision, { service, desired_count: edited })
  await follow(app, asked.session, asked.after)
  return { session: asked.session, confirmation: asked.decision.confirmation_id }
}

const goOn = async (session: string, turns: Turn[]) => {
  const message = scripted(anthropic, [...turns, say('Done.')])
  return chat(app, { message, session_id: session })
}

/** The same write is wanted again, on the state on which it was approved. @returns how often it was asked and done */
const repeat = async (session: string, service: string, count: number, ...before: Turn[]) => {
  await scaleElsewhere(service, 2)
  const done = await timesScaled(steward, service, count)
  const { frames } = await goOn(session, [...before, wantsToScale([service, count])])
  return { frames, times: [askedIn(frames).length, await timesScaled(steward, service, count) - done] }
}

t.test('after an approval the same write runs again for a time, and says under which grant', async (t) => {
  const { session, confirmation } = await approveScaling(web, 3)
  const given = await give(confirmation)
  const grant = given.json()
  t.same([given.statusCode, marked(grant, { web, session, confirmation })], [201, {
    id: '<id>',
    session_id: '<session>',
    confirmation_id: '<confirmation>',
    tool: 'scaleService',
    target: {
      kind: 'ecs_service',
      id: '<web>',
      within: { cloud_account: '<id>', region: 'eu-west-1', cluster: '<id>~eu-west-1~prod' },
      names: ['arn:aws:ecs:eu-west-1:123456789012:service/prod/web', 'web', 'prod/web']
    },
    summary: 'Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 3',
    bounds: {
      arguments: [{ name: 'service', equals: '<web>' }, { name: 'desired_count', minimum: 3, maximum: 3 }],
      changes: [{ label: 'Desired count', before: '2', after: '3' }],
      risk: 'medium'
    },
    live: true,
    tainted: false,
    uses: 0,
    created_at: '<time>',
    expires_at: '<time>',
    ended_at: null
  }])
  t.equal(Date.parse(grant.expires_at) - Date.parse(grant.created_at) > 29 * 60_000, true)
  const used = await repeat(session, web, 3)
  t.same(used.times, [0, 1])
  t.match(framesOf(used.frames, 'tool_call')[0]?.data, {
    status: 'running', unasked: { decided_by: `grant:${grant.id}`, summary: /from 2 to 3$/ }
  })
  t.match((await read(app, url)).items, [{ id: grant.id, uses: 1, live: true }])
  const other = await goOn(session, [wantsToScale([search, 4])])
  t.equal(askedIn(other.frames).length, 1, 'another target is asked about')
  const elsewhere = await askToScale(steward, [[web, 5]])
  t.equal(elsewhere.asked.length, 1, 'another conversation asks')
})

t.test('a revoked grant holds no more', async (t) => {
  const { session, confirmation } = await approveScaling(web, 6)
  const { id } = (await give(confirmation)).json()
  const other = await makePerson(app, 'Other', 'member')
  t.equal((await revoke(id, other.headers)).json().code, 'grant_not_found')
  t.match((await revoke(id)).json(), { id, live: false })
  t.same((await repeat(session, web, 6)).times, [1, 0])
})

t.test('foreign text ends a grant for good', async (t) => {
  const { session, confirmation } = await approveScaling(web, 8)
  const { id } = (await give(confirmation)).json()
  const { frames, times } = await repeat(session, web, 8, readsLogs)
  const [asked] = askedIn(frames)
  t.same(times, [1, 0])
  t.match((await read(app, url)).items.find((item: { id: string }) => item.id === id), { live: false, tainted: true })
  await confirm(app, { session_id: session, confirmation_id: asked?.confirmation_id, approved: true })
  await follow(app, session, lastId(frames))
  t.same((await repeat(session, web, 8)).times, [1, 0], 'a later decision does not bring it back')
})

t.test('an expired grant holds no more, nor one of the release before, which says no bounds', async (t) => {
  const { session, confirmation } = await approveScaling(web, 10)
  const { id } = (await give(confirmation, 1)).json()
  const set = (change: object) => app.db.updateTable('agent_grant').set(change).where('id', '=', id).execute()
  await set({ bounds: null })
  t.same((await repeat(session, web, 10)).times, [1, 0])
  const other = await approveScaling(web, 11)
  const short = (await give(other.confirmation, 1)).json()
  await app.db.updateTable('agent_grant').set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', short.id).execute()
  t.same((await repeat(other.session, web, 11)).times, [1, 0])
})

t.test('a grant covers what its card displayed and nothing else: no other value, no other state', async (t) => {
  const { session, confirmation } = await approveScaling(web, 5)
  await give(confirmation)
  for (const count of [45, 4, 6]) t.same((await repeat(session, web, count)).times, [1, 0], `2 to ${count}`)
  await scaleElsewhere(web, 9)
  const moved = await goOn(session, [wantsToScale([web, 5])])
  t.same(askedIn(moved.frames).map(({ data }) => data.summary),
    ['Scale service web in cluster prod (eu-west-1, account Sandbox) from 9 to 5'])
})

t.test('an edited card grants what was edited; the call as it was proposed is asked again, with who changed it and how',
  async (t) => {
    const { session, confirmation } = await approveScaling(web, 8, 4)
    const grant = (await give(confirmation)).json()
    t.match(grant, { summary: /from 2 to 4$/, bounds: { arguments: [{}, { minimum: 4, maximum: 4 }] } })
    t.same((await repeat(session, web, 4)).times, [0, 1])
    const original = await repeat(session, web, 8)
    t.same(original.times, [1, 0])
    const [asked] = askedIn(original.frames)
    const { name } = (await read(app, '/account/me')).user
    t.same(asked?.data.preview, [{ label: 'Desired count', before: '2', after: '8' }, {
      label: 'Changed before',
      before: null,
      after: `${name} changed desired_count from 8 to 4 when this was asked before in this conversation`
    }])
  })

t.test('what a person had changed is asked also where a policy lets it run', async (t) => {
  const { session } = await approveScaling(search, 8, 4)
  await enablePolicies(app, '@outcome("run") permit (principal, action == Action::"scaleService", resource);')
  t.same((await repeat(session, search, 7)).times, [0, 1])
  t.same((await repeat(session, search, 8)).times, [1, 0])
  await enablePolicies(app, '@outcome("approve") permit (principal, action == Action::"scaleService", resource);')
})

t.test('a grant is given by who approved it, just now, below high risk', async (t) => {
  const waiting = await askToScale(steward, [[web, 12]])
  t.equal((await give(waiting.decision.confirmation_id)).json().code, 'confirmation_not_found', 'it waits')
  const { confirmation } = await approveScaling(search, 5)
  const other = await makePerson(app, 'Third', 'member')
  t.equal((await give(confirmation, 30, other.headers)).json().code, 'confirmation_not_found', 'of another person')
  t.equal((await give(confirmation, 61)).statusCode, 400)
  const assistant = await makeToken(app, asAdmin, ['agent:read', 'agent:write'], { assistant: true })
  t.match((await give(confirmation, 5, assistant.headers)).json().code, /assistant_token|insufficient_scope/)
  const set = (change: object) => app.db.updateTable('agent_confirmation').set(change).where('id', '=', confirmation)
    .execute()
  await set({ risk: 'high' })
  t.match(problemOf(await give(confirmation)),
    { code: 'grant_refused', detail: 'A write of high risk is approved each time' })
  await set({ risk: 'medium', decided_at: new Date(Date.now() - 11 * 60_000) })
  t.match(problemOf(await give(confirmation)), { detail: 'It was approved more than ten minutes ago' })
})

t.test('a grant does not hold where a policy forbids, or asks for more than its person', async (t) => {
  const { session, confirmation } = await approveScaling(web, 13)
  await give(confirmation)
  const policy = (annotations: string, effect = 'permit') =>
    enablePolicies(app, `${annotations} ${effect} (principal, action == Action::"scaleService", resource);`)
  const isAsked = async () => {
    const { frames, times } = await repeat(session, web, 13)
    t.same(times, [1, 0])
    const [asked] = framesOf(frames, 'confirmation_required')
    // What waits already is not asked again.
    await confirm(app, { session_id: session, confirmation_id: asked?.data.confirmation_id, approved: false })
    await follow(app, session)
  }
  await policy('@outcome("approve")@approvals("2")')
  await isAsked()
  await policy('@outcome("approve")@exclude_requester("true")')
  await isAsked()
  await policy('', 'forbid')
  const forbidden = await repeat(session, web, 13)
  t.match(framesOf(forbidden.frames, 'tool_result').at(-1)?.data, { result: { code: 'forbidden_by_policy' } })
  await policy('@outcome("approve")')
  t.same((await repeat(session, web, 13)).times, [0, 1])
})
