import { v7 as uuid } from 'uuid'
import { sql } from 'kysely'
import type { ReportSentence } from '../../schemas/agent/reports.js'
import type { Slice } from '../columns.js'
import type { Db } from '../index.js'
import type { ForeignTools } from './taint.js'

/** @returns the newest decisions of people on what a tool would do, newest first */
export const listDecisions = (db: Db, workspaceId: string, limit: number) =>
  db.selectFrom('agent_confirmation as c')
    .leftJoin('agent_session as s', (join) =>
      join.onRef('s.workspace_id', '=', 'c.workspace_id').onRef('s.id', '=', 'c.session_id'))
    .leftJoin('agent_run as r', (join) =>
      join.onRef('r.workspace_id', '=', 'c.workspace_id').onRef('r.id', '=', 'c.run_id'))
    .leftJoin('agent_trigger_proposal as p', (join) =>
      join.onRef('p.workspace_id', '=', 'c.workspace_id').onRef('p.run_id', '=', 'c.run_id'))
    .select(['c.id', 'c.name', 'c.arguments', 'c.target', 'c.facts', 'c.summary', 'c.preview', 'c.risk', 'c.status',
      'c.user_id', 'c.session_id', 'c.decided_by', 'c.decided_at', 'c.requested_at', 's.kind'])
    .select(sql<boolean>`p.run_id is not null or r.principal->>'firing_id' is not null`.as('trigger'))
    .where('c.workspace_id', '=', workspaceId).where('c.kind', '=', 'tool')
    .where('c.status', 'in', ['approved', 'rejected']).where('c.decided_by', 'is not', null)
    .orderBy('c.id', 'desc').limit(limit).execute()

export type DecisionRow = Awaited<ReturnType<typeof listDecisions>>[number]

interface Moment { session_id: string, at: Date }

const bySession = (moments: readonly { session_id: string | null, at: Date | null }[]): Map<string, Moment[]> => {
  const found = new Map<string, Moment[]>()
  for (const { session_id: id, at } of moments) {
    if (id !== null && at !== null) found.set(id, [...found.get(id) ?? [], { session_id: id, at }])
  }
  return found
}

/** @returns by session, when foreign text came into it: as `hasReadSince` asks it of one session */
export const listForeignReads = async (db: Db, workspaceId: string, sessions: readonly string[],
  tools: ForeignTools) => {
  const of = sql<boolean>`session_id = any(${[...sessions]}::uuid[])`
  const [read, attached, fired] = await Promise.all([
    db.selectFrom('agent_tool_call').select(['session_id', 'finished_at as at']).where('workspace_id', '=', workspaceId)
      .where(of).where('status', '<>', 'denied')
      .where(sql<boolean>`(name = any(${[...tools]}::text[]) or position('__' in name) > 0)`).execute(),
    db.selectFrom('agent_message').select(['session_id', 'created_at as at']).where('workspace_id', '=', workspaceId)
      .where(of).where(sql<boolean>`content::text like '%"type":"attachment"%'`).execute(),
    db.selectFrom('agent_trigger_firing').select(['session_id'])
      .select(sql<Date>`greatest(created_at, started_at, noted_at)`.as('at'))
      .where('workspace_id', '=', workspaceId).where(of).execute()
  ])
  return bySession([...read, ...attached, ...fired])
}

export interface NewReport {
  user_id: string
  firing_id: string
  session_id: string
  run_id: string
  title: string
  sentences: ReportSentence[]
  unsupported: number
}

export const insertReport = async (trx: Db, workspaceId: string, { sentences, ...report }: NewReport):
Promise<void> => {
  await trx.insertInto('agent_report')
    .values({ ...report, workspace_id: workspaceId, id: uuid(), sentences: JSON.stringify(sentences) })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'run_id']).doNothing()).execute()
}

const own = (db: Db, workspaceId: string, userId: string) =>
  db.selectFrom('agent_report as p')
    .innerJoin('agent_trigger_firing as f', (join) => join
      .onRef('f.workspace_id', '=', 'p.workspace_id').onRef('f.id', '=', 'p.firing_id'))
    .innerJoin('agent_session as s', (join) => join
      .onRef('s.workspace_id', '=', 'p.workspace_id').onRef('s.id', '=', 'p.session_id'))
    .select(['p.id', 'f.trigger_id', 'p.firing_id', 'p.session_id', 'p.run_id', 'p.title', 'p.unsupported',
      'f.resolved_at', 'p.created_at'])
    .where('p.workspace_id', '=', workspaceId).where('p.user_id', '=', userId).where('s.deleted_at', 'is', null)

/** @returns the person's reports, newest first */
export const listReports = (db: Db, workspaceId: string, userId: string, triggerId: string | undefined,
  { before, limit }: Slice) =>
  own(db, workspaceId, userId)
    .$if(triggerId !== undefined, (query) => query.where('f.trigger_id', '=', String(triggerId)))
    .$if(before !== undefined, (query) => query.where('p.id', '<', String(before)))
    .orderBy('p.id', 'desc').limit(limit).execute()

export const findReport = (db: Db, workspaceId: string, userId: string, id: string) =>
  own(db, workspaceId, userId).select(['p.sentences', 'f.alert']).where('p.id', '=', id).executeTakeFirst()
