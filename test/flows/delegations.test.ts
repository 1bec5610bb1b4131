import { sql } from 'kysely'
import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { makePerson, makeToken } from '../routes/account/actors.js'
import {
  confirmationOf, countProjects, decideAs, endOf, makeGroup, makePeople, proposeProject, requireApprovals, type Headers,
  type Person
} from './voting.js'

const app = await buildApp(t, { LIMITS: '{"waiting_tool_calls_per_user":500,"requests_per_minute":100000}' })
const [ada, bea, cem, dan, eve] = await makePeople(app, ['Ada', 'Bea', 'Cem', 'Dan', 'Eve']) as
  [Person, Person, Person, Person, Person]
const operations = await makeGroup(app, 'Operations', [ada, bea, cem])
const twoOf = { approvals: 2, groups: [operations], exclude_requester: true }

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const post = (headers: Headers, payload: object) =>
  app.inject({ method: 'POST', url: '/account/delegations', headers, payload })
const end = (headers: Headers, id: string) =>
  app.inject({ method: 'DELETE', url: `/account/delegations/${id}`, headers })
const delegate = async (from: Person, to: Person) => {
  const answer = await post(from.headers, { to: to.id, until: inDays(3) })
  t.equal(answer.statusCode, 201, answer.payload)
  return answer.json()
}
const ask = async (name: string, requirement: Parameters<typeof requireApprovals>[2], by = ada) => {
  const call = await proposeProject(app, by.headers, name)
  await requireApprovals(app, call.confirmation.id, requirement)
  return call
}

t.test('a delegation names an active person who may approve, and ends within 30 days', async (t) => {
  const vic = await makePerson(app, 'Vic', 'viewer')
  const until = inDays(1)
  const missing = '01900000-0000-7000-8000-000000000000'
  for (const to of [ada.id, vic.id, missing]) {
    t.match((await post(ada.headers, { to, until })).json(), { status: 422, code: 'delegate_invalid' })
  }
  for (const other of [inDays(31), inDays(-1)]) {
    const refused = await post(ada.headers, { to: dan.id, until: other })
    t.match(refused.json(), { status: 422, code: 'delegation_too_long' })
  }
  t.equal((await post(vic.headers, { to: dan.id, until })).statusCode, 403)
  const token = await makeToken(app, ada.headers, ['account:write'])
  t.match((await post(token.headers, { to: dan.id, until })).json(), { code: 'insufficient_scope' })
  const made = await post(ada.headers, { to: dan.id, until })
  const shown = {
    id: made.json().id,
    from: { id: ada.id, name: 'Ada' },
    to: { id: dan.id, name: 'Dan' },
    until,
    revoked_at: null,
    created_at: made.json().created_at
  }
  t.same([made.statusCode, made.json()], [201, shown])
  const list = async (headers: Headers) => (await app.inject({ url: '/account/delegations', headers })).json().items
  t.same([await list(ada.headers), await list(dan.headers), await list(eve.headers)], [[shown], [shown], []])
  t.same(await list(asAdmin), [shown])
  t.equal((await end(dan.headers, shown.id)).statusCode, 404, 'whom it was given to does not end it')
  t.same([(await end(ada.headers, shown.id)).statusCode, (await end(ada.headers, shown.id)).statusCode], [204, 204])
  t.match(await list(ada.headers), [{ revoked_at: /Z$/ }])
})

t.test('a delegate counts as the one who is away, and one person is never two', async (t) => {
  const { id } = await delegate(bea, dan)
  const call = await ask('Away', twoOf)
  t.match(await confirmationOf(app, dan, call.confirmation.id), { may_approve: true })
  const first = await decideAs(app, dan, call, true)
  const votes = [{ person: { name: 'Dan' }, on_behalf_of: { name: 'Bea' } }]
  t.match(first.json(), { status: 'pending', missing: 1, votes })
  t.match((await decideAs(app, dan, call, true)).json(), { status: 'pending', already_decided: true, missing: 1 })
  t.match((await decideAs(app, bea, call, true)).json(), { status: 'pending', already_decided: true, missing: 1 },
    'her vote was given')
  t.match((await decideAs(app, cem, call, true)).json(), { status: 'approved' })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })
  t.equal(await countProjects(app, 'Away'), 1)
  await end(bea.headers, id)
  const later = await ask('Back', twoOf)
  t.equal((await decideAs(app, dan, later, true)).statusCode, 403, 'once it has ended')
  await decideAs(app, ada, later, false)
})

t.test('who may decide by themselves decides as themselves, unless they say for whom', async (t) => {
  const { id } = await delegate(cem, bea)
  const call = await ask('Chosen', twoOf)
  t.match((await decideAs(app, bea, call, true, { on_behalf_of: dan.id })).json(), { code: 'needs_other_approver' })
  const chosen = await decideAs(app, bea, call, true, { on_behalf_of: cem.id })
  t.match(chosen.json().votes, [{ on_behalf_of: { name: 'Cem' } }])
  t.match((await decideAs(app, bea, call, true)).json(), { status: 'pending', already_decided: true, missing: 1 })
  await decideAs(app, ada, call, false)
  await end(cem.headers, id)
})

t.test('no delegation reaches further than one person, and none approves what its delegate asked', async (t) => {
  const ids = [await delegate(bea, dan), await delegate(dan, eve), await delegate(cem, ada)].map(({ id }) => id)
  const call = await ask('Chain', twoOf)
  t.equal((await decideAs(app, eve, call, true)).statusCode, 403, 'Dan, for whom Eve stands in, is in no group himself')
  t.equal((await decideAs(app, ada, call, true)).statusCode, 403, 'Ada has asked it')
  t.equal((await decideAs(app, ada, call, true, { on_behalf_of: cem.id })).statusCode, 403)
  await decideAs(app, ada, call, false)
  const [, , third] = ids
  await end(asAdmin, String(third))
  await app.db.updateTable('account_delegation').set({ until: sql`now()` }).execute()
  const late = await ask('Late', twoOf)
  t.equal((await decideAs(app, dan, late, true)).statusCode, 403, 'by the database\'s clock it is over')
  await decideAs(app, ada, late, false)
})

t.test('what a person alone may approve, their delegate may, and sees', async (t) => {
  const call = await proposeProject(app, ada.headers, 'Stood in')
  t.equal((await decideAs(app, eve, call, true)).statusCode, 404)
  await delegate(ada, eve)
  const votes = [{ on_behalf_of: { name: 'Ada' } }]
  t.match((await decideAs(app, eve, call, true)).json(), { status: 'approved', votes })
  t.match(await endOf(app, ada.headers, call), { status: 'succeeded' })
})

t.test('who may decide what is of low risk, or a part of the workspace, is a delegate', async (t) => {
  const olga = await makePerson(app, 'Olga', 'operator')
  const bound = await makePerson(app, 'Bo', 'none')
  const payload = {
    role: 'approver', subject: { kind: 'user', id: bound.id }, scope: { kind: 'environment', name: 'staging' }
  }
  t.equal((await post(ada.headers, { to: bound.id, until: inDays(1) })).statusCode, 422)
  t.equal((await app.inject({ method: 'POST', url: '/account/bindings', headers: asAdmin, payload })).statusCode, 201)
  for (const one of [olga, bound]) t.equal((await post(ada.headers, { to: one.id, until: inDays(1) })).statusCode, 201)
})
