import { createRequire } from 'node:module'
import { sql } from 'kysely'
import t from '../../tap.js'
import { workDueBatches } from '../../../lib/durable/due-batches.js'
import { receiptKind } from '../../../routes/codehost/lib/webhooks/process-receipt.js'
import { asAdmin, buildApp } from '../../app.js'
import { makeApp } from '../deployments/actors.js'
import { deliver, pushOf, settleHooks } from './hooks.js'

// Two orders of 658 webhooks each.
t.setTimeout(120_000)
const app = await buildApp(t, { WORKER: 'false', LIMITS: '{"requests_per_minute":100000}' })

interface Published { name: string, examples: object[] }
// The package is JSON.
const published = createRequire(import.meta.url)('@octokit/webhooks-examples') as Published[]
const payloads = published.flatMap(({ name, examples }) => examples.map((payload) => ({ name, payload })))

/** The same for the same seed. */
const shuffle = <T>(items: T[], seed: number): T[] => {
  let state = seed
  const next = () => {
    state = Math.imul(state ^ state >>> 15, state | 1)
    state ^= state + Math.imul(state ^ state >>> 7, state | 61)
    return ((state ^ state >>> 14) >>> 0) / 4_294_967_296
  }
  return items.map((item) => ({ item, rank: next() })).sort((a, b) => a.rank - b.rank).map(({ item }) => item)
}

const stateOf = async () => ({
  facts: await app.db.selectFrom('codehost_activity')
    .select(['repo_id', 'id', 'type', 'actor', 'occurred_at', 'source', 'ref', 'before', 'after', 'commit_count',
      'pull_number', 'subject', 'html_url', 'raw_event']).orderBy('repo_id').orderBy('id').execute(),
  repositories: await app.db.selectFrom('codehost_repository')
    .select(['id', 'full_name', 'default_branch', 'private', 'sync_state', 'host_updated_at']).orderBy('id').execute()
})

const forget = async () => {
  for (const table of ['codehost_activity', 'codehost_receipt', 'codehost_repository'] as const) {
    await app.db.deleteFrom(table).execute()
  }
}

t.test('J71: every published payload is taken, and the end is the same in every order', async (t) => {
  t.equal(payloads.length, 329)
  const states = []
  for (const seed of [0, 1]) {
    const doubled = [...payloads, ...payloads]
    const order = seed === 0 ? doubled : shuffle(doubled, seed)
    const statuses = new Set<number>()
    for (let i = 0; i < order.length; i += 47) {
      const answers = await Promise.all(order.slice(i, i + 47).map(({ name, payload }) => deliver(app, name, payload)))
      for (const { statusCode } of answers) statuses.add(statusCode)
    }
    t.same([...statuses], [202])
    await settleHooks(app)
    const rows = await app.db.selectFrom('codehost_receipt')
      .select(['status', (eb) => eb.fn.countAll<string>().as('n')]).groupBy('status').execute()
    const count = Object.fromEntries(rows.map(({ status, n }) => [status, Number(n)]))
    t.same([count.queued ?? 0, count.failed ?? 0], [0, 0], 'all are settled')
    t.ok((count.duplicate ?? 0) >= 329)
    states.push(await stateOf())
    await forget()
  }
  const [first, ...others] = states
  const types = [...new Set(first?.facts.map(({ type }) => type))].sort()
  t.same(types, ['branch_created', 'other', 'pr_closed', 'pr_opened', 'pr_reopened',
    'pr_updated', 'release_published', 'repo_renamed', 'review_submitted', 'tag_created'])
  for (const state of others) t.same(state, first)
})

t.test('a push to the branch of an app builds it; the newest wins, in whatever order they come', async (t) => {
  const shop = await makeApp(app, 'Shop', {
    source: { repo: 'Larkspur/web' }, auto_deploy: { enabled: true, branch: 'main', paths: ['web'] }
  })
  const builds = async () =>
    (await app.inject({ url: `/deployments/apps/${shop.id}/builds`, headers: asAdmin })).json().items
      .map((build: { commit: string }) => build.commit[0])
  const at = 1_781_000_000
  const second = pushOf({ before: 'b', after: 'c', at })
  await deliver(app, 'push', second)
  await settleHooks(app)
  t.same(await builds(), ['c'])
  await deliver(app, 'push', pushOf({ before: 'a', after: 'b', at }))
  await deliver(app, 'push', pushOf({ before: '9', after: 'a', at: at - 60 }))
  await deliver(app, 'push', second)
  await settleHooks(app)
  t.same(await builds(), ['c'], 'earlier ones that come later are not built')
  await deliver(app, 'push', pushOf({ before: 'c', after: 'd', at: at + 1, ref: 'refs/heads/other' }))
  await deliver(app, 'push', pushOf({ before: 'c', after: '0', at: at + 1, ref: 'refs/heads/gone' }))
  await deliver(app, 'push', pushOf({ before: '0', after: 'e', at: at + 1, ref: 'refs/tags/main' }))
  const elsewhere = [{ message: 'Docs', added: ['docs/a.md'], removed: [], modified: [] }]
  await deliver(app, 'push', pushOf({ before: 'c', after: 'd', at: at + 2, commits: elsewhere }))
  await settleHooks(app)
  t.same(await builds(), ['c'], 'nor what concerns it not')
  await deliver(app, 'push', pushOf({ before: 'd', after: 'e', at: at + 3, more: { forced: true } }))
  await settleHooks(app)
  t.same(await builds(), ['e', 'c'])
})

const poison = async () => {
  await sql`create or replace function poison() returns trigger language plpgsql as
    'begin if new.after = repeat(''6'', 40) then raise exception ''poison''; end if; return new; end'`.execute(app.db)
  await sql`create trigger poison before insert on codehost_activity for each row execute function poison()`
    .execute(app.db)
}

const comeDue = () => app.db.updateTable('codehost_receipt').set({ next_attempt_at: new Date(0) })
  .where('status', '=', 'queued').execute()

const rowOf = (id: string) => app.db.selectFrom('codehost_receipt').selectAll().where('id', '=', id)
  .executeTakeFirstOrThrow()

t.test('J75: what cannot be processed is tried again and parked, and holds up nothing else', async (t) => {
  await forget()
  await poison()
  const bad = pushOf({ before: '5', after: '6', at: 1_782_000_000 })
  const { receipt_id: id } = (await deliver(app, 'push', bad, { delivery: 'bad' })).json()
  const next = pushOf({ before: '6', after: '7', at: 1_782_000_060 })
  const { receipt_id: good } = (await deliver(app, 'push', next)).json()
  await settleHooks(app)
  t.match(await rowOf(id), { status: 'queued', attempts: 1 })
  t.ok((await rowOf(id)).next_attempt_at > new Date(), 'not at once')
  t.equal((await rowOf(good)).status, 'processed')
  for (const attempts of [2, 3, 4]) {
    await comeDue()
    await settleHooks(app)
    t.match(await rowOf(id), { status: 'queued', attempts })
  }
  await comeDue()
  await settleHooks(app)
  t.match(await rowOf(id), { status: 'failed', attempts: 5, error_code: 'processing_failed' })
  const listed = (await app.inject({ url: '/codehost/receipts?status=failed', headers: asAdmin })).json()
  t.same(listed.items.map((item: { receipt_id: string }) => item.receipt_id), [id])
  await sql`drop trigger poison on codehost_activity`.execute(app.db)
  t.match((await deliver(app, 'push', bad, { delivery: 'bad' })).json(), { receipt_id: id, status: 'queued' },
    'sent again, it gets a new chance')
  await settleHooks(app)
  t.match(await rowOf(id), { status: 'processed', error_code: null })
})

t.test('J75: a look that dies is repeated, and not for ever', async (t) => {
  const { receipt_id: id } = (await deliver(app, 'ping', { zen: 'Half measures are as bad as nothing at all.' })).json()
  // As the claim of a process that was killed leaves it.
  const claimed = (attempts: number, due: Date) => app.db.updateTable('codehost_receipt')
    .set({ attempts, next_attempt_at: due }).where('id', '=', id).execute()
  await claimed(1, new Date(Date.now() + 60_000))
  await settleHooks(app)
  t.match(await rowOf(id), { status: 'queued', attempts: 1 }, 'another process may still hold it')
  await claimed(5, new Date(0))
  await settleHooks(app)
  t.match(await rowOf(id), { status: 'failed', attempts: 5, error_code: 'gave_up' })
})

t.test('a receipt that crashes its process does not hold up the others for ever', async (t) => {
  const commitsAt = async (attempts: number) => {
    await forget()
    for (const after of ['1', '2', '3']) await deliver(app, 'push', pushOf({ before: '0', after }))
    await app.db.updateTable('codehost_receipt').set({ attempts }).execute()
    const crossed: string[] = []
    const deps = { db: app.db, jobs: app.jobs, log: app.log, failpoint: (point: string) => { crossed.push(point) } }
    await workDueBatches(deps, receiptKind, new AbortController().signal)
    t.equal(crossed.filter((point) => point === 'webhook.before_settle').length, 3)
    return crossed.filter((point) => point === 'webhook.after_settle').length
  }
  t.equal(await commitsAt(0), 1, 'receipts at their first attempt are processed together')
  t.equal(await commitsAt(1), 3, 'and alone when that came to nothing')
})

t.test('B17: when rights change at the code host, none are taken for granted', async (t) => {
  const { workspace_id, admin_id: user_id } = app.home
  const seen = async () => (await app.db.selectFrom('codehost_repository_access').select('repo_id')
    .where('repo_id', 'in', ['1', '2', '3']).orderBy('repo_id').execute()).map((row) => row.repo_id)
  const see = async (id: string, full_name: string) => {
    await app.db.insertInto('codehost_repository')
      .values({ workspace_id, id, full_name, default_branch: 'main', private: true })
      .onConflict((conflict) => conflict.doNothing()).execute()
    await app.db.insertInto('codehost_repository_access')
      .values({ workspace_id, user_id, repo_id: id, permission: 'read' })
      .onConflict((conflict) => conflict.doNothing()).execute()
  }
  for (const [id, name] of [['1', 'birch/one'], ['2', 'birch/two'], ['3', 'oak/one']] as const) await see(id, name)
  const repository = { id: 1, full_name: 'birch/one', private: true, default_branch: 'main' }
  await deliver(app, 'member', { action: 'removed', member: { login: 'bruno' }, repository })
  await settleHooks(app)
  t.same(await seen(), ['2', '3'], 'of the repository')
  await see('1', 'birch/one')
  await deliver(app, 'organization', { action: 'member_removed', organization: { login: 'Birch' } })
  await settleHooks(app)
  t.same(await seen(), ['3'], 'of all of the owner')
})
