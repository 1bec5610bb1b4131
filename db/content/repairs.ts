import { v7 as uuid } from 'uuid'
import { now } from '../clock.js'
import type { Slice } from '../filters.js'
import type { Db } from '../index.js'
import type { Repaired } from 'steward-prose-engine/revision'

const columns = ['id', 'content_id', 'version', 'field', 'start_at', 'end_at', 'before', 'after', 'finding',
  'created_by', 'created_at', 'undone_version', 'undone_by', 'undone_at'] as const

const repairs = (db: Db, workspaceId: string, contentId: string) =>
  db.selectFrom('content_repair').select(columns).where('workspace_id', '=', workspaceId)
    .where('content_id', '=', contentId)

export const listRepairs = (db: Db, workspaceId: string, contentId: string, { before, limit }: Slice) =>
  repairs(db, workspaceId, contentId).$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc').limit(limit).execute()

export type RepairRow = Awaited<ReturnType<typeof listRepairs>>[number]

/** Locks the repair until the transaction ends. @returns it */
export const lockRepair = (db: Db, workspaceId: string, contentId: string, id: string) =>
  repairs(db, workspaceId, contentId).where('id', '=', id).forUpdate().executeTakeFirst()

export interface RepairedVersion { content_id: string, version: number, created_by: string }

/** Records the repairs that a version is made of; in its transaction. */
export const insertRepairs = async (trx: Db, workspaceId: string, of: RepairedVersion,
  made: readonly Repaired[]): Promise<void> => {
  if (made.length === 0) return
  await trx.insertInto('content_repair').values(made.map((one) => (
    { ...one, ...of, finding: JSON.stringify(one.finding), workspace_id: workspaceId, id: uuid() }
  ))).execute()
}

export const markUndone = async (trx: Db, workspaceId: string, id: string, version: number, by: string):
Promise<void> => {
  await trx.updateTable('content_repair').set({ undone_version: version, undone_by: by, undone_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
