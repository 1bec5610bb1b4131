import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../tap.js'
import { sql } from 'kysely'
import { Effects, outcomeOf, recordEffects } from '../../db/effects.js'
import { releaseUnsent } from '../../db/idempotency.js'
import { keyScope } from '../../lib/http/requests.js'
import { Outbound } from '../../plugins/outbound.js'
import { ticketHeader, type Principal } from '../../lib/security/principal.js'
import { asAdmin, workspace } from '../app.js'
import { steer as codehostSandbox } from '../routes/codehost/actors.js'
import { steer } from '../routes/infrastructure/sandbox.js'

const app = await workspace(t, { WORKER: 'false' })
const sandbox = steer(app)
const [account] = (await app.inject({ url: '/cloud/accounts', headers: asAdmin })).json().items
const scaleOf = (name: string) => {
  const id = `${account.id}~eu-west-1~prod~${name}`
  return `/infrastructure/containers/services/${encodeURIComponent(id)}/scale`
}
const scaleUrl = scaleOf('web')
const principal: Principal = {
  workspace_id: app.home.workspace_id,
  user_id: app.home.admin_id,
  name: 'Administrator',
  role: 'admin',
  bindings: null,
  scopes: null,
  via: 'token',
  via_id: null
}

/** Calls a route as the assistant does: inside this process, and with a record of what it sends. */
const call = async (url: string, payload: object, key?: string) => {
  const effects = new Effects()
  const answer = await recordEffects(effects, () => app.inject({
    method: 'POST',
    url,
    headers: { [ticketHeader]: app.tickets.issue(principal), ...(key && { 'idempotency-key': key }) },
    payload
  }))
  return { effects, answer, status: answer.statusCode, outcome: outcomeOf(effects, answer.statusCode) }
}
const count = ({ calls, commits }: Effects) => ({ calls: { ...calls }, commits: { ...commits } })

const scopeOf = (operation: string, url: string, key: string) => keyScope(principal, `${operation} ${url}`, key)
const rowOf = async (key: string) => app.db.selectFrom('idempotency_key').select(['status', 'sent_at'])
  .where('key', '=', key).executeTakeFirst()

t.beforeEach(async () => {
  await sandbox.clear()
  await sandbox.deny()
})

t.test('a write that fails at a read before it was sent has failed', async (t) => {
  await sandbox.fault({ kind: 'error_500', operation: 'DescribeServices', times: 0 })
  const { status, outcome, effects } = await call(scaleUrl, { desired_count: 3 })
  t.same([status, outcome], [502, 'failed'])
  t.same(count(effects), { calls: { begun: 0, undone: 0 }, commits: { begun: 0, undone: 0 } })
})

t.test('a write that AWS refused, or that never got through, has failed', async (t) => {
  await sandbox.deny('ecs:UpdateService')
  const refused = await call(scaleUrl, { desired_count: 3 })
  t.same([refused.status, refused.outcome], [403, 'failed'])
  t.same(refused.effects.calls, { begun: 1, undone: 1 })
  await sandbox.deny()
  await sandbox.fault({ kind: 'throttle', operation: 'UpdateService', times: 0 })
  const throttled = await call(scaleUrl, { desired_count: 3 })
  t.same([throttled.status, throttled.outcome], [503, 'failed'])
})

t.test('a write whose answer was lost, cut or a server error is unknown', async (t) => {
  for (const fault of [{ kind: 'drop' }, { kind: 'drop', executed: true }, { kind: 'error_500' }]) {
    await sandbox.fault({ ...fault, operation: 'UpdateService' })
    const { status, outcome, effects } = await call(scaleUrl, { desired_count: 5 })
    t.ok(status >= 500, String(status))
    t.equal(outcome, 'unknown', JSON.stringify(fault))
    t.same(effects.calls, { begun: 1, undone: 0 })
    await call(scaleUrl, { desired_count: 2 })
  }
})

t.test('half of a write done and the rest refused is unknown, whatever the status says', async (t) => {
  await sandbox.deny('ecs:UpdateService')
  const { status, outcome, effects } = await call(scaleOf('api'), { desired_count: 20, autoscaling: 'adjust' },
    'half')
  t.same([status, outcome], [403, 'unknown'])
  t.same(effects.calls, { begun: 2, undone: 1 })
  t.match(await rowOf('half'), { status: 403 }, 'the key is not free for another try')
})

t.test('a success is one', async (t) => {
  const { outcome, effects } = await call(scaleUrl, { desired_count: 2 })
  t.equal(outcome, 'succeeded')
  t.equal(effects.called, false, 'the count was 2 already, so nothing was sent')
  const changed = await call(scaleUrl, { desired_count: 3 })
  t.same([changed.outcome, changed.effects.called], ['succeeded', true])
  await call(scaleUrl, { desired_count: 2 })
})

t.test('what is written to the code host counts, what is read there does not', async (t) => {
  const file = { path: 'a.md', content: 'a' }
  const codehost = codehostSandbox(app)
  await codehost.fault({ kind: 'error_502', operation: 'getRepository', times: 2 })
  const early = await call('/codehost/repos/7001/pulls', { title: 'A', head: 'point/a', files: [file] })
  t.same([early.status, early.outcome, early.effects.calls], [502, 'failed', { begun: 0, undone: 0 }])
  await codehost.fault({ kind: 'drop', operation: 'createPull', executed: true, times: 2 })
  await codehost.fault({ kind: 'error_502', operation: 'listPulls', after: 1, times: 4 })
  const late = await call('/codehost/repos/7001/pulls', { title: 'B', head: 'point/b', files: [file] })
  t.same([late.status, late.outcome], [502, 'unknown'])
})

t.test('what is sent to addresses counts; a connection that never was does not', async (t) => {
  const server = http.createServer((request, response) => {
    if (request.url === '/cut') return request.socket.destroy()
    response.writeHead(Number(request.url?.slice(1))).end()
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const { port } = server.address() as AddressInfo
  const outbound = new Outbound({ allow: ['127.0.0.1'] })
  const send = async (path: string, method: 'GET' | 'POST' = 'POST', to = port) => {
    const effects = new Effects()
    await recordEffects(effects, () => outbound.fetch({ url: `http://127.0.0.1:${to}${path}`, method }))
      .catch(() => undefined)
    return effects.calls
  }
  t.same(await send('/500', 'GET'), { begun: 0, undone: 0 })
  t.same(await send('/204'), { begun: 1, undone: 0 })
  t.same(await send('/422'), { begun: 1, undone: 1 })
  t.same(await send('/503'), { begun: 1, undone: 0 })
  t.same(await send('/cut'), { begun: 1, undone: 0 })
  await new Promise((resolve) => { server.close(resolve) })
  t.same(await send('/204', 'POST', port), { begun: 1, undone: 1 }, 'the server does not listen any more')
})

t.test('what the database refuses is not there; what it may have committed is unknown', async (t) => {
  const taken = await call('/account/projects', { name: 'Point' })
  t.same([taken.status, taken.outcome, taken.effects.committed], [201, 'succeeded', true])
  const again = await call('/account/projects', { name: 'Point' })
  t.same([again.status, again.outcome], [409, 'failed'])

  const breakAt = async (moment: 'before' | 'after') => {
    await sql`create or replace function break_off () returns trigger language plpgsql as
      $$ begin raise exception 'gone' using errcode = '57P01'; end $$`.execute(app.db)
    await sql.raw(`create trigger break_off ${moment} insert on account_project
      for each row execute function break_off()`).execute(app.db)
    const broken = await call('/account/projects', { name: `Broken ${moment}` })
    await sql`drop trigger break_off on account_project`.execute(app.db)
    return [broken.status, broken.outcome]
  }
  t.same(await breakAt('before'), [503, 'unknown'])

  await sql`alter table account_project rename to account_project_away`.execute(app.db)
  const failed = await call('/account/projects', { name: 'Away' })
  await sql`alter table account_project_away rename to account_project`.execute(app.db)
  t.same([failed.status, failed.outcome], [500, 'failed'], 'a server error before any commit left nothing')
})

t.test('after the caller has gone nothing more is sent: the outcome failed stays true', async (t) => {
  await sandbox.fault({ kind: 'slow', operation: 'DescribeScalableTargets', delay_ms: 1_500 })
  const before = await sandbox.calls('UpdateService')
  const reads = await sandbox.calls('DescribeScalableTargets')
  const effects = new Effects()
  const work = recordEffects(effects, () => app.inject({
    method: 'POST',
    url: scaleUrl,
    headers: { [ticketHeader]: app.tickets.issue(principal), 'idempotency-key': 'late' },
    payload: { desired_count: 4 }
  }))
  for (let now = reads; now === reads;) now = await sandbox.calls('DescribeScalableTargets')
  effects.abandon()
  t.equal(outcomeOf(effects, undefined), 'failed')
  const answer = await work
  t.match(answer.json(), { status: 503, code: 'overloaded', detail: /nothing had been sent: nothing was done/ })
  t.equal(await sandbox.calls('UpdateService'), before)
  t.equal(await rowOf('late'), undefined, 'and the key is free')

  const commit = new Effects()
  commit.abandon()
  const project = await recordEffects(commit, () => app.inject({
    method: 'POST',
    url: '/account/projects',
    headers: { [ticketHeader]: app.tickets.issue(principal) },
    payload: { name: 'Nobody waits' }
  }))
  t.equal(project.statusCode, 503)
  const { items } = (await app.inject({ url: '/account/projects?q=Nobody', headers: asAdmin })).json()
  t.same(items, [], 'nor is anything committed')
})

t.test('the key\'s row is marked as sent before the request goes on the wire', async (t) => {
  await sandbox.fault({ kind: 'slow', operation: 'UpdateService', delay_ms: 1_000 })
  const work = call(scaleUrl, { desired_count: 6 }, 'marked')
  const calls = await sandbox.calls('UpdateService')
  for (let now = calls; now === calls;) now = await sandbox.calls('UpdateService')
  t.match(await rowOf('marked'), { status: null, sent_at: Date })
  t.equal(await releaseUnsent(app.db, scopeOf('scaleService', scaleUrl, 'marked')), false, 'it is not sent again')
  t.equal((await work).outcome, 'succeeded')
  await call(scaleUrl, { desired_count: 2 })
})

t.test('a commit marks its key in the same transaction', async (t) => {
  await call('/account/projects', { name: 'Marked' }, 'commit')
  t.match(await rowOf('commit'), { status: 201, sent_at: Date })
  await call('/account/projects', { name: 'Marked' }, 'no-commit')
  t.match(await rowOf('no-commit'), { status: 409 })
})

t.test('a request whose key was taken over sends nothing: only one of the two is carried out', async (t) => {
  await sandbox.fault({ kind: 'slow', operation: 'DescribeScalableTargets', delay_ms: 1_500 })
  const before = await sandbox.calls('UpdateService')
  const reads = await sandbox.calls('DescribeScalableTargets')
  const first = call(scaleUrl, { desired_count: 7 }, 'taken')
  for (let now = reads; now === reads;) now = await sandbox.calls('DescribeScalableTargets')
  t.same(await rowOf('taken'), { status: null, sent_at: null })
  t.equal(await releaseUnsent(app.db, scopeOf('scaleService', scaleUrl, 'taken')), true, 'it had sent nothing')
  const second = await call(scaleUrl, { desired_count: 7 }, 'taken')
  t.same([second.status, second.outcome], [200, 'succeeded'])
  const late = await first
  t.same([late.status, late.outcome], [503, 'failed'])
  t.equal(await sandbox.calls('UpdateService') - before, 1)
  t.match(await rowOf('taken'), { status: 200 }, 'the answer of the one that was carried out stays')
  await call(scaleUrl, { desired_count: 2 })
})

t.test('a row of an earlier version, which marked nothing, is not taken for unsent', async (t) => {
  const scope = scopeOf('scaleService', scaleUrl, randomUUID())
  await app.db.insertInto('idempotency_key').values({ ...scope, body_hash: Buffer.from('x') }).execute()
  t.equal(await releaseUnsent(app.db, scope), false)
})

t.test('a read is no write, and counts nothing', async (t) => {
  const effects = new Effects()
  const answer = await recordEffects(effects, () =>
    app.inject({ url: '/infrastructure/containers/services/web', headers: asAdmin }))
  t.equal(answer.statusCode, 200)
  t.same(count(effects), { calls: { begun: 0, undone: 0 }, commits: { begun: 0, undone: 0 } })
})
