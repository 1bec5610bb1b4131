import { sql } from 'kysely'
import { repeatableEvents } from '../../schemas/codehost/events.js'
import type { ReceiptStatus } from '../../schemas/codehost/receipts.js'
import { now } from '../clock.js'
import { dueBatchesOf, putOffFor } from '../durable/due-rows.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'

/** After so many attempts a receipt stays failed. */
export const maxAttempts = 5
const firstPauseS = 15

export interface ReceiptKey { workspace_id: string, id: string }
export interface ClaimedReceipt extends ReceiptKey { attempts: number }

const isDue = sql<boolean>`status = 'queued' and next_attempt_at <= ${now}`

export const dueReceipts = dueBatchesOf<ClaimedReceipt>({
  name: 'codehost_receipt',
  state: 'status',
  columns: ['workspace_id', 'id', 'attempts'],
  isDue,
  onClaim: putOffFor(firstPauseS),
  orderBy: 'next_attempt_at'
})

/** Fails receipts that are due again after their last attempt: the process that made it has crashed. */
export const giveUpReceipts = async (db: Db): Promise<void> => {
  await sweep(db, (reach) => db.updateTable('codehost_receipt')
    .set({ status: 'failed', error_code: 'gave_up', processed_at: now })
    .where(reach(isDue)).where('attempts', '>=', sql.lit(maxAttempts)).execute())
}

/** Copies that arrive at the same moment do not see each other on insert, so settling checks once more. */
const wasSettled = (workspaceId: string) => sql<boolean>`exists (select from codehost_receipt e
  where e.workspace_id = ${workspaceId} and e.body_sha256 = codehost_receipt.body_sha256
    and e.event = codehost_receipt.event and e.id <> codehost_receipt.id and e.status in ('processed', 'ignored')
    and (e.event not in (${sql.join(repeatableEvents.map((event) => sql.lit(event)))})
      or e.received_at > codehost_receipt.received_at - interval '5 minutes'))`

/** Locks the receipt until the transaction ends. @returns it with its body; undefined when it is settled */
export const lockReceipt = (trx: Db, { workspace_id: workspaceId, id }: ReceiptKey) =>
  trx.selectFrom('codehost_receipt').select(['workspace_id', 'id', 'event', 'content_type', 'body'])
    .select(wasSettled(workspaceId).as('repeated'))
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('status', '=', sql.lit('queued'))
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
  await db.updateTable('codehost_receipt').set({ ...settlement, processed_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where('status', '=', sql.lit('queued')).execute()
}
