import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { verify } from '@octokit/webhooks-methods'
import { findDelivered, insertReceipts, type NewReceipt, type StoredReceipt } from '../../../../db/codehost/receipts.js'
import type { Db } from '../../../../db/index.js'
import { decodeUtf8 } from '../../../../lib/http/text.js'
import type { WebhookHeaders } from '../../../../schemas/codehost/receipts.js'
import { DatabaseUnavailable, Overloaded } from '../../../../schemas/errors.js'
import { WebhookSignatureInvalid } from '../access.js'

const signature = /^sha256=[0-9a-f]{64}$/

/** @returns whether the header can be a signature at all; only SHA-256 counts */
export const isSignature = (header: unknown): header is string => typeof header === 'string' && signature.test(header)

/**
 * @param secrets the current one, then the previous one while rotating
 * @returns the secret that signed the bytes
 * @throws webhook_signature_invalid; not_utf8 for bytes that are not UTF-8, which decoding would change
 */
export const findSigner = async (secrets: string[], body: Buffer, header: unknown): Promise<string> => {
  if (!isSignature(header) || body.length === 0) throw WebhookSignatureInvalid()
  const text = decodeUtf8(body)
  for (const secret of secrets) if (await verify(secret, text, header)) return secret
  throw WebhookSignatureInvalid()
}

/** Bytes of webhooks that may be in memory before their signature is verified: of all, and of one holder. */
const maxBytes = 134_217_728
const maxOfOne = maxBytes / 2

/**
 * Counts the bytes of bodies that are being received, by their Content-Length, else by the limit. Whoever holds some is
 * known by where the webhook is for, and by where it comes from; none of them can take the room of all others.
 */
export class InFlight {
  #bytes = 0
  readonly #held = new Map<string, number>()

  /**
   * @param holders whose share it takes
   * @param length the Content-Length; undefined = not known
   * @returns releases the bytes, once
   * @throws overloaded when there are too many
   */
  reserve (holders: readonly string[], length: string | undefined, limit: number): () => void {
    let held = Number(length ?? limit)
    if (Number.isNaN(held)) held = limit
    // The body limit refuses a larger one before it is read.
    if (held > limit) return () => {}
    if (this.#bytes + held > maxBytes || holders.some((one) => (this.#held.get(one) ?? 0) + held > maxOfOne)) {
      throw Overloaded().withHeaders({ 'retry-after': '5' })
    }
    this.#add(holders, held)
    return () => {
      this.#add(holders, -held)
      held = 0
    }
  }

  #add (holders: readonly string[], bytes: number): void {
    this.#bytes += bytes
    for (const one of holders) {
      const sum = (this.#held.get(one) ?? 0) + bytes
      if (sum > 0) this.#held.set(one, sum)
      else this.#held.delete(one)
    }
  }
}

interface Waiting {
  receipt: NewReceipt
  resolve: (stored: StoredReceipt) => void
  reject: (error: unknown) => void
}

/** Each size is a prepared statement: three are soon planned on every connection, sixteen would not be. */
const batchSizes = [16, 4, 1]
const maxBodyBytes = 33_554_432
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
      receipt.workspace_id !== own || (bytes += receipt.body.length) > maxBodyBytes)
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
