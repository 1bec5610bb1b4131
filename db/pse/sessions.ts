import { sql, type RawBuilder, type Updateable } from 'kysely'
import { v7 as uuid } from 'uuid'
import { activeGeneration } from '../../schemas/pse/generations.js'
import type { SessionState, SpecSession, UpdateSpecSession } from '../../schemas/pse/sessions.js'
import { clock, daysAgo } from '../clock.js'
import { next, anyOf, contains, type OfProjects } from '../columns.js'
import { byWorkspace } from '../durable/leases.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import type { PseSessionTable } from './tables.js'

const columns = ['workspace_id', 'id', 'project_id', 'title', 'description', 'spec_type', 'profile', 'notation',
  'locale', 'artifacts', 'standards', 'options', 'stale', 'blocking', 'current_version', 'approved_version', 'approved',
  'archived_at', 'next_seq', 'input_chars', 'event_seq', 'revision', 'created_by', 'created_at', 'updated_at'] as const

const active = sql`(${sql.join([...activeGeneration])})`

const stateOf = sql<SessionState>`case
  when s.archived_at is not null then 'archived'
  when g.id is not null then 'generating'
  when s.current_version is null then 'open'
  when s.approved then 'approved'
  when json_array_length(s.blocking) > 0 then 'needs_input'
  else 'review' end`

/** Selects sessions with the state that follows from their generations and versions. */
const selectSessions = (db: Db, workspaceId: string) => db.selectFrom('pse_session as s')
  .leftJoin('pse_generation as g', (join) => join.onRef('g.workspace_id', '=', 's.workspace_id')
    .onRef('g.session_id', '=', 's.id').on(sql<boolean>`g.status in ${active}`))
  .select(columns.map((column) => `s.${column}` as const))
  .select(['g.id as active_generation_id', stateOf.as('state')])
  .select(sql<SpecSession['check_verdict']>`(select v.checks->>'verdict' from pse_version v
    where v.workspace_id = ${workspaceId} and v.session_id = s.id and v.version = s.current_version)`
    .as('check_verdict'))
  .where('s.workspace_id', '=', workspaceId).where('s.deleted_at', 'is', null)

export interface SessionFilter extends OfProjects {
  project_id?: string | undefined
  state?: SessionState | undefined
  spec_type?: PseSessionTable['spec_type'] | undefined
  q?: string | undefined
}

export const listSessions = (db: Db, workspaceId: string, filter: SessionFilter, before: string | undefined,
  limit: number) => {
  const { project_id, projects, state, spec_type, q } = filter
  return selectSessions(db, workspaceId)
    .where(state === undefined ? sql<boolean>`s.archived_at is null` : sql<boolean>`${stateOf} = ${state}`)
    .$if(projects !== undefined, (query) => query.where('s.project_id', '=', anyOf(projects ?? [])))
    .$if(project_id !== undefined, (query) => query.where('s.project_id', '=', String(project_id)))
    .$if(spec_type !== undefined, (query) => query.where(sql<boolean>`s.spec_type = ${spec_type}`))
    .$if(q !== undefined, (query) => query.where(contains('s.title', q)))
    .$if(before !== undefined, (query) => query.where('s.id', '<', String(before)))
    .orderBy('s.id', 'desc').limit(limit).execute()
}

export const findSession = (db: Db, workspaceId: string, id: string) =>
  selectSessions(db, workspaceId).where('s.id', '=', id).executeTakeFirst()

export type SessionRow = NonNullable<Awaited<ReturnType<typeof findSession>>>

/** @returns the session, locked until this transaction ends */
export const lockSession = async (db: Db, workspaceId: string, id: string): Promise<SessionRow | undefined> => {
  const held = await db.selectFrom('pse_session').select('id').where('workspace_id', '=', workspaceId)
    .where('id', '=', id).where('deleted_at', 'is', null).forUpdate().executeTakeFirst()
  return held && findSession(db, workspaceId, id)
}

export type NewSession = Required<Omit<UpdateSpecSession, 'options'>> & Pick<SpecSession, 'options'>

/** @returns the new session's id @throws a foreign key violation for an unknown project */
export const insertSession = async (db: Db, workspaceId: string, userId: string, fields: NewSession):
Promise<string> => {
  const { artifacts, standards, options, ...rest } = fields
  const row = await db.insertInto('pse_session').values({
    ...rest,
    workspace_id: workspaceId,
    id: uuid(),
    artifacts: JSON.stringify(artifacts),
    standards: JSON.stringify(standards),
    options: JSON.stringify(options),
    blocking: '[]',
    created_by: userId
  }).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export type SessionChange = Omit<Updateable<PseSessionTable>, 'workspace_id' | 'id' | 'revision' | 'updated_at'>

/** Changes a session that the transaction has locked. */
export const updateSession = async (db: Db, workspaceId: string, id: string, change: SessionChange): Promise<void> => {
  await db.updateTable('pse_session')
    .set({ ...change, revision: next('revision'), updated_at: clock })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

const canComeBack = sql<boolean>`deleted_at > now() - interval '30 days'`

/** @returns a deleted session that can still be restored, locked until this transaction ends */
export const lockDeletedSession = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('pse_session').select(['id', 'created_by']).where('workspace_id', '=', workspaceId)
    .where('id', '=', id).where(canComeBack).forUpdate().executeTakeFirst()

const purge = async (db: Db, workspaceId: string, which: RawBuilder<unknown>): Promise<{ id: string }[]> => {
  const { rows } = await sql<{ id: string }>`
    with gone as (delete from pse_session where workspace_id = ${workspaceId} and ${which} returning id),
    events as (delete from stream_event e using gone where e.workspace_id = ${workspaceId} and e.stream_id = gone.id)
    select id from gone`.execute(db)
  return rows
}

/**
 * Deletes sessions that can no longer be restored, with everything that belongs to them, including events.
 * @returns the number of deleted sessions
 */
export const purgeSessions = async (db: Db, limit: number): Promise<number> => {
  const found = await sweep(db, (reach) => db.selectFrom('pse_session').select(['workspace_id', 'id'])
    .where(reach(sql`deleted_at <= now() - interval '30 days'`)).limit(limit).execute())
  const rows = await byWorkspace(found, (workspaceId, ids) => purge(db, workspaceId, sql`id = any(${ids}::uuid[])
        and not ${canComeBack}`))
  return rows.length
}

/** The same of one workspace, of those that were deleted more than so many days ago. @returns how many */
export const purgeSessionsOf = async (db: Db, workspaceId: string, days: number, limit: number): Promise<number> =>
  (await purge(db, workspaceId, sql`id in (select id from pse_session where workspace_id = ${workspaceId}
        and deleted_at < ${daysAgo(days)} limit ${limit}) and deleted_at < ${daysAgo(days)}`)).length

export interface Totals {
  inputs: number
  generations: number
  input_tokens: number
  output_tokens: number
  /** null = the price of some step is unknown. */
  cost_usd_micros: number | null
}

export const readTotals = async (db: Db, workspaceId: string, id: string): Promise<Totals> => {
  const { rows } = await sql<Totals>`
    select (select count(*)::integer from pse_input where workspace_id = ${workspaceId} and session_id = ${id}) inputs,
      count(distinct g.id)::integer generations, coalesce(sum(s.input_tokens), 0)::bigint input_tokens,
      coalesce(sum(s.output_tokens), 0)::bigint output_tokens,
      case when bool_or(s.key is not null and s.cost_usd_micros is null) then null
        else coalesce(sum(s.cost_usd_micros), 0)::bigint end cost_usd_micros
    from pse_generation g left join pse_step s on s.workspace_id = g.workspace_id and s.generation_id = g.id
    where g.workspace_id = ${workspaceId} and g.session_id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('An aggregate has one row')
  return row
}

/** @returns what a session belongs to, deleted or not */
export const findSessionResource = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('pse_session').select('project_id').where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()
