import { v7 as uuid } from 'uuid'
import type { Db } from './index.js'
import type { AuditTable } from './types.js'

export type AuditEntry = Omit<AuditTable, 'at' | 'id'>

/** Who did what, through what, when, from where, and how it ended. Rows are never changed. */
export const insertAudit = async (db: Db, entry: AuditEntry): Promise<void> => {
  await db.insertInto('audit').values({ id: uuid(), ...entry }).execute()
}
