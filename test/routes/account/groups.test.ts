import t from '../../tap.js'
import { asAdmin, workspace } from '../../app.js'
import { bind, makeGroup, makePerson, makeToken, problemOf } from './actors.js'

const missing = '01900000-0000-7000-8000-000000000000'
const app = await workspace(t, { WORKER: 'false' })
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, headers: object = asAdmin) =>
  app.inject({ method, url: `/account${path}`, headers: { ...headers }, ...(payload && { payload }) })
const me = async (headers: object) => (await send('GET', '/me', undefined, headers)).json()

const ann = await makePerson(app, 'Ann', 'none')
const bea = await makePerson(app, 'Bea', 'viewer')
const project = (await send('POST', '/projects', { name: 'Shop' })).json()

t.test('a group has a name, in any case its own, and members by their names', async (t) => {
  const made = await send('POST', '/groups', { name: 'On call', member_ids: [bea.id, ann.id] })
  t.equal(made.statusCode, 201)
  const group = made.json()
  t.match(group, { name: 'On call', revision: 1 })
  t.same(group.members, [{ user_id: ann.id, name: 'Ann' }, { user_id: bea.id, name: 'Bea' }])
  t.equal(made.headers.location, `/account/groups/${group.id}`)
  t.equal(made.headers.etag, '"r1"')
  t.same((await send('GET', `/groups/${group.id}`)).json(), group)
  t.same((await send('GET', '/groups')).json(), { items: [group], next_cursor: null })
  t.match((await send('POST', '/groups', { name: 'ON CALL' })).json(), { status: 409, code: 'group_name_taken' })
  const strangers = await send('POST', '/groups', { name: 'Strangers', member_ids: [ann.id, missing] })
  t.match(strangers.json(), { status: 422, code: 'subject_unknown', errors: [{ pointer: '/member_ids/1' }] })
  t.equal((await send('GET', '/groups')).json().items.length, 1, 'and nothing was made')

  const renamed = await send('PATCH', `/groups/${group.id}`, { name: 'Night', member_ids: [ann.id] })
  t.match(renamed.json(), { name: 'Night', revision: 2, members: [{ name: 'Ann' }] })
  t.equal(renamed.json().members.length, 1)
  const stale = await send('PATCH', `/groups/${group.id}`, { name: 'Day' }, { ...asAdmin, 'if-match': '"r1"' })
  t.match(stale.json(), { code: 'stale_revision' })
  t.same((await send('GET', `/groups/${missing}`)).json().code, 'not_found')
})

t.test('a role of a group is its members\', from the next request on and for as long as they are in it', async (t) => {
  const id = await makeGroup(app, 'Shop team', [ann.id])
  t.match(await me(ann.headers), { role: 'none', rights: [], groups: [{ name: 'Night' }, { id, name: 'Shop team' }] })
  await bind(app, 'operator', { kind: 'group', id }, { kind: 'project', id: project.id })
  const rights = [{ role: 'operator', scope: { kind: 'project', id: project.id } }]
  t.same((await me(ann.headers)).rights, rights)
  t.equal((await send('GET', `/projects/${project.id}`, undefined, ann.headers)).statusCode, 200)
  await send('PATCH', `/groups/${id}`, { member_ids: [] })
  t.match((await send('GET', `/projects/${project.id}`, undefined, ann.headers)).json(), { code: 'insufficient_role' })
  await send('PATCH', `/groups/${id}`, { member_ids: [ann.id] })
  t.same((await me(ann.headers)).rights, rights)
  t.equal((await send('DELETE', `/groups/${id}`)).statusCode, 204)
  t.same((await me(ann.headers)).rights, [])
  t.same((await send('GET', '/bindings')).json().items, [], 'what was bound to it went along')
  t.equal((await send('DELETE', `/groups/${id}`)).statusCode, 404)
})

t.test('S6: rights are changed by people without a limit of scopes', async (t) => {
  const scoped = await makeToken(app, asAdmin, ['account:read', 'account:write'])
  const [group] = (await send('GET', '/groups')).json().items
  const subject = { kind: 'user', id: ann.id }
  const binding = await bind(app, 'viewer', subject, { kind: 'workspace' })
  for (const [method, path, payload] of [
    ['POST', '/groups', { name: 'Mine' }], ['PATCH', `/groups/${group.id}`, { member_ids: [] }],
    ['DELETE', `/groups/${group.id}`, undefined],
    ['POST', '/bindings', { role: 'admin', subject, scope: { kind: 'workspace' } }],
    ['PATCH', `/bindings/${binding}`, { role: 'admin' }], ['DELETE', `/bindings/${binding}`, undefined]
  ] as const) {
    const answer = await send(method, path, payload, scoped.headers)
    t.match(problemOf(answer), { status: 403, code: 'insufficient_scope' }, `${method} ${path}`)
  }
  t.equal((await send('GET', '/bindings', undefined, scoped.headers)).statusCode, 200, 'it may read them')
  t.equal((await send('DELETE', `/bindings/${binding}`)).statusCode, 204)
})
