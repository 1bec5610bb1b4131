import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import { insertAccount, isDuplicateAccountName, listAccounts } from '../../../../db/cloud/accounts.js'

/** Registers the sandbox's account in a workspace without cloud accounts, so that there is something to see. */
export const seedAccount = async (app: Pick<FastifyInstance, 'db' | 'home' | 'sandbox'>): Promise<void> => {
  const world = app.sandbox.worlds.aws
  if (world === undefined) return
  const { workspace_id: workspaceId, admin_id: adminId } = app.home
  const existing = await listAccounts(app.db, workspaceId, 1)
  if (existing.length > 0) return
  await insertAccount(app.db, workspaceId, {
    id: uuid(),
    name: 'Sandbox',
    aws_account_id: world.accountId,
    partition: 'aws',
    regions: [...world.regions],
    default_region: world.regions[0],
    auth: { type: 'ambient' },
    secret: null,
    sandbox: true,
    created_by: adminId
  }).catch((error: unknown) => {
    // Another instance that started at the same time was first.
    if (!isDuplicateAccountName(error)) throw error
  })
}
