import { sql } from 'kysely'
import type { ReceiptStatus } from '../../schemas/codehost/receipts.js'
import type { Db } from '../index.js'

/** After so many looks that came to nothing a receipt is left as failed. */
export const maxAttempts = 5
const firstPauseS = 15

export interface ReceiptKey { workspace_id: string, id: string }
export interface ClaimedReceipt extends ReceiptKey { attempts: number }

/** What was looked at for the last time, and is due again: whoever looked died of it. */
const giveUp = async (db: Db): Promise<void> => {
  await sql`update codehost_receipt set status = 'failed', error_code = 'gave_up', processed_at = now()
    where status = 'queued' and next_attempt_at <= now() and attempts >= ${sql.lit(maxAttempts)}`.execute(db)
}

/**
 * Takes receipts to look at. Each is counted and due again after a pause that doubles, before the look begins: a
 * look that kills its process is not repeated for ever.
 */
export const claimReceipts = async (db: Db, limit: number): Promise<ClaimedReceipt[]> => {
  await giveUp(db)
  const { rows } = await sql<ClaimedReceipt>`
    update codehost_receipt set attempts = attempts + 1,
      next_attempt_at = now() + make_interval(secs => ${sql.lit(firstPauseS)} * power(2, attempts))
    where (workspace_id, id) in (
      select workspace_id, id from codehost_receipt where status = 'queued' and next_attempt_at <= now()
      order by next_attempt_at limit ${limit} for update skip locked)
    returning workspace_id, id, attempts`.execute(db)
  return rows
}

/** Copies that arrive at the same moment do not see each other when they are stored. */
const wasSettled = sql<boolean>`exists (select from codehost_receipt e
  where e.workspace_id = codehost_receipt.workspace_id and e.body_sha256 = codehost_receipt.body_sha256
    and e.event = codehost_receipt.event and e.id <> codehost_receipt.id and e.status in ('processed', 'ignored'))`

/** @returns the receipt with its body, if nobody has settled it; nobody else will until the transaction ends */
export const lockReceipt = (trx: Db, { workspace_id: workspaceId, id }: ReceiptKey) =>
  trx.selectFrom('codehost_receipt').select(['workspace_id', 'id', 'event', 'content_type', 'body'])
    .select(wasSettled.as('repeated'))
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where(sql<boolean>`status = 'queued'`)
    .forUpdate().executeTakeFirst()

export type QueuedReceipt = NonNullable<Awaited<ReturnType<typeof lockReceipt>>>

export interface Settlement {
  status: Exclude<ReceiptStatus, 'queued'>
  error_code: string | null
  action?: string | null
  repo_id?: string | null
}

export const settleReceipt = async (db: Db, { workspace_id: workspaceId, id }: ReceiptKey, settlement: Settlement):
Promise<void> => {
  await db.updateTable('codehost_receipt').set({ ...settlement, processed_at: sql<Date>`now()` })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where(sql<boolean>`status = 'queued'`).execute()
}
