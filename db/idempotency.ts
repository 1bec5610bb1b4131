import { sql } from 'kysely'
import type { Db } from './index.js'

export interface IdempotencyScope {
  workspace_id: string
  principal: string
  operation: string
  key: string
}

export interface StoredAnswer {
  body_hash: Buffer
  /** null = the first request has not finished, or its process died before it could say how it went */
  status: number | null
  headers: Record<string, string> | null
  body: string | null
}

/** @returns undefined when this request is the first and may do the work; else what the first left */
export const claimKey = async (
  db: Db,
  scope: IdempotencyScope,
  bodyHash: Buffer
): Promise<StoredAnswer | undefined> => {
  const inserted = await db
    .insertInto('idempotency_key')
    .values({ ...scope, body_hash: bodyHash })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'principal', 'operation', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted ? undefined : findKey(db, scope)
}

export const findKey = (db: Db, scope: IdempotencyScope): Promise<StoredAnswer | undefined> =>
  db
    .selectFrom('idempotency_key')
    .select(['body_hash', 'status', 'headers', 'body'])
    .where('workspace_id', '=', scope.workspace_id)
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .executeTakeFirst()

export const storeAnswer = async (
  db: Db,
  scope: IdempotencyScope,
  answer: { status: number; headers: Record<string, string>; body: string }
): Promise<void> => {
  await db
    .updateTable('idempotency_key')
    .set({
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      body: answer.body,
      finished_at: sql`now()`
    })
    .where('workspace_id', '=', scope.workspace_id)
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .execute()
}

/** Forgets a key whose request did nothing, so that it may be sent again. */
export const releaseKey = async (db: Db, scope: IdempotencyScope): Promise<void> => {
  await db
    .deleteFrom('idempotency_key')
    .where('workspace_id', '=', scope.workspace_id)
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .execute()
}

/** @returns how many keys were older than a day and are gone */
export const deleteOldKeys = async (db: Db): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_key')
    .where('created_at', '<', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
