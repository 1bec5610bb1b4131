import type { Db } from '../index.js'

const columns = ['id', 'title', 'locale', 'head_version', 'translation_of', 'translated_version', 'project_id'] as const

const records = (db: Db, workspaceId: string) =>
  db.selectFrom('content').select(columns).where('workspace_id', '=', workspaceId).where('deleted_at', 'is', null)

/** @returns the record that another one translates, if it is still there */
export const findSource = (db: Db, workspaceId: string, id: string) =>
  records(db, workspaceId).where('id', '=', id).executeTakeFirst()

/** @returns the translations of a record, which are of its project */
export const listTranslations = (db: Db, workspaceId: string, projectId: string, id: string) =>
  records(db, workspaceId).where('project_id', '=', projectId).where('translation_of', '=', id)
    .orderBy('id').limit(100).execute()

/** @returns what a record translates, deleted or not: a deleted one may come back */
export const findLink = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('content').select(['id', 'translation_of']).where('workspace_id', '=', workspaceId)
    .where('id', '=', id).executeTakeFirst()
