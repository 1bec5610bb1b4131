import type { FastifyInstance } from 'fastify'
import { announceWorkspaces, findWorkspaceById, lockHosts } from '../../../../db/account/workspaces.js'
import { emptyWorkspace, forgetWorkspace, listSettled, markDeleted } from '../../../../db/schema-tables.js'
import type { Db } from '../../../../db/index.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { NotFound } from '../../../../schemas/errors.js'
import { FirstWorkspace, OtherName, requireUnscoped } from '../errors.js'

type Deps = Pick<FastifyInstance, 'db' | 'home'>

/**
 * Deletes everything of a workspace. From its mark on nobody is let in; what a crash leaves is deleted by the sweep.
 * @param name as the workspace has it
 * @throws insufficient_scope, not_found, first_workspace, other_name
 */
export const deleteWorkspace = async ({ db, home }: Deps, by: Principal, id: string, name: string): Promise<void> => {
  requireUnscoped(by, 'What a workspace has is more than a scope covers')
  if (id === home.workspace_id) throw FirstWorkspace()
  await db.transaction().execute(async (trx) => {
    await lockHosts(trx)
    const workspace = await findWorkspaceById(trx, id)
    if (!workspace) throw NotFound()
    if (workspace.name !== name) throw OtherName()
    if (!await markDeleted(trx, id)) throw FirstWorkspace()
    await announceWorkspaces(trx)
  })
  await emptyWorkspace(db, id)
}

/** Deletes what was written to deleted workspaces since, or left there by a crash; then they are forgotten. */
export const sweepDeleted = async (db: Db): Promise<void> => {
  for (const id of await listSettled(db)) {
    await emptyWorkspace(db, id)
    await forgetWorkspace(db, id)
  }
}
