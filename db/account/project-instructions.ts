import type { ProjectInstructions } from '../../schemas/account/projects.js'
import { now } from '../clock.js'
import { next } from '../columns.js'
import { anyOf } from '../filters.js'
import type { Db } from '../index.js'

/** Of a project that has none yet. */
const none: ProjectInstructions = { text: '', revision: 1, updated_by: null, updated_at: null }

const columns = ['i.text', 'i.revision', 'i.updated_by', 'i.updated_at'] as const

const ofProjects = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.selectFrom('account_project as p')
    .leftJoin('account_project_instructions as i', (join) => join
      .onRef('i.workspace_id', '=', 'p.workspace_id').onRef('i.project_id', '=', 'p.id'))
    .select(['p.id', ...columns])
    .where('p.workspace_id', '=', workspaceId).where('p.id', '=', anyOf(ids)).execute()

/** @returns of each project of the workspace its instructions; undefined for what is no project */
export const listInstructions = async (db: Db, workspaceId: string, ids: readonly string[]):
Promise<(ProjectInstructions | undefined)[]> => {
  const rows = await ofProjects(db, workspaceId, ids)
  const found = new Map(rows.map(({ id, text, revision, updated_by, updated_at }): [string, ProjectInstructions] =>
    [id, text === null || revision === null ? none : { text, revision, updated_by, updated_at }]))
  return ids.map((id) => found.get(id))
}

/** @returns false when none of these revisions is current */
export const saveInstructions = async (db: Db, workspaceId: string, projectId: string,
  { text, userId, revisions }: { text: string, userId: string, revisions: number[] | undefined }): Promise<boolean> => {
  const change = { text, updated_by: userId, updated_at: now }
  const changed = await db.updateTable('account_project_instructions').set({ ...change, revision: next('revision') })
    .where('workspace_id', '=', workspaceId).where('project_id', '=', projectId)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning('revision').executeTakeFirst()
  if (changed) return true
  if (revisions && !revisions.includes(none.revision)) return false
  const { numInsertedOrUpdatedRows } = await db.insertInto('account_project_instructions')
    .values({ workspace_id: workspaceId, project_id: projectId, text, updated_by: userId })
    .onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
