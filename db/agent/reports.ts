import { v7 as uuid } from 'uuid'
import type { ReportSentence } from '../../schemas/agent/reports.js'
import type { Slice } from '../filters.js'
import type { Db } from '../index.js'

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
