import { findProject } from '../../../lib/account/projects.js'
import type { Db } from '../../../db/index.js'
import { NotFound } from '../../../schemas/errors.js'
import { ProjectArchived } from './errors.js'

/** @throws not_found for a project that is not there or not the workspace's */
export const requireProject = async (db: Db, workspaceId: string, id: string) => {
  const project = await findProject(db, workspaceId, id)
  if (!project) throw NotFound()
  return project
}

/** @throws not_found; project_archived, because an archived project is read-only */
export const requireOpenProject = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  const project = await requireProject(db, workspaceId, id)
  if (project.archived_at) throw ProjectArchived()
}
