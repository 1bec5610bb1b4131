import { type AccountRow, saveIdentity } from '../../db/cloud/accounts.js'
import type { Db } from '../../db/index.js'
import { AccountReadOnly } from '../../schemas/cloud/errors.js'
import type { Services } from './clients.js'

/** Opens a client that reads. */
interface Clients { client: (service: 'sts', account: AccountRow, region: string) => Promise<Services['sts']> }

/**
 * The 12 digits of the account, from its row, or from STS (which charges nothing) and kept in the row then.
 * @returns null when STS names none
 */
export const readAccountNumber = async ({ db, aws }: { db: Db, aws: Clients }, account: AccountRow):
Promise<string | null> => {
  if (account.aws_account_id !== null) return account.aws_account_id
  const sts = await aws.client('sts', account, account.default_region)
  const { Account: number = null } = await sts.getCallerIdentity({})
  if (number !== null) await saveIdentity(db, account.workspace_id, account.id, number)
  return number
}

/** Begins the key of whatever is kept of an account: an id is unique in its workspace only. */
export const keyOfAccount = ({ workspace_id: workspace, id }: Pick<AccountRow, 'workspace_id' | 'id'>): string =>
  `${workspace}/${id}`

/** @throws cloud_account_read_only */
export const requireWritable = ({ id, read_only: isReadOnly }: Pick<AccountRow, 'id' | 'read_only'>): void => {
  if (isReadOnly) throw AccountReadOnly(undefined, { account_id: id })
}

/** What others than the area cloud know of its accounts: which there are, to ask AWS about them. */
export { findAccount, listAccounts, listMarks, type AccountRow } from '../../db/cloud/accounts.js'
