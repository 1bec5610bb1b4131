import type { AccountRow } from '../../db/cloud/accounts.js'

/** Begins the key of whatever is kept of an account: an id is unique in its workspace only. */
export const keyOfAccount = ({ workspace_id: workspace, id }: Pick<AccountRow, 'workspace_id' | 'id'>): string =>
  `${workspace}/${id}`

/** What others than the area cloud know of its accounts: which there are, to ask AWS about them. */
export { findAccount, listAccounts, type AccountRow } from '../../db/cloud/accounts.js'
