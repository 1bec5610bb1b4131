import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, page, PageQuery, Timestamp, Words } from '../common.js'

export const receiptStatuses = ['queued', 'processed', 'duplicate', 'ignored', 'failed'] as const
export type ReceiptStatus = typeof receiptStatuses[number]

/** Any event of the code host: it is stored as received and processed later. */
export const WebhookPayload = Type.Unknown({
  $id: 'WebhookPayload', description: 'Any event of the code host, as JSON or as the form field payload; 25 MiB'
})

const word = { minLength: 1, maxLength: 100 }

export const WebhookHeaders = Type.Object({
  'x-github-delivery': Type.String({
    ...word,
    pattern: '^[\\x21-\\x7e]+$',
    examples: ['72d3162e-cc78'],
    description: 'Names the delivery'
  }),
  'x-github-event': Type.String({
    ...word,
    pattern: '^[A-Za-z0-9_.-]+$',
    examples: ['push'],
    description: 'Such as push'
  }),
  'x-hub-signature-256': Type.Optional(Type.String({
    description: '`sha256=` and the HMAC of the raw body in lower-case hex, with the secret of the webhook'
  })),
  'x-github-hook-id': Type.Optional(Type.String({ maxLength: 40 }))
})
export type WebhookHeaders = Static<typeof WebhookHeaders>

const brief = {
  receipt_id: Id,
  delivery_id: Type.String(),
  event: Type.String(),
  action: Nullable(Type.String()),
  status: Words(receiptStatuses, {
    description: 'queued: it is stored and will be processed; duplicate: it came before, in this or another ' +
      'delivery; ignored: nothing follows from it; failed: every attempt to process it failed'
  })
}

export const WebhookReceipt = Type.Object(brief, { $id: 'WebhookReceipt' })
export type WebhookReceipt = Static<typeof WebhookReceipt>

export const Receipt = Type.Object({
  ...brief,
  received_at: Timestamp,
  processed_at: Nullable(Timestamp),
  attempts: Type.Integer({ description: 'How often it was processed' }),
  error_code: Nullable(Type.String({ description: 'Why it was ignored, or failed' })),
  repo_id: Nullable(Type.String()),
  hook_id: Nullable(Type.String()),
  body_sha256: Type.String(),
  body_bytes: Type.Integer(),
  secret_id: Type.String({ description: 'Identifies the secret that signed the webhook, without revealing it' })
}, { $id: 'Receipt' })
export type Receipt = Static<typeof Receipt>

export const ReceiptPage = page(Receipt, 'ReceiptPage')
export const ReceiptParams = Type.Object({ receipt_id: Id })

export const ListReceipts = Type.Object({
  ...PageQuery,
  status: Type.Optional(Words(receiptStatuses)),
  event: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  repo_id: Type.Optional(Type.String({ maxLength: 20 }))
})
export type ListReceipts = Static<typeof ListReceipts>
