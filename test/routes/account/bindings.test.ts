import { sql } from 'kysely'
import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { accountOf } from '../deployments/actors.js'
import { bind, makeGroup, makePerson, makeStranger } from './actors.js'

const missing = '01900000-0000-7000-8000-000000000000'
const app = await buildApp(t, { WORKER: 'false' })
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, headers: object = asAdmin) =>
  app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) })
const me = async (headers: object) => (await send('GET', '/account/me', undefined, headers)).json()

const ann = await makePerson(app, 'Ann', 'none')
const subject = { kind: 'user', id: ann.id }
const account = await accountOf(app)
const project = (await send('POST', '/account/projects', { name: 'Shop' })).json()
t.afterEach(async () => {
  const { items } = (await send('GET', '/account/bindings')).json()
  for (const { id } of items) await send('DELETE', `/account/bindings/${id}`)
})

t.test('a binding is a role of a person or a group on a part; one of each', async (t) => {
  const scopes = [{ kind: 'workspace' }, { kind: 'project', id: project.id }, { kind: 'cloud_account', id: account },
    { kind: 'environment', name: 'production' }]
  for (const scope of scopes) {
    const made = await send('POST', '/account/bindings', { role: 'viewer', subject, scope })
    t.equal(made.statusCode, 201, made.payload)
    const binding = made.json()
    t.match(binding, { role: 'viewer', subject, subject_name: 'Ann' })
    t.same(binding.scope, scope)
    t.equal(made.headers.location, `/account/bindings/${binding.id}`)
    t.same((await send('GET', `/account/bindings/${binding.id}`)).json(), binding)
    t.match((await send('POST', '/account/bindings', { role: 'admin', subject, scope })).json(),
      { status: 409, code: 'binding_exists' })
  }
  t.same((await send('GET', '/account/bindings')).json().items.map(({ scope }: { scope: object }) => scope),
    scopes.toReversed(), 'newest first')
  t.match(await me(ann.headers), { user: { role: 'none' }, role: 'viewer' }, 'one on the workspace is a role in it')
  const group = await makeGroup(app, 'Team', [ann.id])
  await bind(app, 'admin', { kind: 'group', id: group }, { kind: 'project', id: project.id })
  const ids = async (query: string) => (await send('GET', `/account/bindings?${query}`)).json().items.length
  t.same([await ids(`user_id=${ann.id}`), await ids(`group_id=${group}`), await ids('limit=2')], [4, 1, 2])
})

t.test('what is not there, or another workspace\'s, is bound to nobody', async (t) => {
  const stranger = await makeStranger(app)
  const foreign = (await send('POST', '/account/projects', { name: 'Theirs' }, stranger)).json().id
  const { user } = await me(stranger)
  const refusals: [object, object, string][] = [
    [{ kind: 'user', id: missing }, { kind: 'workspace' }, 'subject_unknown'],
    [{ kind: 'user', id: user.id }, { kind: 'workspace' }, 'subject_unknown'],
    [{ kind: 'group', id: ann.id }, { kind: 'workspace' }, 'subject_unknown'],
    [subject, { kind: 'project', id: foreign }, 'bound_to_nothing'],
    [subject, { kind: 'cloud_account', id: project.id }, 'bound_to_nothing']
  ]
  for (const [whom, scope, code] of refusals) {
    const answer = await send('POST', '/account/bindings', { role: 'viewer', subject: whom, scope })
    t.match(answer.json(), { status: 422, code }, JSON.stringify([whom, scope]))
  }
  const unfit = [{ kind: 'environment', name: 'Not A Name' }, { kind: 'project' }, { kind: 'workspace', id: ann.id }]
  for (const scope of unfit) {
    t.equal((await send('POST', '/account/bindings', { role: 'viewer', subject, scope })).statusCode, 400)
  }
  for (const role of ['none', 'member', 'owner']) {
    t.equal((await send('POST', '/account/bindings', { role, subject, scope: { kind: 'workspace' } })).statusCode, 400)
  }
})

t.test('bindings only add: the highest that covers a thing counts', async (t) => {
  const bea = await makePerson(app, 'Bea', 'viewer')
  const scope = { kind: 'project', id: project.id }
  const rename = () => send('PATCH', `/account/projects/${project.id}`, { description: 'Words' }, bea.headers)
  t.match((await rename()).json(), { code: 'insufficient_role' })
  const id = await bind(app, 'viewer', { kind: 'user', id: bea.id }, scope)
  const group = await makeGroup(app, 'Writers', [bea.id])
  t.match((await rename()).json(), { code: 'insufficient_role' })
  await bind(app, 'approver', { kind: 'group', id: group }, scope)
  t.equal((await rename()).statusCode, 200)
  t.equal((await send('PATCH', `/account/bindings/${id}`, { role: 'operator' })).json().role, 'operator')
  t.equal((await rename()).statusCode, 200)
})

t.test('an environment is that of the account as it is now', async (t) => {
  await bind(app, 'viewer', subject, { kind: 'environment', name: 'production' })
  const read = async () => (await send('GET', `/cloud/accounts/${account}`, undefined, ann.headers)).statusCode
  t.equal(await read(), 404)
  await send('PATCH', `/cloud/accounts/${account}`, { environment: 'production' })
  t.equal(await read(), 200)
  await send('PATCH', `/cloud/accounts/${account}`, { environment: 'staging' })
  t.equal(await read(), 404)
})

t.test('an account that goes takes its bindings along', async (t) => {
  const made = (await send('POST', '/cloud/accounts',
    { name: 'Short', regions: ['eu-west-1'], auth: { type: 'ambient' } })).json()
  await bind(app, 'viewer', subject, { kind: 'cloud_account', id: made.id })
  t.equal((await send('DELETE', `/cloud/accounts/${made.id}`)).statusCode, 204)
  t.same((await send('GET', '/account/bindings')).json().items, [])
})

t.test('the last admin stays one, whatever is bound', async (t) => {
  await bind(app, 'admin', subject, { kind: 'workspace' })
  const { user } = await me(asAdmin)
  t.match((await send('PATCH', `/account/users/${user.id}`, { role: 'operator' }, ann.headers)).json(),
    { status: 409, code: 'last_admin' })
})

t.test('people of before may do what they could, and new ones have the new words', async (t) => {
  for (const role of ['none', 'viewer', 'operator', 'member', 'approver', 'admin'] as const) {
    const person = await makePerson(app, `A ${role}`, role)
    t.match(await me(person.headers), { user: { role }, role, rights: [], groups: [] })
    const made = await send('POST', '/account/projects', { name: `Of a ${role}` }, person.headers)
    t.equal(made.statusCode, ['member', 'approver', 'admin'].includes(role) ? 201 : 403, role)
  }
})

t.test('a request of a workspace without bindings sends no statement more', async (t) => {
  const { db } = app
  const sent: string[] = []
  const executor = db.getExecutor()
  const original = executor.executeQuery.bind(executor)
  t.teardown(() => { executor.executeQuery = original })
  executor.executeQuery = (query, ...rest) => {
    sent.push(query.sql)
    return original(query, ...rest)
  }
  const bea = await makePerson(app, 'Plain', 'member')
  // What the process does by itself may fall between: the fewest of some are those of the request.
  const count = async (headers: object, url: string) => {
    const counts: number[] = []
    for (let time = 0; time < 4; time++) {
      sent.length = 0
      t.equal((await send('GET', url, undefined, headers)).statusCode, 200)
      counts.push(sent.filter((text) => !/\b(audit|rate_window)\b/.test(text)).length)
    }
    return Math.min(...counts)
  }
  const url = `/account/projects/${project.id}`
  t.same([await count(bea.headers, url), await count(bea.headers, '/deployments/apps')], [2, 3],
    'the credential, and the rows; with the marks of accounts')
  await bind(app, 'viewer', subject, { kind: 'project', id: project.id })
  t.equal(await count(ann.headers, url), 2, 'nor does one of a person whose role is on the part alone')
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select 1 from account_binding b
    where b.workspace_id = ${app.home.workspace_id} and b.user_id = ${ann.id}`.execute(db)
  t.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /Index|Bitmap|Seq/)
})
