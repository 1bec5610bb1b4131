import type { Db } from '../index.js'
import { statement } from '../statement.js'

export interface NewRun {
  workspace_id: string
  user_id: string
  session_id: string
  run_id: string
  message_id: string
  principal: object
  content: unknown[]
  search_text: string
  idempotency_key: string | null
  request_hash: Buffer | null
  budget_usd_micros: number
  lease_owner: string
  lease_ms: number
  max_live: number
  request_id: string
  remote_address: string
  via: string
  via_id: string | null
}

export interface NewSession {
  model: string
  system_hash: string
  title: string
  budget_usd_micros: number
}

export interface Started {
  live: number
  /** null when too many runs are live; the rest is then null too */
  run_id: string | null
  seq: number
  model: string
  system_hash: string
  title: string | null
  spent: number
  budget: number
  created_at: Date
}

type RunParams = Omit<NewRun, 'principal' | 'content' | 'lease_ms'> & {
  principal: string
  content: string
  lease_s: number
}
type Param = (name: keyof RunParams) => string

/** A live run of the same session does not count: it is the reason for `session_busy`, or it gives way. */
const live = (param: Param) => `live as (
  select count(*)::integer as live from agent_run where workspace_id = ${param('workspace_id')}::uuid
    and user_id = ${param('user_id')}::uuid and status in ('ready', 'running', 'awaiting_confirmation')
    and kind = 'chat' and session_id <> ${param('session_id')}::uuid)`

/** Message, run with its lease, and audit row; nothing of it when the session row did not come back. */
const rest = (param: Param) => {
  const [workspace, run] = [`${param('workspace_id')}::uuid`, `${param('run_id')}::uuid`]
  return `
message as (
  insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text)
  select ${workspace}, id, ${param('message_id')}::uuid, ${run}, seq, 'user', ${param('content')}::json,
    ${param('search_text')} from session),
run as (
  insert into agent_run (workspace_id, id, session_id, user_id, principal, status, attempts, lease_owner, lease_epoch,
    lease_until, idempotency_key, request_hash, budget_usd_micros)
  select ${workspace}, ${run}, id, ${param('user_id')}::uuid, ${param('principal')}::json, 'running', 1,
    ${param('lease_owner')}::uuid, 1, now() + make_interval(secs => ${param('lease_s')}), ${param('idempotency_key')},
    ${param('request_hash')}::bytea, ${param('budget_usd_micros')}::bigint from session
  returning id, created_at),
audited as (
  insert into audit (workspace_id, id, user_id, via, via_id, operation, target, outcome, status, remote_address,
    request_id)
  select ${workspace}, ${run}, ${param('user_id')}::uuid, ${param('via')}, ${param('via_id')}::uuid, 'chat', id::text,
    'succeeded', 200, ${param('remote_address')}, ${param('request_id')} from session)
select live.live, run.id as run_id, session.seq, session.model, session.system_hash, session.title,
  session.spent_usd_micros as spent, session.budget_usd_micros as budget, run.created_at
from live left join session on true left join run on true`
}

type SessionParams = RunParams & { model: string; system_hash: string; title: string; session_budget: number }

const insertWithSession = statement<SessionParams, Started>(
  (param) => `with ${live(param)},
session as (
  insert into agent_session (workspace_id, id, user_id, title, title_source, model, system_hash, next_message,
    budget_usd_micros)
  select ${param('workspace_id')}::uuid, ${param('session_id')}::uuid, ${param('user_id')}::uuid, ${param('title')},
    'fallback', ${param('model')}, ${param('system_hash')}, 2, ${param('session_budget')}::bigint
  from live where live < ${param('max_live')}::integer
  returning id, 1::bigint as seq, model, system_hash, title, spent_usd_micros, budget_usd_micros),
${rest(param)}`
)

const insertInSession = statement<RunParams, Started>(
  (param) => `with ${live(param)},
session as (
  update agent_session set next_message = next_message + 1, last_activity_at = now()
  from live where workspace_id = ${param('workspace_id')}::uuid and id = ${param('session_id')}::uuid
    and user_id = ${param('user_id')}::uuid and deleted_at is null and live.live < ${param('max_live')}::integer
  returning id, next_message - 1 as seq, model, system_hash, title, spent_usd_micros, budget_usd_micros),
${rest(param)}`
)

const toParams = (run: NewRun): RunParams => ({
  ...run,
  principal: JSON.stringify(run.principal),
  content: JSON.stringify(run.content),
  lease_s: run.lease_ms / 1_000
})

/** Begins a run in a new session, in one statement, already leased by the caller. */
export const startInNewSession = async (db: Db, run: NewRun, session: NewSession): Promise<Started> => {
  const { budget_usd_micros: session_budget, ...named } = session
  return first(await insertWithSession(db, { ...toParams(run), ...named, session_budget }))
}

/**
 * Begins a run in a session of the caller, in one statement.
 * @returns undefined when there is no such session
 * @throws the database's 23505 on `agent_run_live` when a run of the session is live
 */
export const startInSession = async (db: Db, run: NewRun): Promise<Started | undefined> => {
  const started = first(await insertInSession(db, toParams(run)))
  return started.run_id === null && started.live < run.max_live ? undefined : started
}

const first = (rows: Started[]): Started => {
  const [row] = rows
  if (!row) throw new Error('The statement always answers one row')
  return row
}

/** @returns the run that an earlier chat request with this key began */
export const findRunByKey = (db: Db, workspaceId: string, userId: string, key: string) =>
  db
    .selectFrom('agent_run')
    .select(['id', 'session_id', 'status', 'request_hash'])
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()

export const ensurePrompt = async (db: Db, workspaceId: string, hash: string, text: string): Promise<void> => {
  await db
    .insertInto('agent_prompt')
    .values({ workspace_id: workspaceId, hash, text })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const findPrompt = async (db: Db, workspaceId: string, hash: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('agent_prompt')
    .select('text')
    .where('workspace_id', '=', workspaceId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.text
}

export const projectExists = async (db: Db, workspaceId: string, id: string): Promise<boolean> =>
  (await db
    .selectFrom('account_project')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined
