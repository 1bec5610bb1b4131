import { isDuplicate } from '../../../db/account/duplicates.js'
import { findProject, insertProject, setArchived, updateProject } from '../../../db/account/projects.js'
import type { Db } from '../../../db/index.js'
import type { CreateProject, Project, UpdateProject } from '../../../schemas/account/projects.js'
import { NotFound } from '../../../schemas/errors.js'
import { ProjectNameTaken } from './errors.js'
import { explainMiss } from '../../../schemas/revisions.js'

const named = async <T>(write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    throw isDuplicate(error, 'account_project_name') ? ProjectNameTaken() : error
  }
}

export const addProject = (db: Db, workspaceId: string, userId: string, project: CreateProject): Promise<Project> =>
  named(insertProject(db, workspaceId, userId, project))

export const changeProject = async (db: Db, workspaceId: string, id: string, change: UpdateProject,
  revisions?: number[]): Promise<Project> => {
  const project = await named(updateProject(db, workspaceId, id, change, revisions))
  if (!project) throw explainMiss(await findProject(db, workspaceId, id))
  return project
}

/** Archives a project or brings it back; one that is already so stays as it is. */
export const moveProject = async (db: Db, workspaceId: string, id: string, archived: boolean): Promise<Project> => {
  const project = await named(setArchived(db, workspaceId, id, archived)) ?? await findProject(db, workspaceId, id)
  if (!project) throw NotFound()
  return project
}
