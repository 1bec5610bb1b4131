import t from '../tap.js'
import type { AccessRow } from '../../plugins/access-table.js'
import { asAdmin, buildApp } from '../app.js'
import { bind, makeGroup, makePerson } from '../routes/account/actors.js'
import { accountOf } from '../routes/deployments/actors.js'
import { callerOf, codeOf, type Answer } from './access.js'
import { fill, missing } from './belongings.js'
import { digest } from './digest.js'
import { walk, type Operation } from './operations.js'
import { recordTables } from '../recorded.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000, refused_credentials_per_minute: 1_000_000 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const given = await fill(app)
const { operations, resolve } = walk(app)
const call = callerOf(app, resolve)
const table = app.accessTable()
const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, headers: object = asAdmin) =>
  app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) })

const rowOf = ({ id, method }: Operation): AccessRow => {
  const row = table.find((one) => one.operationId === id && one.method === method)
  if (!row) throw new Error(`No route is declared for ${id}`)
  return row
}

/** What belongs to an account or a project, and is named by its address: removals last. */
const areaOf = ({ path }: Operation) => String(path.split('/')[1])
const named = operations.filter((one) => {
  const { access } = rowOf(one)
  return access?.on === 'anywhere' && access.owner === 'workspace' && one.path.includes('{') &&
    !one.path.startsWith('/account/tokens')
})
const ofAccounts = named.filter((one) => ['cloud', 'infrastructure', 'deployments'].includes(areaOf(one)))
const ofProjects = named.filter((one) => ['pse', 'content', 'account'].includes(areaOf(one)))
const reads = (list: Operation[]) => list.filter(({ method }) => method === 'GET')
const writes = (list: Operation[]) => list.filter(({ method }) => method !== 'GET')

/** Every request leaves its trace here. */
const recorded = [...recordTables, 'rate_window', 'account_session']
const close = (operation: Operation, answers: Answer[]) => {
  if (operation.streams) for (const answer of answers) answer.stream().destroy()
}

const production = await accountOf(app)
await send('PATCH', `/cloud/accounts/${production}`, { environment: 'production' })
const other = (await send('POST', '/cloud/accounts',
  { name: 'Other', regions: ['eu-west-1'], auth: { type: 'ambient' }, environment: 'staging' })).json()
/** @returns what the world has, by the first part of the address. */
const had = (area: string, name: string) => given({ path: `/${area}` } as Operation, name) // It reads the path alone.
const contentProject = had('content', 'project_id')
const specProject = had('pse', 'project_id')
const accountProject = had('account', 'project_id')

/** The cluster by its id: the other account has one of the same name. */
const idOf = (operation: Operation, name: string): string =>
  name === 'cluster' ? `${production}~eu-west-1~prod` : given(operation, name)

const user = (id: string) => ({ kind: 'user', id })

/** A person who has no role in the workspace, and these bindings. */
const makeBound = async (name: string, ...bindings: [role: string, scope: object][]) => {
  const person = await makePerson(app, name, 'none')
  for (const [role, scope] of bindings) await bind(app, role, user(person.id), scope)
  return person
}

const onOther = { kind: 'cloud_account', id: other.id }
const onProduction = { kind: 'cloud_account', id: production }
const onProjects = [contentProject, specProject, accountProject].map((id) => ({ kind: 'project', id }))

const compareWithMissing = async (t: Tap, list: Operation[], headers: Record<string, string>) => {
  const before = await digest(app, recorded)
  for (const operation of list) {
    const foreign = await call(operation, headers, (name) => idOf(operation, name))
    const absent = await call(operation, headers, (name) => name === 'version' ? '1' : missing)
    close(operation, [foreign, absent])
    t.same(codeOf(foreign), codeOf(absent), operation.id)
    // The smallest body of some does not fit, whatever it is for.
    t.ok([404, 400, 422].includes(foreign.statusCode), operation.id)
  }
  t.same(await digest(app, recorded), before, 'and nothing was touched')
}
type Tap = Pick<typeof t, 'same' | 'ok'>

t.test('what nothing bound covers is not there, for reads and writes, whatever the role elsewhere', async (t) => {
  t.ok(ofAccounts.length > 20 && ofProjects.length > 40, `${ofAccounts.length} and ${ofProjects.length} operations`)
  const elsewhere = await makeBound('Elsewhere', ['admin', onOther])
  // Deleting a project's brand is an admin's, as is changing an account: an admin of another part asks, too.
  await compareWithMissing(t, named, elsewhere.headers)
  const projects = await makeBound('Of projects', ...onProjects.map((scope): [string, object] => ['admin', scope]))
  await compareWithMissing(t, ofAccounts, projects.headers)
})

t.test('a person bound to one of two accounts reads all of it, as an admin does', async (t) => {
  for (const [name, scope] of [['By account', onProduction],
    ['By environment', { kind: 'environment', name: 'production' }]] as const) {
    const { headers } = await makeBound(name, ['viewer', scope])
    // What to paste into an account is for who connects it: an admin of the workspace.
    for (const operation of reads(ofAccounts).filter(({ id }) => id !== 'getCloudAccountSetup')) {
      const own = await call(operation, asAdmin, (part) => idOf(operation, part))
      const bound = await call(operation, headers, (part) => idOf(operation, part))
      close(operation, [own, bound])
      t.same(codeOf(bound), codeOf(own), operation.id)
    }
  }
})

t.test('a viewer of a part changes nothing in it: 403 with the role and the scope', async (t) => {
  const { headers } = await makeBound('Reader', ['viewer', onProduction], ['approver', onOther],
    ...onProjects.map((scope): [string, object] => ['viewer', scope]))
  const before = await digest(app, recorded)
  // The smallest bodies of these name no repository, or passage, that is there.
  const unfit = ['openSpecPull', 'openSpecIssues', 'addContentComment']
  for (const operation of writes(named).filter(({ id }) => !unfit.includes(id))) {
    const answer = await call(operation, headers, (name) => idOf(operation, name))
    close(operation, [answer])
    t.same(codeOf(answer), [403, 'insufficient_role'], operation.id)
    const { role } = rowOf(operation).access ?? {}
    if (role === 'approver' && !operation.streams) {
      t.match(answer.json(), { role: 'approver', scope: Object }, operation.id)
    }
  }
  const [scale] = writes(ofAccounts).filter(({ id }) => id === 'scaleService')
  if (!scale) throw new Error('scaleService is not there')
  const refused = (await call(scale, headers, (name) => idOf(scale, name))).json()
  t.match(refused, {
    detail: `This needs the role approver on cloud account ${production}`,
    role: 'approver',
    scope: { cloud_account_id: production, environment: 'production' }
  })
  t.same(await digest(app, recorded), before, 'and nothing was touched')
})

const items = async (url: string, headers: Record<string, string>): Promise<Record<string, unknown>[]> => {
  const answer = await send('GET', url, undefined, headers)
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.payload}`)
  return answer.json().items
}

t.test('lists and costs show what is bound, and no more', async (t) => {
  const nobody = await makeBound('One project', ['viewer', { kind: 'project', id: specProject }])
  const one = await makeBound('One account', ['viewer', onOther])
  const group = await makePerson(app, 'In a group', 'none')
  await bind(app, 'operator', { kind: 'group', id: await makeGroup(app, 'Production', [group.id]) },
    { kind: 'environment', name: 'production' })
  const ids = async (url: string, headers: Record<string, string>, id = 'id') =>
    (await items(url, headers)).map((item) => item[id])

  t.same(await ids('/cloud/accounts', one.headers), [other.id])
  t.same(await ids('/cloud/accounts', group.headers), [production])
  t.same(await ids('/cloud/accounts', nobody.headers), [])
  t.same(await ids('/deployments/apps', one.headers), [])
  t.equal((await ids('/deployments/apps', group.headers)).length, 1)
  for (const url of ['/infrastructure/containers/clusters', '/infrastructure/serverless/functions']) {
    const seen = await ids(url, one.headers, 'account_id')
    t.ok(seen.length > 0, url)
    t.same([...new Set(seen)], [other.id], url)
    t.same([...new Set(await ids(url, group.headers, 'account_id'))], [production], url)
    t.same(await ids(url, nobody.headers), [], url)
  }
  t.same(await ids('/account/projects', nobody.headers), [specProject])
  t.equal((await ids('/pse/sessions', nobody.headers, 'session_id')).length, 1)
  t.same(await ids('/pse/sessions', one.headers), [])
  for (const url of ['/content', '/content/briefs', '/content/generations']) {
    t.same(await ids(url, nobody.headers), [], url)
  }
  const writer = await makeBound('Writer', ['approver', { kind: 'project', id: contentProject }])
  t.equal((await ids('/content/briefs', writer.headers)).length, 1)
  t.equal((await ids(`/content/briefs?project_id=${specProject}`, writer.headers)).length, 0)

  const costs = async (headers: Record<string, string>) =>
    (await send('GET', '/cloud/costs?group_by=account', undefined, headers)).json()
  t.match(await costs(nobody.headers), { errors: [] })
  t.notMatch(JSON.stringify(await costs(one.headers)), new RegExp(production))
  t.match((await send('GET', `/cloud/costs?account_id=${production}`, undefined, one.headers)).json(),
    { status: 404, code: 'cloud_account_not_found' })
})

t.test('a write of the workspace needs the role on the workspace', async (t) => {
  const { headers } = await makeBound('Everything', ['admin', onProduction], ['admin', onOther],
    ...onProjects.map((scope): [string, object] => ['admin', scope]))
  for (const [url, payload] of [
    ['/account/projects', { name: 'Mine' }],
    ['/pse/sessions', { title: 'Of no project' }],
    ['/cloud/accounts', { name: 'Mine', regions: ['eu-west-1'], auth: { type: 'ambient' } }],
    ['/pse/standards', { key: 'mine', title: 'Mine', kind: 'ruleset', rules: [] }]
  ] as const) t.match((await send('POST', url, payload, headers)).json(), { code: 'insufficient_role' }, url)
  for (const url of ['/account/users', '/account/groups', '/account/bindings', '/agent/feedback', '/pse/standards']) {
    const path = url.startsWith('/agent') ? `/api/v1${url}` : url
    t.match((await send('GET', path, undefined, headers)).json(), { code: 'insufficient_role' }, url)
  }
  t.match((await send('PATCH', `/cloud/accounts/${production}`, { environment: 'staging' }, headers)).json(),
    { code: 'insufficient_role', role: 'admin' }, 'an environment decides who may do what')
})

t.test('what belongs together must be theirs as a whole', async (t) => {
  const { headers } = await makeBound('Of one', ['approver', { kind: 'project', id: specProject }],
    ['approver', onOther])
  const session = had('pse', 'session_id')
  t.match((await send('PATCH', `/pse/sessions/${session}`, { project_id: contentProject }, headers)).json(),
    { status: 404, code: 'not_found' }, 'a spec does not move where its mover sees nothing')
  const brief = had('content', 'brief_id')
  t.match((await send('POST', '/content/generate',
    { brief_id: brief, project_id: specProject }, headers)).json(), { status: 404, code: 'not_found' })
  const service = `${production}~eu-west-1~prod~web`
  const target = { kind: 'ecs_service', service_id: service, container: 'web' }
  const source = { repo: 'larkspur/web', default_branch: 'main', path: '' }
  t.match((await send('POST', '/deployments/apps', { name: 'Not mine', source, target }, headers)).json(),
    { code: 'target_not_found' })
  const own = { ...target, service_id: `${other.id}~eu-west-1~prod~web` }
  const made = await send('POST', '/deployments/apps', { name: 'Mine', source, target: own }, headers)
  t.equal(made.statusCode, 201, made.payload)
  t.match((await send('PATCH', `/deployments/apps/${made.json().id}`, { target }, headers)).json(),
    { code: 'target_not_found' })
})
