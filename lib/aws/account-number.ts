import { saveIdentity, type AccountRow } from '../../db/cloud/accounts.js'
import type { Db } from '../../db/index.js'
import type { Aws } from '../../plugins/aws.js'

/**
 * The 12 digits of the account, from its row, or from STS (which charges nothing) and kept in the row then.
 * @returns null when STS names none
 */
export const readAccountNumber = async ({ db, aws }: { db: Db, aws: Pick<Aws, 'client'> }, account: AccountRow):
Promise<string | null> => {
  if (account.aws_account_id !== null) return account.aws_account_id
  const sts = await aws.client('sts', account, account.default_region)
  const { Account: number = null } = await sts.getCallerIdentity({})
  if (number !== null) await saveIdentity(db, account.workspace_id, account.id, number)
  return number
}
