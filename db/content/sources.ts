import { v7 as uuid } from 'uuid'
import { excluded } from '../columns.js'
import type { Db } from '../index.js'

const columns = ['id', 'brief_id', 'kind', 'name', 'media_type', 'text', 'read_at'] as const

const sources = (db: Db, workspaceId: string, briefId: string) => db.selectFrom('content_source').select(columns)
  .where('workspace_id', '=', workspaceId).where('brief_id', '=', briefId)

export const listSources = (db: Db, workspaceId: string, briefId: string) =>
  sources(db, workspaceId, briefId).orderBy('id').limit(20).execute()

export type SourceRow = Awaited<ReturnType<typeof listSources>>[number]

export const findSourceOfBrief = (db: Db, workspaceId: string, briefId: string, id: string) =>
  sources(db, workspaceId, briefId).where('id', '=', id).executeTakeFirst()

/** A source of the same name is read again. @returns it */
export const putSource = (trx: Db, workspaceId: string, briefId: string, by: string,
  read: Pick<SourceRow, 'kind' | 'name' | 'media_type' | 'text'>): Promise<SourceRow> =>
  trx.insertInto('content_source').values({ ...read, workspace_id: workspaceId, id: uuid(), brief_id: briefId, created_by: by })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'brief_id', 'name'])
      .doUpdateSet({
        text: excluded('text'), media_type: excluded('media_type'), kind: excluded('kind'), read_at: excluded('read_at')
      }))
    .returning(columns).executeTakeFirstOrThrow()
