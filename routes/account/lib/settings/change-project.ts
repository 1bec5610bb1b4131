import {
  findProject, insertProject, isDuplicateProjectName, setArchived, updateProject, listInstructions, saveInstructions
} from '../../../../db/account/projects.js'
import type { Db } from '../../../../db/index.js'
import { requireOwner, type Principal } from '../../../../lib/security/principal.js'
import type {
  CreateProject, Project, UpdateProject, ProjectInstructions, PutProjectInstructions
} from '../../../../schemas/account/projects.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { ProjectNameTaken } from '../errors.js'

/** @throws not_found */
export const readInstructions = async (db: Db, workspaceId: string, projectId: string):
Promise<ProjectInstructions> => {
  const [instructions] = await listInstructions(db, workspaceId, [projectId])
  if (!instructions) throw NotFound()
  return instructions
}

/** @throws not_found, stale_revision */
export const changeInstructions = async (db: Db, { workspace_id: workspaceId, user_id: userId }: Principal,
  projectId: string, { text }: PutProjectInstructions, revisions: number[] | undefined):
Promise<ProjectInstructions> => {
  await readInstructions(db, workspaceId, projectId)
  const isSaved = await saveInstructions(db, workspaceId, projectId, { text, userId, revisions })
  const current = await readInstructions(db, workspaceId, projectId)
  if (!isSaved) throw explainMiss(current)
  return current
}

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
