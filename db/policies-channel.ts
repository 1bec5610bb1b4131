import { sql } from 'kysely'
import type { Db } from './index.js'

/** The channel on which instances learn that policies were enabled or a grant was given; the payload is a workspace. */
export const policiesChannel = 'steward_policies'

/** Notifies every instance, once the transaction has committed. */
export const announcePolicies = async (trx: Db, workspaceId: string): Promise<void> => {
  await trx.selectNoFrom(sql<null>`pg_notify(${policiesChannel}, ${workspaceId})`.as('notified')).execute()
}
