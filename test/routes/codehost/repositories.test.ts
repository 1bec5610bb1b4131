import t from '../../tap.js'
import { makePerson, makeToken, problemOf } from '../account/actors.js'
import { asAdmin, buildApp } from '../../app.js'
import { actor, makeConnected, renewToken, steer } from './actors.js'

const app = await buildApp(t)
const sandbox = steer(app)
const { get, json } = actor(app)
const bruno = actor(app, (await makeConnected(app, 'bruno')).headers)
const mallory = actor(app, (await makeConnected(app, 'mallory', 'admin')).headers)

const fresh = { next_cursor: null, hidden_organizations: [], stale: false, as_of: null }
const sync = { state: 'disconnected', last_event_at: null, last_synced_at: null, activity_complete_from: null }
const larkspur = { id: '6001', login: 'larkspur', type: 'Organization' }

const api = {
  id: '7002',
  full_name: 'larkspur/api',
  owner: larkspur,
  name: 'api',
  description: 'Orders and payments',
  private: true,
  archived: false,
  fork: false,
  default_branch: 'main',
  html_url: `${app.sandbox.codehost}/larkspur/api`,
  language: 'Go',
  permission: 'admin',
  pushed_at: '2026-11-17T20:30:00.000Z',
  updated_at: '2026-11-18T05:24:40.000Z',
  sync
}
const web = {
  ...api,
  id: '7001',
  full_name: 'larkspur/web',
  name: 'web',
  description: 'The shop front',
  private: false,
  html_url: `${app.sandbox.codehost}/larkspur/web`,
  language: 'TypeScript',
  pushed_at: '2026-11-19T12:30:00.000Z',
  updated_at: '2026-11-18T04:23:00.000Z'
}

const named = async (one: typeof bruno, query = '') =>
  (await one.json(`/repos${query}`)).items.map((item: { full_name: string }) => item.full_name)

t.test('the list is what the caller sees at the code host, with what they may do there', async (t) => {
  const listed = await get('/repos')
  t.equal(listed.statusCode, 200)
  const { items, ...page } = listed.json()
  t.same(page, fresh)
  t.same([items[0], items[2]], [api, web])
  t.same(await bruno.json('/repos'), {
    items: [{ ...api, permission: 'write' }, { ...web, permission: 'write' }], ...fresh
  })
  t.same(await named(mallory), ['mallory/secret'])
  t.same(await json('/repos/7002'), api)
})

t.test('a warm list costs exactly one request, a conditional one', async (t) => {
  await get('/repos')
  const calls = await sandbox.during(() => get('/repos'))
  t.match(calls, [{ operation: 'listRepositories', login: 'octavia', conditional: true, status: 304 }])
  t.equal(calls.length, 1)
  const other = await sandbox.during(() => bruno.get('/repos?limit=7'))
  t.match(other, [{ login: 'bruno', conditional: false, status: 200 }], 'another question is another answer')
})

t.test('20 concurrent equal requests cost one request', async (t) => {
  const calls = await sandbox.during(() => Promise.all(Array.from({ length: 20 }, () => get('/repos?limit=9'))))
  t.ok(calls.length < 10, `${calls.length} requests`)
})

t.test('a cursor continues where the page ended, for the same caller and filter only', async (t) => {
  const first = await json('/repos?limit=2')
  t.same(first.items.map((item: { id: string }) => item.id), ['7002', '7003'])
  const second = await json(`/repos?limit=2&cursor=${first.next_cursor}`)
  t.same(second, { items: [web], ...fresh })
  const forged = [
    first.next_cursor.slice(0, -2), `${first.next_cursor}x`, 'x', `${Buffer.from('[2,0,2]').toString('base64url')}.AAAA`
  ]
  for (const cursor of forged) t.match((await get(`/repos?cursor=${cursor}`)).json(), { code: 'invalid_cursor' }, '27')
  t.match((await bruno.get(`/repos?cursor=${first.next_cursor}`)).json(), { status: 400, code: 'invalid_cursor' }, '27')
  t.match((await get(`/repos?visibility=public&cursor=${first.next_cursor}`)).json(), { code: 'invalid_cursor' }, '27')
  t.match((await get(`/repos/7001/pulls?cursor=${first.next_cursor}`)).json(), { code: 'invalid_cursor' }, '27')
})

t.test('filters', async (t) => {
  t.same(await named(actor(app), '?visibility=public'), ['larkspur/web'])
  t.same(await named(actor(app), '?visibility=private'), ['larkspur/api', 'larkspur/infra'])
  t.same(await named(actor(app), '?q=TERRAFORM'), ['larkspur/infra'])
  t.same(await named(actor(app), '?q=ar&limit=1'), ['larkspur/api'])
  t.same(await named(actor(app), '?archived=true'), [])
  t.same(await named(actor(app), '?full_name=LARKSPUR/web'), ['larkspur/web'])
  t.same(await named(actor(app), '?full_name=larkspur/web&visibility=private'), [])
  t.same(await named(actor(app), '?full_name=mallory/secret'), [], 'what is hidden is not there')
  const refused = ['limit=0', 'limit=101', 'limit=x', 'visibility=secret', 'full_name=web', 'full_name=a/../b']
  for (const query of refused) t.match((await get(`/repos?${query}`)).json(), { status: 400 }, query)
})

t.test('C26: an id that is none is refused; one without a record is not there', async (t) => {
  for (const id of ['1e3', '0x1', '-1', '01', '100000000000000000000', '1;--', 'larkspur', '7001%20', '..%2f']) {
    const answer = await get(`/repos/${id}`)
    t.match([answer.statusCode, answer.json().code], [400, 'invalid_repo_id'], id)
  }
  t.equal((await get('/repos/%00')).statusCode, 400)
  t.equal((await get('/repos/9223372036854775807')).json().code, 'repo_not_found')
})

t.test('B15: another person\'s repository is answered as one that does not exist', async (t) => {
  const paths = ['', '/commits', '/pulls', '/contents', '/issues/1']
  for (const path of paths) {
    const [hidden, missing] = await Promise.all([bruno.get(`/repos/7003${path}`), bruno.get(`/repos/999999${path}`)])
    t.equal(hidden.statusCode, 404)
    t.same(problemOf(hidden), problemOf(missing), path)
  }
  const payload = { title: 'x', head: 'x', files: [{ path: 'x', content: '' }] }
  const [hidden, missing] = await Promise.all(
    ['7003', '999999'].map((id) => bruno.post(`/repos/${id}/pulls`, payload)))
  t.same(problemOf(hidden!), problemOf(missing!))
})

t.test('B16: what one has seen is not shown to another', async (t) => {
  t.equal((await get('/repos/7003')).statusCode, 200)
  t.equal((await get('/repos/7003/commits')).statusCode, 200)
  t.equal((await bruno.get('/repos/7003')).statusCode, 404)
  t.equal((await bruno.get('/repos/7003/commits')).statusCode, 404)
})

t.test('B17: a right that is lost is lost at once', async (t) => {
  await sandbox.call('PUT', '/access', { repository: 'larkspur/infra', login: 'bruno', permission: 'read' })
  t.match(await bruno.json('/repos/7003'), { full_name: 'larkspur/infra', permission: 'read' })
  t.equal((await bruno.get('/repos/7003/commits')).statusCode, 200)
  await sandbox.call('PUT', '/access', { repository: 'larkspur/infra', login: 'bruno', permission: null })
  t.equal((await bruno.get('/repos/7003/commits')).json().code, 'repo_not_found')
  t.equal((await bruno.get('/repos/7003')).json().code, 'repo_not_found')
})

t.test('a renamed repository keeps its id; one that takes its name is another', async (t) => {
  await get('/repos/7002/commits')
  await sandbox.call('PATCH', '/repositories', { repository: 'larkspur/api', name: 'orders' })
  t.match(await json('/repos/7002/commits?limit=1'), { items: [{ repo_id: '7002' }] })
  t.match(await json('/repos/7002'), { id: '7002', full_name: 'larkspur/orders', name: 'orders' })
  t.same(await named(actor(app), '?full_name=larkspur/api'), [], 'the old name leads to it, and is not its name')
  const { id } = await sandbox.call('POST', '/repositories', { owner: 'larkspur', name: 'api' })
  const old = await json('/repos/7002/commits?limit=100')
  t.equal(old.items.length, 10, 'not those of the one that has its name now')
  t.match(await json('/repos?full_name=larkspur/api'), { items: [{ id: String(id), pushed_at: null }] })
  await sandbox.call('DELETE', '/repositories', { repository: 'larkspur/api' })
  await sandbox.call('PATCH', '/repositories', { repository: 'larkspur/orders', name: 'api' })
  t.equal((await get(`/repos/${id}`)).json().code, 'repo_not_found')
})

t.test('the reads need codehost:read, a person, and a connection', async (t) => {
  t.equal((await app.inject({ url: '/codehost/repos' })).statusCode, 401)
  const narrow = await makeToken(app, asAdmin, ['cloud:read'])
  const refused = await actor(app, narrow.headers).get('/repos')
  t.match(refused.json(), { status: 403, code: 'insufficient_scope', detail: /codehost:read/ })
  const { headers } = await makePerson(app, 'Nobody', 'viewer')
  t.match((await actor(app, headers).get('/repos')).json(), {
    status: 409, code: 'codehost_not_connected', authorize_url: /\/codehost-oauth\/authorize\?mode=link$/
  })
})

t.test('I63: under a limit the list is what it was, and says so; what was never asked is a 503', async (t) => {
  await renewToken(app, 'octavia')
  const before = await json('/repos')
  await sandbox.fault({ kind: 'secondary_limit', retry_after: 30 })
  const stale = await json('/repos')
  t.same({ ...stale, as_of: null }, { ...before, stale: true })
  t.ok(Math.abs(Date.parse(stale.as_of) - Date.now()) < 60_000)
  const refused = await get('/repos?visibility=public')
  t.match([refused.statusCode, refused.json().code], [503, 'codehost_rate_limited'])
  t.ok(Number(refused.headers['retry-after']) > 20)
  t.equal(refused.json().retry_after, Number(refused.headers['retry-after']))
  const calls = await sandbox.during(() => Promise.all([get('/repos'), get('/repos/7001/commits')]))
  t.same(calls, [], 'and until then no request is made for the person')
  t.equal((await bruno.get('/repos')).json().stale, false, 'others are not limited')
  await renewToken(app, 'octavia')
})

t.test('a code host that refuses the token is no 401 of ours', async (t) => {
  await sandbox.fault({ kind: 'unauthorized', match: 'bruno' })
  t.match((await bruno.get('/repos')).json(), { status: 409, code: 'codehost_reauth_required' })
})

t.test('a webhook that came once is no proof that they still come', async (t) => {
  const stateAt = async (last_event_at: Date) => {
    await app.db.updateTable('codehost_repository').set({ sync_state: 'live', last_event_at }).where('id', '=', '7001')
      .execute()
    return (await json('/repos/7001')).sync
  }
  const pushed = Date.parse((await json('/repos/7001')).pushed_at)
  const after = new Date(pushed + 1_000)
  t.match(await stateAt(after), { state: 'live', last_event_at: after.toISOString() })
  t.match(await stateAt(new Date(pushed - 86_400_000)), { state: 'stale' }, 'a push since was not reported')
})
