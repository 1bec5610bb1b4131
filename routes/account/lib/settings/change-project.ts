import {
  findProject, insertProject, isDuplicateProjectName, setArchived, updateProject
} from '../../../../db/account/projects.js'
import type { Db } from '../../../../db/index.js'
import { requireOwner, type Principal } from '../../../../lib/security/principal.js'
import type { CreateProject, Project, UpdateProject } from '../../../../schemas/account/projects.js'
import { ProjectNameTaken } from '../errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'

const named = async <T>(write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    throw isDuplicateProjectName(error) ? ProjectNameTaken() : error
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

/**
 * Archives a project or brings it back; one that is already so stays as it is.
 * @throws not_found, not_owner, stale_revision
 */
export const moveProject = async (db: Db, principal: Principal, id: string, archived: boolean, revisions?: number[]):
Promise<Project> => {
  const { workspace_id: workspaceId } = principal
  const isSo = (project: Project) => (project.archived_at !== null) === archived
  const before = await findProject(db, workspaceId, id)
  if (!before) throw explainMiss(before)
  if (isSo(before)) return before
  requireOwner(principal, before)
  const moved = await named(setArchived(db, workspaceId, id, archived, revisions))
  if (moved) return moved
  const now = await findProject(db, workspaceId, id)
  if (!now || !isSo(now)) throw explainMiss(now)
  return now
}
