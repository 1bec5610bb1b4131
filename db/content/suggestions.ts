import { v7 as uuid } from 'uuid'
import type { Repaired } from 'steward-prose-engine/revision'
import { clock, now } from '../clock.js'
import type { Slice } from '../columns.js'
import type { Db } from '../index.js'

const repairColumns = ['id', 'content_id', 'version', 'field', 'start_at', 'end_at', 'before', 'after', 'finding',
  'created_by', 'created_at', 'undone_version', 'undone_by', 'undone_at'] as const

const repairs = (db: Db, workspaceId: string, contentId: string) =>
  db.selectFrom('content_repair').select(repairColumns).where('workspace_id', '=', workspaceId)
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

const suggestionColumns = ['id', 'generation_id', 'target', 'before', 'text', 'status', 'decided_by', 'decided_at',
  'created_at'] as const

const rows = (db: Db, workspaceId: string, contentId: string) => db.selectFrom('content_suggestion').select(suggestionColumns)
  .where('workspace_id', '=', workspaceId).where('content_id', '=', contentId)

/** @returns the newest hundred */
export const listSuggestions = (db: Db, workspaceId: string, contentId: string) =>
  rows(db, workspaceId, contentId).orderBy('id', 'desc').limit(100).execute()

/** Locks the suggestion until the transaction ends. @returns it */
export const lockSuggestion = (db: Db, workspaceId: string, contentId: string, id: string) =>
  rows(db, workspaceId, contentId).where('id', '=', id).forUpdate().executeTakeFirst()

export interface NewSuggestion { target: string, before: string, text: string }

/** Replaces open suggestions for the same text. */
export const insertSuggestions = async (db: Db, workspaceId: string, contentId: string, generationId: string,
  made: NewSuggestion[]): Promise<void> => {
  if (made.length === 0) return
  await db.deleteFrom('content_suggestion').where('workspace_id', '=', workspaceId).where('content_id', '=', contentId)
    .where('status', '=', 'open').where('target', 'in', made.map(({ target }) => target)).execute()
  await db.insertInto('content_suggestion').values(made.map((one) => ({
    ...one, workspace_id: workspaceId, id: uuid(), content_id: contentId, generation_id: generationId
  }))).execute()
}

export const decideSuggestion = async (db: Db, workspaceId: string, id: string, status: 'accepted' | 'rejected',
  by: string): Promise<void> => {
  await db.updateTable('content_suggestion').set({ status, decided_by: by, decided_at: clock })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
