import type { AddressInfo } from 'node:net'
import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { problemOf } from '../account/actors.js'
import { actor, makeConnected, renewToken, steer } from './actors.js'
import { deliver, pushOf, settleHooks } from './hooks.js'

t.setTimeout(120_000)
const app = await buildApp(t, { WORKER: 'false' })
const sandbox = steer(app)
const { get, json } = actor(app)
const mallory = actor(app, (await makeConnected(app, 'mallory', 'admin')).headers)

interface Item { id: string, type: string, source: string, occurred_at: string, after: string | null, summary: string }

const all = async (path: string): Promise<Item[]> => {
  const items: Item[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { items: Item[], next_cursor: string | null } =
      await json(`${path}${path.includes('?') ? '&' : '?'}limit=7${cursor && `&cursor=${cursor}`}`)
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

t.test('without webhooks the list is the history of the code host, and says where it begins', async (t) => {
  const page = await json('/repos/7001/activity?limit=100')
  const { items, ...rest } = page
  const { created_at } = await (await fetch(`${app.sandbox.codehost}/api/v3/repositories/7001`)).json() as
    { created_at: string }
  t.same(rest, {
    next_cursor: null, stale: false, as_of: null, complete_from: new Date(created_at).toISOString()
  })
  const times = items.map((item: Item) => item.occurred_at)
  t.same(times, times.toSorted().toReversed())
  const opened = items.find((item: Item) => item.type === 'pr_opened')
  t.same(opened, {
    id: opened.id,
    repo_id: '7001',
    type: 'pr_opened',
    actor: opened.actor,
    occurred_at: opened.occurred_at,
    observed_at: opened.observed_at,
    source: 'backfill',
    summary: `${opened.actor} opened pull request #${opened.pull_number}`,
    ref: null,
    before: null,
    after: null,
    commit_count: null,
    pull_number: opened.pull_number,
    html_url: `${app.sandbox.codehost}/larkspur/web/pull/${opened.pull_number}`,
    raw_event: 'pull_request'
  })
  const push = items.find((item: Item) => item.type === 'push')
  t.match(push, { summary: `${push.actor} pushed to main`, ref: 'refs/heads/main', raw_event: 'push' })
  t.same(await all('/repos/7001/activity'), items, 'page by page it is the same')
  const { sync } = await json('/repos/7001')
  t.match(sync, { state: 'disconnected', activity_complete_from: new Date(created_at).toISOString() })
})

t.test('a warm list costs conditional requests only', async (t) => {
  const calls = await sandbox.during(() => json('/repos/7001/activity'))
  t.equal(calls.length, 4)
  t.same(new Set(calls.map(({ status }) => status)), new Set([304]))
  const more = await sandbox.during(async () => {
    const { next_cursor } = await json('/repos/7001/activity?limit=2')
    await sandbox.call('DELETE', '/calls')
    await json(`/repos/7001/activity?limit=2&cursor=${next_cursor}`)
  })
  t.same(more.map(({ operation, conditional }) => [operation, conditional]), [[more[0]?.operation, true]],
    'a further page reads only whether the caller may see the repository')
})

t.test('filters', async (t) => {
  const items = await all('/repos/7001/activity')
  const some = items[Math.floor(items.length / 2)]
  const at = some?.occurred_at ?? ''
  const ids = async (query: string) => (await all(`/repos/7001/activity?${query}`)).map(({ id }) => id)
  const where = (keep: (item: Item & { actor?: string }) => boolean) => items.filter(keep).map(({ id }) => id)
  t.same(await ids('type=pr_opened'), where(({ type }) => type === 'pr_opened'))
  t.same(await ids('actor=BRUNO'), where((item) => item.actor === 'bruno'))
  t.same(await ids(`since=${at}`), where((item) => item.occurred_at >= at))
  t.same(await ids(`until=${at}`), where((item) => item.occurred_at <= at))
  t.same(await ids('actor=nobody'), [])
  for (const query of ['type=invented', 'since=yesterday', 'limit=0', 'limit=101']) {
    t.equal((await get(`/repos/7001/activity?${query}`)).statusCode, 400, query)
  }
})

t.test('C27: a cursor holds for one caller, one repository and one filter', async (t) => {
  const { next_cursor: cursor } = await json('/repos/7001/activity?limit=2')
  for (const query of [`cursor=${cursor}x`, `cursor=${cursor}&type=push`, 'cursor=']) {
    const answer = await get(`/repos/7001/activity?limit=2&${query}`)
    t.same([answer.statusCode, answer.json().code], [400, 'invalid_cursor'], query)
  }
  t.equal((await get(`/repos/7002/activity?cursor=${cursor}`)).json().code, 'invalid_cursor')
  t.equal((await mallory.get(`/repos/7001/activity?cursor=${cursor}`)).json().code, 'invalid_cursor')
})

t.test('B15, B16: what the caller may not see is as if it were not, however well it is known here', async (t) => {
  await json('/repos/7002/activity')
  const hidden = await mallory.get('/repos/7002/activity')
  const missing = await mallory.get('/repos/999999/activity')
  t.same([hidden.statusCode, problemOf(hidden)], [404, problemOf(missing)])
  t.equal(hidden.json().code, 'repo_not_found')
  t.equal((await get('/repos/01/activity')).json().code, 'invalid_repo_id')
})

t.test('B17: a right that is lost is lost here', async (t) => {
  await sandbox.call('PUT', '/access', { repository: 'larkspur/infra', login: 'mallory', permission: 'read' })
  t.equal((await mallory.get('/repos/7003/activity')).statusCode, 200)
  await sandbox.call('PUT', '/access', { repository: 'larkspur/infra', login: 'mallory', permission: null })
  t.equal((await mallory.get('/repos/7003/activity')).json().code, 'repo_not_found')
})

t.test('a webhook and the history give the same row', async (t) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  // A server that listens on TCP has such an address.
  const { port } = app.server.address() as AddressInfo
  await sandbox.call('PUT', '/hook', { url: `http://127.0.0.1:${port}/webhooks/codehost` })
  const before = await all('/repos/7001/activity')
  const sha = await sandbox.commit({ repository: 'larkspur/web', message: 'Meet', files: { 'a.txt': 'a' } })
  await sandbox.commit({ repository: 'larkspur/web', branch: 'topic', from: 'main', files: { 'b.txt': 'b' } })
  const { number } = await sandbox.call('POST', '/pulls', { repository: 'larkspur/web', title: 'T', head: 'topic' })
  await sandbox.call('POST', '/reviews', { repository: 'larkspur/web', number, state: 'APPROVED', login: 'bruno' })
  await sandbox.call('PATCH', '/pulls', { repository: 'larkspur/web', number, to: 'merged' })
  const fresh = async () =>
    (await all('/repos/7001/activity')).filter(({ id }) => !before.some((one) => one.id === id))
  const historic = await fresh()
  t.same(historic.map(({ type, source }) => [type, source]).sort(), [
    ['branch_created', 'backfill'], ['pr_merged', 'backfill'], ['pr_opened', 'backfill'], ['push', 'backfill'],
    ['push', 'backfill']
  ])
  await settleHooks(app)
  const listed = await fresh()
  t.same(listed.map(({ type, source }) => [type, source]).sort(), [
    ['branch_created', 'webhook'], ['pr_merged', 'webhook'], ['pr_opened', 'webhook'], ['push', 'webhook'],
    ['push', 'webhook'], ['review_submitted', 'webhook']
  ], 'the webhook\'s row has more details')
  t.match(listed.find(({ after }) => after === sha), { summary: 'octavia pushed 1 commit to main' })
  t.match(listed.find(({ type }) => type === 'review_submitted'),
    { summary: `bruno reviewed pull request #${number} (approved)` })
  t.equal((await json('/repos/7001')).sync.state, 'live')
  const calls = await sandbox.during(() => json('/repos/7001/activity'))
  t.equal(calls.length, 1, 'while webhooks are complete, only the right is read')
  await app.db.updateTable('codehost_repository').set({ last_synced_at: new Date(0) }).where('id', '=', '7001')
    .execute()
  t.same(await fresh(), listed, 'read again, nothing is doubled')
})

t.test('I63: a limit shows what is stored and says so; without anything stored it is an error', async (t) => {
  const shown = await json('/repos/7002/activity?limit=5')
  await sandbox.fault({ kind: 'secondary_limit', operation: 'listActivity', times: 0, retry_after: 7 })
  await renewToken(app, 'octavia')
  const stale = await json('/repos/7002/activity?limit=5')
  t.same(stale.items, shown.items)
  t.equal(stale.stale, true)
  t.ok(Date.parse(stale.as_of) <= Date.now())
  await sandbox.clear()
  await renewToken(app, 'octavia')
  await sandbox.fault({ kind: 'secondary_limit', operation: 'listActivity', times: 0, retry_after: 7 })
  const { id } = await sandbox.call('POST', '/repositories', { owner: 'larkspur', name: 'unread' })
  const refused = await get(`/repos/${id}/activity`)
  t.same([refused.statusCode, refused.json().code, refused.headers['retry-after']],
    [503, 'codehost_rate_limited', '7'])
  await sandbox.clear()
  await renewToken(app, 'octavia')
  for (const kind of ['cut', 'bad_json']) {
    await sandbox.fault({ kind, operation: 'listActivity', times: 2 })
    const answer = await get(`/repos/${id}/activity`)
    t.same([answer.statusCode, answer.json().code], [502, 'codehost_bad_response'], kind)
    await sandbox.clear()
  }
})

t.test('an empty repository has no activity; a host without these lists has that of webhooks only', async (t) => {
  const { id } = await sandbox.call('POST', '/repositories', { owner: 'larkspur', name: 'empty' })
  t.match(await json(`/repos/${id}/activity`), { items: [], next_cursor: null, stale: false })
  await sandbox.fault({ kind: 'not_found', operation: 'listActivity', times: 0 })
  const began = Date.now()
  const repository = { id, full_name: 'larkspur/empty' }
  await deliver(app, 'push', pushOf({ before: '1', after: '2', at: 1_790_000_000, repository }))
  await settleHooks(app)
  await app.db.updateTable('codehost_repository')
    .set({ last_synced_at: null, activity_complete_from: null }).where('id', '=', String(id)).execute()
  const page = await json(`/repos/${id}/activity`)
  t.same(page.items.map((item: Item) => [item.type, item.source]), [['push', 'webhook']])
  t.ok(Date.parse(page.complete_from) >= began, 'and nothing is claimed of the time before')
  await sandbox.clear()
})

t.test('a job reads a long history further than one request does', async (t) => {
  const { id } = await sandbox.call('POST', '/repositories', { owner: 'larkspur', name: 'long' })
  for (let i = 0; i < 130; i++) await sandbox.commit({ repository: 'larkspur/long', files: { 'a.txt': String(i) } })
  const page = await json(`/repos/${id}/activity?limit=1`)
  await app.db.deleteFrom('codehost_receipt').execute()
  await app.jobs.enqueue(app.db, 'codehost.backfill',
    { workspace_id: app.home.workspace_id, user_id: app.home.admin_id, repo_id: String(id) })
  await app.jobs.drain()
  t.equal((await all(`/repos/${id}/activity`)).length, 130)
  const after = await json(`/repos/${id}/activity?limit=1`)
  t.ok(Date.parse(after.complete_from) <= Date.parse(page.complete_from))
})
