import { v7 as uuid } from 'uuid'
import type {
  CreateProject, ListProjects, Project, UpdateProject, ProjectInstructions
} from '../../schemas/account/projects.js'
import { now } from '../clock.js'
import { next, anyOf, contains, type OfProjects, type Slice } from '../columns.js'
import { duplicateOf } from '../connection-errors.js'
import type { Db } from '../index.js'

/** Of a project that has none yet. */
const none: ProjectInstructions = { text: '', revision: 1, updated_by: null, updated_at: null }

const projectInstructionColumns = ['i.text', 'i.revision', 'i.updated_by', 'i.updated_at'] as const

const ofProjects = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.selectFrom('account_project as p')
    .leftJoin('account_project_instructions as i', (join) => join
      .onRef('i.workspace_id', '=', 'p.workspace_id').onRef('i.project_id', '=', 'p.id'))
    .select(['p.id', ...projectInstructionColumns])
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

const projectColumns = ['id', 'name', 'description', 'revision', 'created_by', 'created_at', 'updated_at',
  'archived_at'] as const

export type ProjectFilter = Pick<ListProjects, 'archived' | 'q'> & OfProjects

export const listProjects = (db: Db, workspaceId: string, { archived, q, projects }: ProjectFilter,
  { before, limit }: Slice): Promise<Project[]> =>
  db.selectFrom('account_project').select(projectColumns).where('workspace_id', '=', workspaceId)
    .$if(projects !== undefined, (query) => query.where('id', '=', anyOf(projects ?? [])))
    .$if(archived === 'false', (query) => query.where('archived_at', 'is', null))
    .$if(archived === 'true', (query) => query.where('archived_at', 'is not', null))
    .$if(q !== undefined, (query) => query.where(contains('name', q)))
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

export const findProject = (db: Db, workspaceId: string, id: string): Promise<Project | undefined> =>
  db.selectFrom('account_project').select(projectColumns).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()

/** @returns whether an error says that a project of the workspace has the name */
export const isDuplicateProjectName = duplicateOf('account_project_name')

export const insertProject = (db: Db, workspaceId: string, userId: string, project: CreateProject): Promise<Project> =>
  db.insertInto('account_project')
    .values({
      workspace_id: workspaceId,
      id: uuid(),
      name: project.name,
      description: project.description ?? null,
      created_by: userId
    })
    .returning(projectColumns).executeTakeFirstOrThrow()

/** @returns the changed project; undefined when there is none, or none of these revisions is current */
export const updateProject = (db: Db, workspaceId: string, id: string, change: UpdateProject, revisions?: number[]):
Promise<Project | undefined> =>
  db.updateTable('account_project').set({ ...change, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning(projectColumns).executeTakeFirst()

/** @returns the project if this call archived it, or brought it back */
export const setArchived = (db: Db, workspaceId: string, id: string, archived: boolean, revisions?: number[]):
Promise<Project | undefined> =>
  db.updateTable('account_project')
    .set({ archived_at: archived ? now : null, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where('archived_at', archived ? 'is' : 'is not', null)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning(projectColumns).executeTakeFirst()

/** Locks the project until the transaction ends, for writes of what a project has only once. */
export const lockProject = async (trx: Db, workspaceId: string, projectId: string): Promise<void> => {
  await trx.selectFrom('account_project').select('id')
    .where('workspace_id', '=', workspaceId).where('id', '=', projectId).forUpdate().execute()
}
