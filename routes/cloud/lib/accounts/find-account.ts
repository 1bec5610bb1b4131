import type { Db } from '../../../../db/index.js'
import { findAccount, type AccountRow } from '../../../../db/cloud/accounts.js'
import { CloudAccountNotFound } from '../errors.js'
import { etag, readIfMatch, StaleRevision } from '../../../../schemas/revisions.js'

/** @throws cloud_account_not_found also for an account of another workspace */
export const requireAccount = async (db: Db, workspaceId: string, id: string): Promise<AccountRow> => {
  const account = await findAccount(db, workspaceId, id)
  if (!account) throw CloudAccountNotFound()
  return account
}

/** @throws stale_revision with the current revision, when If-Match names another one */
export const requireRevision = (account: AccountRow, ifMatch: string | undefined) => {
  const accepted = readIfMatch(ifMatch)
  if (accepted && !accepted.includes(account.revision)) throw staleRevision(account)
}

export const staleRevision = (account: AccountRow) =>
  StaleRevision(`The current revision is ${account.revision}`, { revision: account.revision })
    .withHeaders({ etag: etag(account.revision) })
