import t from '../../tap.js'
import { sweepDeleted } from '../../../routes/account/lib/workspaces/delete-workspace.js'
import { makeWorlds } from '../../attacks/three-workspaces.js'
import { asAdmin, buildApp } from '../../app.js'
import { recordTables } from '../../recorded.js'
import { makePerson, makeToken, makeWorkspace, problemOf } from './actors.js'
import { everyRow } from './every-row.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000, stream_rights_ms: 50 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const [first, second, third] = (await makeWorlds(app)).map((world) => ({ ...world, id: world.app.home.workspace_id }))
if (!first || !second || !third) throw new Error('There are three')

const remove = (id: string, name: string, headers: object = asAdmin) => app.inject({
  method: 'DELETE', url: `/account/workspaces/${id}?name=${encodeURIComponent(name)}`, headers: { ...headers }
})

/** Requests of the admin leave their traces in the first workspace. */
const traces = [...recordTables, 'rate_window', 'idempotency_key']

t.test('it is deleted by its name, by an admin of the installation without scopes, and never the first', async (t) => {
  t.equal((await app.inject({ url: '/account/me', headers: second.headers })).statusCode, 200, 'its token works')
  const before = await everyRow(app, second.id, traces)
  t.match(problemOf(await remove(second.id, 'third')), { status: 409, code: 'other_name' })
  t.match(problemOf(await remove(first.id, 'Workspace')), { status: 409, code: 'first_workspace' })
  const member = await makePerson(app, 'Member', 'member')
  t.match(problemOf(await remove(second.id, 'second', member.headers)), { status: 403, code: 'insufficient_role' })
  // Without a passkey: who has one is asked to sign before anything else is looked at.
  const { headers: admin } = await makePerson(app, 'Ada', 'admin')
  const token = await makeToken(app, admin, ['account:write'])
  t.match(problemOf(await remove(second.id, 'second', token.headers)), { status: 403, code: 'insufficient_scope' })
  t.match(problemOf(await remove(second.id, 'second', second.headers)), { status: 404, code: 'not_found' })
  t.match(problemOf(await remove('01900000-0000-7000-8000-000000000000', 'second')), { status: 404, code: 'not_found' })
  t.same(await everyRow(app, second.id, traces), before)
})

t.test('everything of it is gone from every table, its credentials at once, and nothing of the others', async (t) => {
  const others = () => Promise.all([first, third].map(({ id }) => everyRow(app, id, traces)))
  const before = await others()
  t.ok(Object.keys(await everyRow(app, second.id)).length > 20)
  t.equal((await remove(second.id, 'second')).statusCode, 204)
  const me = await app.inject({ url: '/account/me', headers: second.headers })
  t.match(problemOf(me), { status: 401, code: 'unauthenticated' })
  // What an instance counts and records of requests before may still be on its way: the sweep below takes it.
  t.same(Object.keys(await everyRow(app, second.id, [...recordTables, 'rate_window'])), ['workspace'], 'but for the mark')
  t.same(await others(), before)
  t.match(problemOf(await remove(second.id, 'second')), { status: 404, code: 'not_found' })
  const read = await app.inject({ url: `/account/workspaces/${second.id}`, headers: asAdmin })
  t.equal(read.statusCode, 404)
  const { items } = (await app.inject({ url: '/account/workspaces', headers: asAdmin })).json()
  t.same(items.map(({ name }: { name: string }) => name), ['third', 'Workspace'])
})

t.test('what work under way still writes, or a crash leaves, is deleted later, and then the mark', async (t) => {
  await app.db.insertInto('stream_event').values({
    workspace_id: second.id, stream_id: second.id, position: 1, event: 'late', data: '{}'
  }).execute()
  await sweepDeleted(app.db)
  t.ok('stream_event' in await everyRow(app, second.id), 'not yet: more may come')
  await app.db.updateTable('workspace').set({ deleted_at: new Date(Date.now() - 301_000) })
    .where('id', '=', second.id).execute()
  await sweepDeleted(app.db)
  // Only the mark's time was moved on: an instance may still be adding what it counted within the last second.
  t.same(await everyRow(app, second.id, ['rate_window']), {})
  t.ok('workspace' in await everyRow(app, third.id))
})

t.test('its host names are free at once', async (t) => {
  const { id } = await makeWorkspace(app, 'Pier', ['pier.example'])
  t.equal((await remove(id, 'Pier')).statusCode, 204)
  const payload = { name: 'Pier 2', hosts: ['pier.example'] }
  const made = await app.inject({ method: 'POST', url: '/account/workspaces', headers: asAdmin, payload })
  t.equal(made.statusCode, 201)
})
