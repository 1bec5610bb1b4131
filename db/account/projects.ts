import { v7 as uuid } from 'uuid'
import type { CreateProject, ListProjects, Project, UpdateProject } from '../../schemas/account/projects.js'
import { now } from '../clock.js'
import { next } from '../columns.js'
import { duplicateOf } from '../duplicates.js'
import { anyOf, contains, type OfProjects, type Slice } from '../filters.js'
import type { Db } from '../index.js'

const columns = ['id', 'name', 'description', 'revision', 'created_by', 'created_at', 'updated_at',
  'archived_at'] as const

export type ProjectFilter = Pick<ListProjects, 'archived' | 'q'> & OfProjects

export const listProjects = (db: Db, workspaceId: string, { archived, q, projects }: ProjectFilter,
  { before, limit }: Slice): Promise<Project[]> =>
  db.selectFrom('account_project').select(columns).where('workspace_id', '=', workspaceId)
    .$if(projects !== undefined, (query) => query.where('id', '=', anyOf(projects ?? [])))
    .$if(archived === 'false', (query) => query.where('archived_at', 'is', null))
    .$if(archived === 'true', (query) => query.where('archived_at', 'is not', null))
    .$if(q !== undefined, (query) => query.where(contains('name', q)))
    .$if(before !== undefined, (query) => query.where('id', '<', String(before)))
    .orderBy('id', 'desc').limit(limit).execute()

export const findProject = (db: Db, workspaceId: string, id: string): Promise<Project | undefined> =>
  db.selectFrom('account_project').select(columns).where('workspace_id', '=', workspaceId).where('id', '=', id)
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
    .returning(columns).executeTakeFirstOrThrow()

/** @returns the changed project; undefined when there is none, or none of these revisions is current */
export const updateProject = (db: Db, workspaceId: string, id: string, change: UpdateProject, revisions?: number[]):
Promise<Project | undefined> =>
  db.updateTable('account_project').set({ ...change, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning(columns).executeTakeFirst()

/** @returns the project if this call archived it, or brought it back */
export const setArchived = (db: Db, workspaceId: string, id: string, archived: boolean, revisions?: number[]):
Promise<Project | undefined> =>
  db.updateTable('account_project')
    .set({ archived_at: archived ? now : null, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where('archived_at', archived ? 'is' : 'is not', null)
    .$if(revisions !== undefined, (query) => query.where('revision', '=', anyOf(revisions ?? [])))
    .returning(columns).executeTakeFirst()

/** Locks the project until the transaction ends, for writes of what a project has only once. */
export const lockProject = async (trx: Db, workspaceId: string, projectId: string): Promise<void> => {
  await trx.selectFrom('account_project').select('id')
    .where('workspace_id', '=', workspaceId).where('id', '=', projectId).forUpdate().execute()
}
