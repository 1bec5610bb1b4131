import type { Insertable } from 'kysely'
import type { Db } from '../index.js'
import type { AgentUsageTable } from './tables.js'

/** Records a model call outside a run. */
export const insertUsage = async (db: Db, usage: Insertable<AgentUsageTable>): Promise<void> => {
  await db.insertInto('agent_usage').values(usage).execute()
}
