import type { AccountRow } from '../../db/cloud/accounts.js'
import { AccountReadOnly } from '../../schemas/cloud/errors.js'

/** Begins the key of whatever is kept of an account: an id is unique in its workspace only. */
export const keyOfAccount = ({ workspace_id: workspace, id }: Pick<AccountRow, 'workspace_id' | 'id'>): string =>
  `${workspace}/${id}`

/** @throws cloud_account_read_only */
export const requireWritable = ({ id, read_only: isReadOnly }: Pick<AccountRow, 'id' | 'read_only'>): void => {
  if (isReadOnly) throw AccountReadOnly(undefined, { account_id: id })
}

/** What others than the area cloud know of its accounts: which there are, to ask AWS about them. */
export { findAccount, listAccounts, listMarks, type AccountRow } from '../../db/cloud/accounts.js'
