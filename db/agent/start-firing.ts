import { v7 as uuid } from 'uuid'
import { now } from '../clock.js'
import { announceWork, type WorkKey } from '../durable/leases.js'
import { insertAudit } from '../audit.js'
import type { Db } from '../index.js'
import { liveStatuses } from './runs.js'
import { savePrompt } from './start-run.js'

export interface FiringRun {
  workspace_id: string
  user_id: string
  session_id: string
  run_id: string
  principal: object
  content: unknown[]
  search_text: string
  title: string
  model: string
  system: { hash: string, text: string }
  budget_usd_micros: number
}

/** @returns how many conversations of the person are being answered */
export const countLive = async (db: Db, workspaceId: string, userId: string): Promise<number> =>
  (await db.selectFrom('agent_run').select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId).where('user_id', '=', userId).where('kind', '=', 'chat')
    .where('status', 'in', ['ready', 'running']).executeTakeFirstOrThrow()).count

const insertSession = async (trx: Db, run: FiringRun): Promise<void> => {
  const { workspace_id, user_id, session_id, run_id, system, budget_usd_micros } = run
  await savePrompt(trx, workspace_id, system.hash, system.text)
  await trx.insertInto('agent_session').values({
    workspace_id,
    id: session_id,
    user_id,
    title: run.title,
    title_source: 'user',
    model: run.model,
    system_hash: system.hash,
    next_message: 2,
    budget_usd_micros
  }).execute()
  await trx.insertInto('agent_message').values({
    workspace_id,
    session_id,
    id: uuid(),
    run_id,
    seq: 1,
    role: 'user',
    content: JSON.stringify(run.content),
    search_text: run.search_text,
    stop_reason: null
  }).execute()
}

/**
 * Begins the run of a firing in a session of its own: ready, for whichever process claims it.
 * @returns false when the firing does not wait any more
 */
export const startFiringRun = (db: Db, firing: WorkKey & { trigger_id: string }, run: FiringRun): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { workspace_id, user_id, session_id, run_id } = run
    const started = await trx.updateTable('agent_trigger_firing')
      .set({ status: 'started', session_id, run_id, started_at: now })
      .where('workspace_id', '=', workspace_id).where('id', '=', firing.id).where('status', '=', 'queued')
      .returning('id').executeTakeFirst()
    if (!started) return false
    await insertSession(trx, run)
    await trx.insertInto('agent_run').values({
      workspace_id,
      id: run_id,
      session_id,
      user_id,
      principal: JSON.stringify(run.principal),
      status: 'ready',
      reason: null,
      lease_owner: null,
      idempotency_key: null,
      request_hash: null,
      budget_usd_micros: run.budget_usd_micros
    }).execute()
    await trx.updateTable('agent_trigger').set({ last_run_at: now }).where('workspace_id', '=', workspace_id)
      .where('id', '=', firing.trigger_id).execute()
    await insertAudit(trx, {
      // As that of a chat: what the run asks for leads back to it.
      id: run.run_id,
      workspace_id,
      user_id,
      via: 'system',
      via_id: null,
      operation: 'startFiring',
      target: firing.trigger_id,
      outcome: 'succeeded',
      status: 200,
      remote_address: null,
      request_id: firing.id
    })
    await announceWork(trx, 'agent_run')
    return true
  })

/**
 * Adds a note to the session of a firing that was resolved, once, and only between runs: what a run writes has its
 * number already.
 */
export const noteResolved = (db: Db, { workspace_id, id }: WorkKey, note: { context: string, text: string }):
Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const firing = await trx.selectFrom('agent_trigger_firing').select(['session_id', 'run_id'])
      .where('workspace_id', '=', workspace_id).where('id', '=', id).where('resolved_at', 'is not', null)
      .where('noted_at', 'is', null).forUpdate().executeTakeFirst()
    if (!firing?.session_id || !firing.run_id) return false
    const { session_id, run_id } = firing
    // Locked first: a run that begins meanwhile is seen by the next statement, or waits.
    const session = await trx.selectFrom('agent_session').select('next_message')
      .where('workspace_id', '=', workspace_id).where('id', '=', session_id).forUpdate().executeTakeFirst()
    const live = await trx.selectFrom('agent_run').select('id').where('workspace_id', '=', workspace_id)
      .where('session_id', '=', session_id).where('status', 'in', liveStatuses).executeTakeFirst()
    if (!session || live) return false
    await trx.insertInto('agent_message').values({
      workspace_id,
      session_id,
      id: uuid(),
      run_id,
      seq: session.next_message,
      role: 'user',
      content: JSON.stringify([{ type: 'text', text: note.context }, { type: 'text', text: note.text }]),
      search_text: note.text,
      stop_reason: null
    }).execute()
    await trx.updateTable('agent_session').set({ next_message: session.next_message + 1 })
      .where('workspace_id', '=', workspace_id).where('id', '=', session_id).execute()
    await trx.updateTable('agent_trigger_firing').set({ noted_at: now }).where('workspace_id', '=', workspace_id)
      .where('id', '=', id).execute()
    return true
  })
