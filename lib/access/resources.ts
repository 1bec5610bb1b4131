import { findAccount } from '../../db/cloud/accounts.js'
import type { Db } from '../../db/index.js'
import type { Resource } from './role-on.js'

/** Bindings are on the ids of projects themselves: which there are, the routes say. */
export const findProjectResource = async (_db: Db, _workspaceId: string, id: string): Promise<Resource> =>
  ({ project_id: id })

/** @returns what bindings can cover of a cloud account: itself, and its environment as it is now */
export const findAccountResource = async (db: Db, workspaceId: string, id: string): Promise<Resource | undefined> => {
  const account = await findAccount(db, workspaceId, id)
  return account && resourceOfAccount(account)
}

export const resourceOfAccount = ({ id, environment }: { id: string, environment: string | null }): Resource =>
  ({ cloud_account_id: id, environment })
