import { v7 as uuid } from 'uuid'
import type { Insertable } from 'kysely'
import type { Db } from './index.js'
import type { AuditTable } from './types.js'

/** Who asked for work that is done later: stored with it, by the names of a principal. */
export interface Actor {
  user_id: string
  name: string
  via: 'browser' | 'token' | 'assistant'
  via_id: string | null
  scopes: string[] | null
  /** The work was approved by a person: who may propose it may have it done. */
  admitted?: boolean
  /** The approval that the work carries out: what it sends says so. */
  confirmation_id?: string
}

export interface AuditEntry extends Omit<Insertable<AuditTable>, 'at' | 'id' | 'body'> {
  id?: string
  body?: Record<string, unknown> | undefined
}

/**
 * Records who did what, through what, from where, and how it ended; in the transaction of what it records, where there
 * is one. The row is numbered and chained soon after (db/record/chain.ts), and never changed.
 */
export const insertAudit = async (db: Db, { body, ...entry }: AuditEntry): Promise<void> => {
  await db.insertInto('audit').values({ id: uuid(), ...entry, ...(body && { body: JSON.stringify(body) }) }).execute()
}
