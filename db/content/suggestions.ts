import { v7 as uuid } from 'uuid'
import { clock } from '../clock.js'
import type { Db } from '../index.js'

const columns = ['id', 'generation_id', 'target', 'before', 'text', 'status', 'decided_by', 'decided_at',
  'created_at'] as const

const rows = (db: Db, workspaceId: string, contentId: string) => db.selectFrom('content_suggestion').select(columns)
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
