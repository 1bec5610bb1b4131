import { listInstructions, saveInstructions } from '../../../../db/account/project-instructions.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { ProjectInstructions, PutProjectInstructions } from '../../../../schemas/account/projects.js'
import { NotFound } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'

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
