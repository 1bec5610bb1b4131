import { sql, type CompiledQuery } from 'kysely'
import { ago, now } from './clock.js'
import type { Db } from './index.js'
import { sweep } from './workers.js'

export interface IdempotencyScope {
  workspace_id: string
  principal: string
  operation: string
  key: string
}

/** A key that a request holds; the claim distinguishes it from the next request under the same key. */
export interface HeldKey extends IdempotencyScope { claim: string }

export interface StoredAnswer {
  body_hash: Buffer
  /** null = the first request has not finished, or its process died before it could say how it went */
  status: number | null
  headers: Record<string, string> | null
  body: string | null
  /** null = the request has sent and committed nothing; only with `status` null does that say anything */
  sent_at: Date | null
}

/** @returns undefined when this request is the first and may do the work; else what the first left */
export const claimKey = async (
  db: Db,
  scope: HeldKey,
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
    .select(['body_hash', 'status', 'headers', 'body', 'sent_at'])
    .where('workspace_id', '=', scope.workspace_id)
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .executeTakeFirst()

export const storeAnswer = async (
  db: Db,
  scope: HeldKey,
  answer: { status: number; headers: Record<string, string>; body: string }
): Promise<void> => {
  await db
    .updateTable('idempotency_key')
    .set({
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      body: answer.body,
      finished_at: now
    })
    .where('workspace_id', '=', scope.workspace_id)
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .where('claim', '=', scope.claim)
    .execute()
}

/** The statement that marks the point of no return; it changes no row when the request holds the key no more. */
export const compileSent = (db: Db, scope: HeldKey): CompiledQuery =>
  db
    .updateTable('idempotency_key')
    .set({ sent_at: now })
    .where('workspace_id', '=', scope.workspace_id)
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .where('claim', '=', scope.claim)
    .returning('key')
    .compile()

/**
 * Takes the key of a request that has neither answered nor sent anything: should its process still live, it can send
 * nothing any more.
 * @returns whether that is so, and the request may be sent again
 */
export const releaseUnsent = async (db: Db, scope: IdempotencyScope): Promise<boolean> => {
  const gone = await db
    .deleteFrom('idempotency_key')
    .where('workspace_id', '=', scope.workspace_id)
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .where('status', 'is', null)
    .where('sent_at', 'is', null)
    // A row without a claim is of a version that did not mark.
    .where('claim', 'is not', null)
    .returning('key')
    .executeTakeFirst()
  return gone !== undefined
}

/** Forgets a key whose request did nothing, so that it may be sent again; with a claim only if that still holds it. */
export const releaseKey = async (db: Db, scope: IdempotencyScope & Partial<HeldKey>): Promise<void> => {
  const { claim } = scope
  await db
    .deleteFrom('idempotency_key')
    .where('workspace_id', '=', scope.workspace_id)
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('key', '=', scope.key)
    .$if(claim !== undefined, (query) => query.where('claim', '=', claim ?? null))
    .execute()
}

/** @returns how many keys were older than a day and are gone */
export const deleteOldKeys = async (db: Db): Promise<number> => {
  const { numDeletedRows } = await sweep(db, (reach) => db
    .deleteFrom('idempotency_key')
    .where(reach(sql`created_at < ${ago('24 hours')}`))
    .executeTakeFirst())
  return Number(numDeletedRows)
}
