import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import t from '../../tap.js'
import { v7 as uuid } from 'uuid'
import { runLeases } from '../../../db/agent/runs.js'
import { dueReceipts, insertReceipts } from '../../../db/codehost/receipts.js'
import { asAdmin, buildApp, type App } from '../../app.js'
import { seenBy } from '../../attacks/three-workspaces.js'
import { chat } from '../../chat.js'
import { makeWorkspace } from '../../routes/account/actors.js'

t.setTimeout(120_000)
const app = await buildApp(t, { WORKER: 'false', LIMITS: '{"live_runs_per_user":50}' })
const { id: otherId, headers } = await makeWorkspace(app, 'Other')
const other = await seenBy(app, headers)
const homeId = app.home.workspace_id

const makeReceipts = async (workspaceId: string, count: number): Promise<void> => {
  for (let i = 0; i < count; i++) {
    const id = uuid()
    await insertReceipts(app.db, workspaceId, [{
      workspace_id: workspaceId,
      id,
      delivery_id: id,
      event: 'ping',
      action: null,
      content_type: 'application/json',
      body: Buffer.from(id),
      body_sha256: createHash('sha256').update(id).digest(),
      secret_id: '0',
      hook_id: null
    }])
  }
}

const countBy = (rows: readonly { workspace_id: string }[]) => ({
  home: rows.filter(({ workspace_id: id }) => id === homeId).length,
  other: rows.filter(({ workspace_id: id }) => id === otherId).length
})

const receipts = async () => countBy(await app.db.selectFrom('codehost_receipt').select('workspace_id').execute())

/** Runs a job that a schedule runs. */
const runJob = async (name: string): Promise<void> => {
  await app.jobs.enqueue(app.db, name, {})
  await app.jobs.drain()
}

t.test('of receipts that are due, a workspace with few waits for none of one with many', async (t) => {
  await makeReceipts(homeId, 60)
  await makeReceipts(otherId, 3)
  await sql`update codehost_receipt set next_attempt_at = now() - interval '1 hour' where workspace_id = ${homeId}`
    .execute(app.db)
  const first = countBy(await dueReceipts.claim(app.db, 20))
  t.same(first.other, 3, 'all of them at once, though each came after the sixty')
  t.ok(first.home >= 10, 'the other half is of the one with many')
  t.same(countBy(await dueReceipts.claim(app.db, 20)), { home: 20, other: 0 }, 'which has all when it is alone')
})

t.test('where more workspaces have receipts than are taken at once, none waits for another to be done', async (t) => {
  await sql`update codehost_receipt set next_attempt_at = now() + interval '1 hour'`.execute(app.db)
  const ids = []
  for (const name of ['One', 'Two', 'Three']) ids.push((await makeWorkspace(app, name)).id)
  for (const id of ids) await makeReceipts(id, 60)
  const seen = new Set<string>()
  for (let i = 0; i < 45; i++) for (const row of await dueReceipts.claim(app.db, 1)) seen.add(row.workspace_id)
  t.same([...seen].toSorted(), ids.toSorted())
})

t.test('the sweep of old receipts does every workspace', async (t) => {
  await sql`update codehost_receipt set status = 'processed', received_at = now() - interval '1 year'
    where workspace_id in (${homeId}, ${otherId})`.execute(app.db)
  await runJob('codehost.purge-receipts')
  t.same(await receipts(), { home: 0, other: 0 })
})

const startRuns = async (at: App, count: number): Promise<string[]> => {
  const sessions: string[] = []
  for (let i = 0; i < count; i++) sessions.push((await chat(at, { message: 'hello' })).session)
  return sessions
}

t.test('runs that wait are claimed from each workspace in turn', async (t) => {
  await startRuns(app, 6)
  await startRuns(other, 2)
  await sql`update agent_run set status = 'ready', lease_owner = null, lease_until = null,
    wake_at = now() - case when workspace_id = ${homeId} then interval '2 hours' else interval '1 hour' end`
    .execute(app.db)
  const claimant = { owner: uuid(), leaseMs: 1_000, holds: [], takes: { unowned: true, lapsed: true } }
  const { keys } = await runLeases.findClaimable(app.db, 4, claimant)
  t.same(countBy(keys), { home: 2, other: 2 }, 'though six are older than the two')
  await sql`update agent_run set status = 'done'`.execute(app.db)
})

t.test('the sweep of deleted sessions does every workspace, however much one has deleted', async (t) => {
  const [mine] = await startRuns(app, 1)
  const [theirs] = await startRuns(other, 1)
  for (const [at, id] of [[app, mine], [other, theirs]] as const) {
    const answer = await at.inject({ method: 'DELETE', url: `/api/v1/agent/sessions/${id}`, headers: asAdmin })
    t.equal(answer.statusCode, 204)
  }
  const { rows: [row] } = await sql<{ session: object }>`select row_to_json(s) as session from agent_session s
    where id = ${mine}`.execute(app.db)
  for (let i = 0; i < 250; i++) {
    await sql`insert into agent_session select * from json_populate_record(null::agent_session,
      ${JSON.stringify({ ...row?.session, id: uuid() })}::json)`.execute(app.db)
  }
  await sql`update agent_session set deleted_at = now() - interval '2 days' where deleted_at is not null`
    .execute(app.db)
  await runJob('agent.purge-sessions')
  const { rows: left } = await sql<{ workspace_id: string }>`select workspace_id from agent_session
    where deleted_at is not null`.execute(app.db)
  t.same(left, [])
})
