import type { FastifyInstance } from 'fastify'
import { deleteAccount, type AccountRow } from '../../../db/cloud/accounts.js'
import { hasLiveDeployment } from '../../../db/cloud/service-deployments.js'
import { CloudAccountInUse } from './errors.js'
import { staleRevision } from './find-account.js'

/** Whatever needs the account refers to it by a foreign key, which refuses here. */
const inUse = (error: unknown): never => {
  if ((error as { code?: string }).code === '23503') throw CloudAccountInUse()
  throw error
}

/** @throws cloud_account_in_use while apps or deployments need it; stale_revision when it has just changed */
export const removeAccount = async (app: Pick<FastifyInstance, 'db' | 'aws'>, account: AccountRow): Promise<void> => {
  if (await hasLiveDeployment(app.db, account.workspace_id, account.id)) {
    throw CloudAccountInUse('A deployment of a service in this account is live')
  }
  const gone = await deleteAccount(app.db, account.workspace_id, account.id, account.revision).catch(inUse)
  if (!gone) throw staleRevision(account)
  app.aws.forget(account.id)
}
