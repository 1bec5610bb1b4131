import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findReceipt, listReceipts, type ReceiptRow } from '../../db/codehost/receipts.js'
import type { Access } from '../../lib/security/principal.js'
import { ListReceipts, Receipt, ReceiptPage, ReceiptParams } from '../../schemas/codehost/receipts.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { cursorsOf } from './cursor.js'
import { codehostFields } from './lib/field-words.js'

const adminReads: Access = { role: 'admin', scope: 'codehost:read', owner: 'workspace' }

const describeReceipt = ({ id, ...row }: ReceiptRow): Receipt => ({ receipt_id: id, ...row })

const receipts: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/receipts', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see which webhooks of the code host arrived, or which could not be processed.',
        gives: 'the webhooks of the last 30 days, newest first, with how each was processed.',
        keywords: 'webhooks webhook hooks receipts arrived failed processed deliveries github events arriving',
        fields: codehostFields
      },
      access: adminReads,
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listReceipts',
      summary: 'List the webhooks that arrived',
      description: 'The newest first; with status=failed those that could not be processed. They are kept for 30 days.',
      tags: ['codehost'],
      querystring: ListReceipts,
      response: { 200: ReceiptPage }
    }
  }, async ({ principal, query }) => {
    const { limit, cursor: _, ...filter } = query
    const { from, encode } = cursorsOf(app, principal, 'receipts', query)
    const before = from?.[0] === undefined ? undefined : String(from[0])
    const rows = await listReceipts(app.db, principal.workspace_id, filter, before, limit + 1)
    const items = rows.slice(0, limit).map(describeReceipt)
    const last = items.at(-1)
    return { items, next_cursor: encode(rows.length > limit && last ? [last.receipt_id] : null) }
  })

  app.get('/receipts/:receipt_id', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to find out why one webhook was ignored or failed.',
        gives: 'when it arrived, how often it was processed, and the reason.',
        keywords: 'webhook hook receipt why ignored failed delivery',
        fields: codehostFields
      },
      access: adminReads
    },
    schema: {
      operationId: 'getReceipt',
      summary: 'Read how a webhook was processed',
      description: 'One webhook: when it arrived, how often it was processed, and why it was ignored or failed.',
      tags: ['codehost'],
      params: ReceiptParams,
      response: { 200: Receipt }
    }
  }, async ({ principal, params }) => {
    const row = await findReceipt(app.db, principal.workspace_id, params.receipt_id)
    if (!row) throw NotFound()
    return describeReceipt(row)
  })
}

export default receipts
