import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { findDelivered, insertReceipts, type NewReceipt, type StoredReceipt } from '../../../../db/codehost/receipts.js'
import type { Db } from '../../../../db/index.js'
import type { WebhookHeaders } from '../../../../schemas/codehost/receipts.js'
import { DatabaseUnavailable } from '../../../../schemas/errors.js'

interface Waiting {
  receipt: NewReceipt
  resolve: (stored: StoredReceipt) => void
  reject: (error: unknown) => void
}

/** Each size is a prepared statement: three are soon planned on every connection, sixteen would not be. */
const batchSizes = [16, 4, 1]
const maxBytes = 33_554_432
const maxAtOnce = 3

/** Reads the action, which the code host puts first. The job parses the whole body later. */
const actionOf = (body: Buffer): string | null =>
  /^\s*\{\s*"action"\s*:\s*"([a-z_]{1,60})"/.exec(body.toString('latin1', 0, 200))?.[1] ?? null

type Headers = WebhookHeaders & { 'content-type'?: string | undefined }

/** @returns the webhook as it is stored */
export const receiptOf = (workspaceId: string, headers: Headers, body: Buffer, secretId: string): NewReceipt => ({
  workspace_id: workspaceId,
  id: uuid(),
  delivery_id: headers['x-github-delivery'],
  event: headers['x-github-event'],
  action: actionOf(body),
  content_type: (headers['content-type'] ?? '').slice(0, 200).replace(/[^\x20-\x7e]/g, ''),
  body,
  body_sha256: createHash('sha256').update(body).digest(),
  secret_id: secretId,
  hook_id: headers['x-github-hook-id'] ?? null
})

/** Stores webhooks that arrive together with one statement and one commit. */
export class Receiver {
  #waiting: Waiting[] = []
  #storing = 0
  #scheduled = false

  /** @param onStored called after each commit that queued a receipt */
  constructor (private readonly db: Db, private readonly onStored: () => void) {}

  /** @returns the stored receipt, after the commit */
  add (receipt: NewReceipt): Promise<StoredReceipt> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ receipt, resolve, reject })
      this.#schedule()
    })
  }

  #schedule (): void {
    if (this.#scheduled || this.#storing >= maxAtOnce || this.#waiting.length === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const batch = this.#take()
      this.#storing++
      void this.#store(batch).finally(() => {
        this.#storing--
        this.#schedule()
      })
      this.#schedule()
    })
  }

  /** Those of one workspace, in the order in which they came: a statement is of one. */
  #take (): Waiting[] {
    let bytes = 0
    const own = this.#waiting[0]?.receipt.workspace_id
    const other = this.#waiting.findIndex(({ receipt }) =>
      receipt.workspace_id !== own || (bytes += receipt.body.length) > maxBytes)
    const most = other === -1 ? this.#waiting.length : other
    return this.#waiting.splice(0, batchSizes.find((size) => size <= most) ?? 1)
  }

  async #store (batch: Waiting[]): Promise<void> {
    try {
      const answers = await this.#insert(batch.map(({ receipt }) => receipt))
      for (const [i, { resolve, reject }] of batch.entries()) {
        const answer = answers[i]
        if (answer) resolve(answer)
        else reject(DatabaseUnavailable())
      }
      if (answers.some((answer) => answer?.status === 'queued')) this.onStored()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  async #insert (receipts: NewReceipt[]): Promise<(StoredReceipt | undefined)[]> {
    const workspaceId = receipts[0]?.workspace_id ?? ''
    const stored = new Map((await insertReceipts(this.db, workspaceId, receipts)).map((row) => [row.id, row]))
    const others = receipts.filter(({ id }) => !stored.has(id))
    if (others.length === 0) return receipts.map(({ id }) => stored.get(id))
    const known = await findDelivered(this.db, workspaceId, others.map(({ delivery_id: id }) => id))
    const delivered = new Map(known.map((row) => [row.delivery_id, row]))
    return receipts.map(({ id, delivery_id: deliveryId }) => stored.get(id) ?? delivered.get(deliveryId))
  }
}
