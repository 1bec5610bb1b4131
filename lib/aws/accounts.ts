/** What others than the area cloud know of its accounts: which there are, to ask AWS about them. */
export { findAccount, listAccounts, type AccountRow } from '../../db/cloud/accounts.js'
