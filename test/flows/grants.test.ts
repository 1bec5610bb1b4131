import t from '../tap.js'
import { asAdmin } from '../app.js'
import { chat, confirm, follow, framesOf, scripted, startChatApp, type Turn } from '../chat.js'
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

/** Approves a question that scales a service, and lets its run end. */
const approveScaling = async (service: string, count: number) => {
  const asked = await askToScale(steward, [[service, count]])
  await confirm(app, { ...asked.decision, approved: true })
  await follow(app, asked.session, asked.after)
  return { session: asked.session, confirmation: asked.decision.confirmation_id }
}

const goOn = async (session: string, turns: Turn[]) => {
  const message = scripted(anthropic, [...turns, say('Done.')])
  return chat(app, { message, session_id: session })
}

t.test('after an approval the same tool runs on the same target for a time, and says under which grant', async (t) => {
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
    live: true,
    tainted: false,
    uses: 0,
    created_at: '<time>',
    expires_at: '<time>',
    ended_at: null
  }])
  t.equal(Date.parse(grant.expires_at) - Date.parse(grant.created_at) > 29 * 60_000, true)
  const used = await goOn(session, [wantsToScale([web, 4])])
  t.same([askedIn(used.frames).length, await timesScaled(steward, web, 4)], [0, 1])
  t.match(framesOf(used.frames, 'tool_call')[0]?.data, {
    status: 'running', unasked: { decided_by: `grant:${grant.id}`, summary: /from 3 to 4$/ }
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
  const { frames } = await goOn(session, [wantsToScale([web, 7])])
  t.same([askedIn(frames).length, await timesScaled(steward, web, 7)], [1, 0])
})

t.test('foreign text ends a grant for good', async (t) => {
  const { session, confirmation } = await approveScaling(web, 8)
  const { id } = (await give(confirmation)).json()
  const { frames } = await goOn(session, [readsLogs, wantsToScale([web, 9])])
  const [asked] = askedIn(frames)
  t.equal(await timesScaled(steward, web, 9), 0)
  t.match((await read(app, url)).items.find((item: { id: string }) => item.id === id), { live: false, tainted: true })
  await confirm(app, { session_id: session, confirmation_id: asked?.confirmation_id, approved: true })
  await follow(app, session, lastId(frames))
  const next = await goOn(session, [wantsToScale([web, 3])])
  t.equal(askedIn(next.frames).length, 1, 'a later decision does not bring it back')
})

t.test('an expired grant holds no more', async (t) => {
  const { session, confirmation } = await approveScaling(web, 10)
  const { id } = (await give(confirmation, 1)).json()
  await app.db.updateTable('agent_grant').set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', id).execute()
  const { frames } = await goOn(session, [wantsToScale([web, 11])])
  t.same([askedIn(frames).length, await timesScaled(steward, web, 11)], [1, 0])
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
  await policy('@outcome("approve")@approvals("2")')
  const two = await goOn(session, [wantsToScale([web, 14])])
  t.same([askedIn(two.frames).length, await timesScaled(steward, web, 14)], [1, 0])
  await policy('@outcome("approve")@exclude_requester("true")')
  const others = await goOn(session, [wantsToScale([web, 15])])
  t.same([askedIn(others.frames).length, await timesScaled(steward, web, 15)], [1, 0])
  await policy('', 'forbid')
  const forbidden = await goOn(session, [wantsToScale([web, 16])])
  t.match(framesOf(forbidden.frames, 'tool_result').at(-1)?.data, { result: { code: 'forbidden_by_policy' } })
  await policy('@outcome("approve")')
  const one = await goOn(session, [wantsToScale([web, 17])])
  t.same([askedIn(one.frames).length, await timesScaled(steward, web, 17)], [0, 1])
})
