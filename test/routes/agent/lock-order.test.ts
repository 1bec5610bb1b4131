import t from '../../tap.js'
import { sql } from 'kysely'
import { decideConfirmation, lockConfirmation } from '../../../db/agent/confirmations.js'
import { markAnnounced } from '../../../db/agent/questions.js'
import { commit } from '../../../routes/agent/lib/run/commit.js'
import type { RunState } from '../../../routes/agent/lib/run/run-state.js'
import { chat, framesOf, scripted, startChatApp, until } from '../../chat.js'

const { app, anthropic } = await startChatApp(t, { WORKER: 'false' })
const { workspace_id: workspace, admin_id: person } = app.home
const call = { type: 'tool_use' as const, name: 'createProject', input: { name: 'Harbour' } }

const isWaiting = async (): Promise<boolean> => (await sql<{ waits: boolean }>`select exists (select from
  pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(app.db))
  .rows[0]?.waits === true

t.test('a decision and the announcement of its question wait for each other in one order', {
  skip: app.database.embedded && 'one connection waits for nobody'
}, async (t) => {
  const { frames, session, run } = await chat(app, { message: scripted(anthropic, [{ content: [call] }]) })
  const id = String(framesOf(frames, 'confirmation_required')[0]?.data.confirmation_id)
  const { lease_epoch: epoch } = await app.db.updateTable('agent_run').set({ status: 'running' })
    .where('workspace_id', '=', workspace).where('id', '=', run).returning('lease_epoch').executeTakeFirstOrThrow()
  const key = { workspace_id: workspace, run_id: run, session_id: session, user_id: person, epoch }
  const channel = { write: (_events: unknown, store: (rows: never[], position: number) => unknown) => store([], 9) }
  // All of a run's state that storing a step without events reads.
  const state = Object.assign({} as RunState, { key, channel, step: 0 })
  let announced: Promise<void> | undefined
  await app.db.transaction().execute(async (trx) => {
    t.ok(await lockConfirmation(trx, workspace, session, id))
    announced = commit({ db: app.db, first: (other) => markAnnounced(other, workspace, [id]) }, state,
      { status: 'running' }, [])
    await until(isWaiting)
    t.ok(await decideConfirmation(trx, workspace, { id, status: 'rejected', reason: null, decided_by: person }))
  })
  await announced
  t.match(await app.db.selectFrom('agent_confirmation').select(['status', 'announced'])
    .where('workspace_id', '=', workspace).where('id', '=', id).executeTakeFirst(),
  { status: 'rejected', announced: true })
})
