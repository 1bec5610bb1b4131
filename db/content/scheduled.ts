import type { Db } from '../index.js'
import { anyOf } from '../columns.js'
import type { PublicationRow } from './publications.js'

export type ScheduledRow = Pick<PublicationRow,
'id' | 'content_id' | 'version' | 'target_name' | 'kind' | 'action' | 'created_at'> &
  { title: string, project_id: string, locale: string, publish_at: Date }

const maxRows = 1_000

/**
 * @param projects whose content is listed; undefined = all
 * @returns the publications that wait for their time, the next first
 */
export const listScheduled = async (db: Db, workspaceId: string, projects: readonly string[] | undefined):
Promise<ScheduledRow[]> => {
  const all = db.selectFrom('content_publication as p')
    .innerJoin('content as c', (join) => join.onRef('c.workspace_id', '=', 'p.workspace_id')
      .onRef('c.id', '=', 'p.content_id'))
    .select(['p.id', 'p.version', 'p.target_name', 'p.kind', 'p.action', 'p.created_at', 'p.publish_at', 'p.content_id',
      'c.title', 'c.project_id', 'c.locale'])
    .where('p.workspace_id', '=', workspaceId).where('p.state', '=', 'scheduled').where('c.deleted_at', 'is', null)
    .orderBy('p.publish_at').orderBy('p.id').limit(maxRows)
  const rows = await (projects === undefined ? all : all.where('c.project_id', '=', anyOf(projects))).execute()
  return rows.flatMap(({ publish_at: at, ...row }) => at === null ? [] : [{ ...row, publish_at: at }])
}
