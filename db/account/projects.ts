import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { CreateProject, ListProjects, Project, UpdateProject } from '../../schemas/account/projects.js'
import type { Db } from '../index.js'
import { atRevision, older, type Slice } from './filters.js'

const columns = ['id', 'name', 'description', 'revision', 'created_by', 'created_at', 'updated_at',
  'archived_at'] as const

export type ProjectFilter = Pick<ListProjects, 'archived' | 'q'>

export const listProjects = (db: Db, workspaceId: string, { archived, q }: ProjectFilter, { before, limit }: Slice):
Promise<Project[]> =>
  db.selectFrom('account_project').select(columns).where('workspace_id', '=', workspaceId)
    .$if(archived === 'false', (query) => query.where('archived_at', 'is', null))
    .$if(archived === 'true', (query) => query.where('archived_at', 'is not', null))
    .$if(q !== undefined, (query) => query.where(sql<boolean>`position(lower(${q}) in lower(name)) > 0`))
    .where(older(before))
    .orderBy('id', 'desc').limit(limit).execute()

export const findProject = (db: Db, workspaceId: string, id: string): Promise<Project | undefined> =>
  db.selectFrom('account_project').select(columns).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .executeTakeFirst()

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
  db.updateTable('account_project').set({ ...change, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where(atRevision(revisions))
    .returning(columns).executeTakeFirst()

/** @returns the project if this call archived it, or brought it back */
export const setArchived = (db: Db, workspaceId: string, id: string, archived: boolean): Promise<Project | undefined> =>
  db.updateTable('account_project')
    .set({ archived_at: archived ? sql`now()` : null, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where('archived_at', archived ? 'is' : 'is not', null)
    .returning(columns).executeTakeFirst()
