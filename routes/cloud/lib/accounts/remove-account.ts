import type { FastifyInstance } from 'fastify'
import { deleteBindingsOn } from '../../../../lib/account/bindings.js'
import { deleteAccount, isAccountNeeded, type AccountRow } from '../../../../db/cloud/accounts.js'
import { purgeAppsOf } from '../../../../db/deployments/apps.js'
import { hasLiveDeployment } from '../../../../db/infrastructure/service-deployments.js'
import { CloudAccountInUse } from '../errors.js'
import { staleRevision } from './find-account.js'

const inUse = (error: unknown): never => {
  throw isAccountNeeded(error) ? CloudAccountInUse() : error
}

/** @throws cloud_account_in_use while apps or deployments need it; stale_revision when it has just changed */
export const removeAccount = async (app: Pick<FastifyInstance, 'db' | 'aws'>, account: AccountRow): Promise<void> => {
  if (await hasLiveDeployment(app.db, account.workspace_id, account.id)) {
    throw CloudAccountInUse('A deployment of a service in this account is live')
  }
  await app.db.transaction().execute(async (trx) => {
    // What was deleted needs the account no more.
    await deleteBindingsOn(trx, account.workspace_id, 'cloud_account', account.id)
    await purgeAppsOf(trx, account.workspace_id, account.id)
    if (!await deleteAccount(trx, account.workspace_id, account.id, account.revision)) throw staleRevision(account)
  }).catch(inUse)
  app.aws.forget(account)
}
