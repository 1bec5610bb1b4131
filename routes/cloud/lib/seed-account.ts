import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import { insertAccount, isDuplicateAccountName, listAccounts } from '../../../db/cloud/accounts.js'

/** Registers the sandbox's account in a workspace without cloud accounts, so that there is something to see. */
export const seedAccount = async (app: Pick<FastifyInstance, 'db' | 'home' | 'sandbox'>): Promise<void> => {
  if (app.sandbox.aws === undefined) return
  const { workspace_id: workspaceId, admin_id: adminId } = app.home
  const existing = await listAccounts(app.db, workspaceId, 1)
  if (existing.length > 0) return
  const { SANDBOX_ACCOUNT_ID, SANDBOX_REGIONS } = await import('../../../packages/sandbox/src/aws/constants.js')
  await insertAccount(app.db, workspaceId, {
    id: uuid(),
    name: 'Sandbox',
    aws_account_id: SANDBOX_ACCOUNT_ID,
    partition: 'aws',
    regions: [...SANDBOX_REGIONS],
    default_region: SANDBOX_REGIONS[0],
    auth: { type: 'ambient' },
    secret: null,
    sandbox: true,
    created_by: adminId
  }).catch((error: unknown) => {
    // Another instance that started at the same time was first.
    if (!isDuplicateAccountName(error)) throw error
  })
}
