import { createHmac } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { enqueuerOf } from '../../lib/durable/due-batches.js'
import { networkOf } from '../../lib/http/addresses.js'
import { RefusedCredentials } from '../../lib/security/refused-credentials.js'
import { WebhookHeaders, WebhookPayload, WebhookReceipt } from '../../schemas/codehost/receipts.js'
import { ApiError, Overloaded } from '../../schemas/errors.js'
import { WebhookNotConfigured, WebhookSignatureInvalid } from './lib/access.js'
import { InFlight, receiptOf, Receiver, findSigner, isSignature } from './lib/webhooks/receive.js'
import { receiptKind } from './lib/webhooks/process-receipt.js'

/** The code host sends no larger webhooks. The sandbox's are small, and have the limit of any other body. */
const maxBytes = 26_214_400

const bodyLimitOf = ({ codehost, initialConfig }: FastifyInstance): number =>
  codehost.configured && codehost.addresses.sandboxed ? initialConfig.bodyLimit ?? maxBytes : maxBytes

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the host name that the code host was given. */
    webhookWorkspace: string
    /** Identifies the webhook secret that signed the body. */
    webhookSecret: string
  }
}

const refusalCounter = (app: FastifyInstance) => {
  const refused = new RefusedCredentials(app.config.limits.refused_credentials_per_minute)
  return (ip: string, error: unknown) =>
    error instanceof ApiError && error.statusCode === 401 ? refused.count(ip, error) : error
}

/**
 * The first workspace's hooks have the configured secrets, and each other one's have secrets of its own, made of those:
 * whoever sets up hooks for one workspace cannot sign events for another.
 */
const secretsOf = ({ codehost, home }: FastifyInstance, workspaceId: string): string[] => {
  const { webhookSecrets } = codehost.addresses
  return workspaceId === home.workspace_id
    ? webhookSecrets
    : webhookSecrets.map((secret) => createHmac('sha256', secret).update(`webhook ${workspaceId}`).digest('hex'))
}

/** Verifies that the code host sent the body: without a signature it is not read, with a wrong one not stored. */
const requireSignature = (app: FastifyInstance) => {
  const { codehost, secrets } = app
  const inFlight = new InFlight()
  const countRefusal = refusalCounter(app)
  const bodyLimit = bodyLimitOf(app)

  app.addHook('onRequest', async (request, reply) => {
    if (!codehost.configured || codehost.addresses.webhookSecrets.length === 0) throw WebhookNotConfigured()
    if (!isSignature(request.headers['x-hub-signature-256'])) throw countRefusal(request.ip, WebhookSignatureInvalid())
    request.webhookWorkspace = await app.workspaces.workspaceOf(request)
    const holders = [request.webhookWorkspace, networkOf(request.ip)]
    const release = inFlight.reserve(holders, request.headers['content-length'], bodyLimit)
    reply.raw.once('finish', release).once('close', release)
  })

  app.decorateRequest('webhookWorkspace', '')
  app.decorateRequest('webhookSecret', '')
  app.addHook('preValidation', async (request) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const known = secretsOf(app, request.webhookWorkspace)
    const secret = await findSigner(known, body, request.headers['x-hub-signature-256'])
      .catch((error: unknown) => { throw countRefusal(request.ip, error) })
    request.webhookSecret = secrets.sign(`webhook_secret|${secret}`).toString('hex').slice(0, 8)
  })
}

/** Receives the code host's events: stores each one as received and answers; a job processes it. */
const webhook: FastifyPluginAsyncTypebox = async (app) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  requireSignature(app)
  const receiver = new Receiver(app.db, enqueuerOf(app, receiptKind))

  app.post('/codehost', {
    bodyLimit: bodyLimitOf(app),
    // Counted after the signature was verified: forged webhooks do not use up the code host's limit.
    config: {
      public: 'takes a signature instead',
      openQuery: 'the code host calls the address that it was given',
      rateLimit: {
        max: app.config.limits.webhooks_per_minute,
        keyGenerator: ({ webhookWorkspace }: FastifyRequest) => `${webhookWorkspace} webhooks`
      },
      errors: [WebhookSignatureInvalid, WebhookNotConfigured, Overloaded]
    },
    schema: {
      operationId: 'receiveWebhook',
      summary: 'Take an event of the code host',
      description: 'For webhooks of the code host, signed with the secret of CODEHOST_WEBHOOK_SECRET, or with the ' +
        'previous one while rotating. Every event is accepted: it is stored as received before the answer, and ' +
        'processed afterwards. The same delivery, or the same body in another one, changes nothing.',
      tags: ['codehost'],
      security: [],
      headers: WebhookHeaders,
      body: WebhookPayload,
      response: { 202: WebhookReceipt }
    }
  }, async ({ headers, body, webhookWorkspace, webhookSecret }, reply) => {
    // requireSignature has verified that the body is bytes.
    const receipt = receiptOf(webhookWorkspace, headers, body as Buffer, webhookSecret)
    app.failpoint('webhook.before_store')
    const { id, ...stored } = await receiver.add(receipt)
    app.failpoint('webhook.after_store')
    return reply.code(202).send({ receipt_id: id, ...stored })
  })
}

export default webhook
