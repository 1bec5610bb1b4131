import type { Effort } from '../../schemas/agent/models.js'
import { duplicateOf } from '../connection-errors.js'
import type { Db } from '../index.js'
import { statement } from '../statement.js'
import { homeOf } from './commit-statement.js'
import { preferencesVersion } from './preferences.js'
import type { RunStatus } from './tables.js'

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
  max_waiting: number
  /** The model that is configured now; a session that had another one moves on to it, unless it was chosen there. */
  model: string
  /** What the person chose for a session that begins; undefined = as configured. */
  own_model?: string
  effort?: Effort
  thinking?: string
  request_id: string
  remote_address: string
  via: string
  via_id: string | null
  /** Of the preferences that the content was made with; null = they were read for it. */
  preferences: string | null
}

export interface NewSession {
  system_hash: string
  title: string
  budget_usd_micros: number
}

export interface Started {
  /** Runs of the person's other sessions that are executed, and that wait for approvals. */
  live: number
  waiting: number
  /** Whether the person's preferences are those that the content was made with. */
  prefers: boolean
  /** null when too many runs are live or wait, or the person prefers something else; the rest is then null too */
  run_id: string | null
  seq: number
  model: string
  model_since: number
  system_hash: string
  title: string | null
  spent: number
  budget: number
  /** What the person has chosen for the session. */
  effort?: Effort | null
  thinking?: string | null
  /** As the last request of a session that goes on was measured. */
  context_tokens?: number
  context_characters?: number
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
  select count(*) filter (where status <> 'awaiting_confirmation')::integer as live,
    count(*) filter (where status = 'awaiting_confirmation')::integer as waiting
  from agent_run where workspace_id = ${param('workspace_id')}::uuid
    and user_id = ${param('user_id')}::uuid and status in ('ready', 'running', 'awaiting_confirmation')
    and kind = 'chat' and session_id <> ${param('session_id')}::uuid),
preferred as materialized (
  select coalesce(${param('preferences')}::text = found, true) as prefers
  from ${preferencesVersion(`${param('workspace_id')}::uuid`, `${param('user_id')}::uuid`)} as preferred)`

const mayBegin = (param: Param) =>
  `prefers and live.live < ${param('max_live')}::integer and live.waiting < ${param('max_waiting')}::integer`

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
  select ${workspace}, ${run}, id, ${param('user_id')}::uuid, ${param('principal')}::json, 'running', 0,
    ${param('lease_owner')}::uuid, 1, now() + make_interval(secs => ${param('lease_s')}), ${param('idempotency_key')},
    ${param('request_hash')}::bytea, ${param('budget_usd_micros')}::bigint from session
  returning id, created_at),
audited as (
  insert into audit (workspace_id, id, user_id, via, via_id, operation, target, outcome, status, remote_address,
    request_id)
  select ${workspace}, ${run}, ${param('user_id')}::uuid, ${param('via')}, ${param('via_id')}::uuid, 'chat', id::text,
    'succeeded', 200, ${param('remote_address')}, ${param('request_id')} from session)
select live.live, live.waiting, prefers, run.id as run_id, session.seq, session.model, session.model_since,
  session.system_hash, session.title, session.spent_usd_micros as spent,
  session.budget_usd_micros as budget, session.effort, session.thinking, session.context_tokens,
  session.context_characters, run.created_at
from preferred cross join live left join session on true left join run on true`
}

/** By which a repeated request finds the run that it began. */
export interface KeyOfRun { user_id: string, key: string }

/** A chat that begins a session. */
export interface NewChat { run: NewRun, session: NewSession }

/** Those of one statement do not see each other: each counts the ones of its person that come before it. */
const given = (list: string) => `given as materialized (
  select g.*, row_number() over (partition by g.user_id order by g.run_id) - 1 as before
  from json_to_recordset(${list}::json) as g(user_id uuid, session_id uuid, run_id uuid, message_id uuid,
    principal json, content json, search_text text, idempotency_key text, request_hash text, budget_usd_micros bigint,
    lease_owner uuid, lease_s double precision, max_live integer, max_waiting integer, model text, own_model text,
    effort text, thinking text, request_id text, remote_address text, via text, via_id uuid, preferences text,
    system_hash text, title text, session_budget bigint))`

/** Once for each person, by parameters: a join could read all live runs. */
const liveOf = (workspace: string) => `live as materialized (
  select person.user_id, runs.live, runs.waiting, preferred.found
  from (select distinct user_id from given) as person,
    lateral ${preferencesVersion(workspace, 'person.user_id')} as preferred,
    lateral (select count(*) filter (where status <> 'awaiting_confirmation')::integer as live,
      count(*) filter (where status = 'awaiting_confirmation')::integer as waiting
    from agent_run where workspace_id = ${workspace} and user_id = person.user_id
      and status in ('ready', 'running', 'awaiting_confirmation') and kind = 'chat' offset 0) as runs)`

const insertWithSessions = statement<{ workspace: string, chats: string }, Started & { wanted: string }>((param) => {
  const workspace = `${param('workspace')}::uuid`
  const home = homeOf(workspace)
  return `with ${given(param('chats'))},
${liveOf(workspace)},
counted as materialized (
  select given.*, live.live + given.before as live, live.waiting, coalesce(preferences = found, true) as prefers
  from given join live using (user_id), ${home}),
session as (
  insert into agent_session as made (workspace_id, id, user_id, title, title_source, model, own_model, effort,
    thinking, system_hash, next_message, budget_usd_micros)
  select home.workspace_id, session_id, user_id, title, 'fallback', coalesce(own_model, model), own_model, effort,
    thinking, system_hash, 2, session_budget
  from counted, ${home} where prefers and live < max_live and waiting < max_waiting
  returning id, model, model_since, effort, thinking, system_hash, title, spent_usd_micros, budget_usd_micros),
admitted as (select counted.* from counted join session on session.id = counted.session_id, ${home}),
message as (
  insert into agent_message (workspace_id, session_id, id, run_id, seq, role, content, search_text)
  select home.workspace_id, session_id, message_id, run_id, 1, 'user', content, search_text from admitted, ${home}),
run as (
  insert into agent_run as made (workspace_id, id, session_id, user_id, principal, status, attempts, lease_owner,
    lease_epoch, lease_until, idempotency_key, request_hash, budget_usd_micros)
  select home.workspace_id, run_id, session_id, user_id, principal, 'running', 0, lease_owner, 1,
    now() + make_interval(secs => lease_s), idempotency_key, decode(request_hash, 'hex'), budget_usd_micros
  from admitted, ${home}
  returning id, session_id, created_at),
audited as (
  insert into audit (workspace_id, id, user_id, via, via_id, operation, target, outcome, status, remote_address,
    request_id)
  select home.workspace_id, run_id, user_id, via, via_id, 'chat', session_id::text, 'succeeded', 200, remote_address,
    request_id from admitted, ${home})
select counted.run_id as wanted, counted.live::integer, counted.waiting, prefers, run.id as run_id, 1::bigint as seq,
  session.model, session.model_since, session.effort, session.thinking, session.system_hash, session.title,
  session.spent_usd_micros as spent, session.budget_usd_micros as budget, run.created_at
from counted left join session on session.id = counted.session_id left join run on run.session_id = session.id,
  ${home}`
})

const insertInSession = statement<RunParams, Started>(
  (param) => `with ${live(param)},
session as (
  update agent_session set next_message = next_message + 1, last_activity_at = now(),
    model = coalesce(own_model, ${param('model')}),
    model_since = case when model = coalesce(own_model, ${param('model')}) then model_since else next_message end
  from live, preferred where workspace_id = ${param('workspace_id')}::uuid and id = ${param('session_id')}::uuid
    and user_id = ${param('user_id')}::uuid and deleted_at is null and ${mayBegin(param)}
  returning id, next_message - 1 as seq, model, model_since, effort, thinking, system_hash, title, spent_usd_micros,
    budget_usd_micros, context_tokens, context_characters),
${rest(param)}`
)

/** @returns whether the person's runs leave no room for one more */
const isFull = ({ live, waiting }: Started, { max_live, max_waiting }: NewRun): boolean =>
  live >= max_live || waiting >= max_waiting

const toParams = (run: NewRun): RunParams => ({
  ...run,
  principal: JSON.stringify(run.principal),
  content: JSON.stringify(run.content),
  lease_s: run.lease_ms / 1_000
})

/** @returns whether an error says that a run of the session is live */
export const isSessionBusy = duplicateOf('agent_run_live')

/** @returns whether an error says that a request with the same key has begun a run */
export const isDuplicateRequest = duplicateOf('agent_run_idempotency')

const toRow = ({ run, session }: NewChat) => {
  const { budget_usd_micros: session_budget, system_hash, title } = session
  const { request_hash, lease_ms, ...rest } = run
  return {
    ...rest,
    lease_s: lease_ms / 1_000,
    request_hash: request_hash?.toString('hex'),
    system_hash,
    title,
    session_budget
  }
}

/** Begins runs of one workspace, each in a new session, in one statement, already leased by the caller. */
export const startInNewSessions = async (db: Db, workspaceId: string, chats: readonly NewChat[]):
Promise<Started[]> => {
  const rows = await insertWithSessions(db, { workspace: workspaceId, chats: JSON.stringify(chats.map(toRow)) })
  const started = new Map(rows.map(({ wanted, ...row }) => [wanted, row]))
  return chats.map(({ run }) => first([started.get(run.run_id)]))
}

/** Begins one of them. @throws as isDuplicateRequest */
export const startInNewSession = async (db: Db, run: NewRun, session: NewSession): Promise<Started> =>
  first(await startInNewSessions(db, run.workspace_id, [{ run, session }]))

/**
 * Begins a run in a session of the caller, in one statement.
 * @returns undefined when there is no such session
 * @throws as isSessionBusy, isDuplicateRequest
 */
export const startInSession = async (db: Db, run: NewRun): Promise<Started | undefined> => {
  const started = first(await insertInSession(db, toParams(run)))
  return started.run_id === null && started.prefers && !isFull(started, run) ? undefined : started
}

const first = (rows: readonly (Started | undefined)[]): Started => {
  const [row] = rows
  if (!row) throw new Error('The statement always answers one row')
  return row
}

export interface RunOfKey extends KeyOfRun {
  id: string
  session_id: string
  status: RunStatus
  request_hash: Buffer | null
}

const listByKeys = statement<{ workspace: string, users: readonly string[], keys: readonly string[] }, RunOfKey>(
  (param) => `
select run.id, run.session_id, run.status, run.request_hash, wanted.user_id, wanted.key
from unnest(${param('users')}::uuid[], ${param('keys')}::text[]) as wanted(user_id, key)
join agent_run as run on run.workspace_id = ${param('workspace')}::uuid and run.user_id = wanted.user_id
  and run.idempotency_key = wanted.key`)

/** @returns of each, the run that an earlier chat request of the person with this key began */
export const listRunsByKey = async (db: Db, workspace: string, wanted: readonly KeyOfRun[]):
Promise<(RunOfKey | undefined)[]> => {
  const users = wanted.map(({ user_id }) => user_id)
  const rows = await listByKeys(db, { workspace, users, keys: wanted.map(({ key }) => key) })
  const nameOf = ({ user_id, key }: KeyOfRun) => `${user_id} ${key}`
  const byName = new Map(rows.map((row) => [nameOf(row), row]))
  return wanted.map((one) => byName.get(nameOf(one)))
}

export const savePrompt = async (db: Db, workspaceId: string, hash: string, text: string): Promise<void> => {
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
