import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { byAddress } from '../../lib/http/addresses.js'
import { RefusedCredentials } from '../../lib/security/refused-credentials.js'
import { AlertEvent, EventReceipt, TriggerParams } from '../../schemas/agent/triggers.js'
import { ApiError, InvalidText, MalformedJson, NotUtf8, Overloaded, RateLimited } from '../../schemas/errors.js'
import { fieldsOf } from '../../schemas/unknown.js'
import { EventExpired, EventInvalid, EventUnsigned, TriggerNotFound } from './lib/errors.js'
import { requireWebhook, takeEvent } from './lib/triggers/take-event.js'
import { SnsVerifier } from './lib/triggers/verify-sns.js'

const maxBytes = 262_144
/** How many triggers' events one address may send. */
const senderShare = 4

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the host name that the sender was given. */
    eventWorkspace: string
  }
}

/** Takes the events of other products: each is stored before the answer, and a job begins the run. */
const events: FastifyPluginAsyncTypebox = async (app) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const refused = new RefusedCredentials(app.config.limits.refused_credentials_per_minute)
  const sns = new SnsVerifier(app)
  // Only a trigger that exists is counted: other names leave nothing behind.
  const countOf = app.createRateLimit({
    max: app.config.limits.events_per_minute,
    keyGenerator: ({ eventWorkspace, params }: FastifyRequest) =>
      `${eventWorkspace} events:${fieldsOf(params).trigger_id}`
  })
  app.decorateRequest('eventWorkspace', '')
  app.addHook('onRequest', async (request) => {
    request.eventWorkspace = await app.workspaces.workspaceOf(request)
  })

  app.post('/triggers/:trigger_id/events', {
    bodyLimit: maxBytes,
    config: {
      public: 'takes a signature instead',
      openQuery: 'the sender calls the address that it was given',
      // Who sends for several triggers may come from one address.
      rateLimit: {
        max: senderShare * app.config.limits.events_per_minute,
        keyGenerator: ({ ip }: FastifyRequest) => byAddress('events', ip)
      },
      errors: [TriggerNotFound, EventUnsigned, EventExpired, EventInvalid, MalformedJson, NotUtf8, InvalidText,
        Overloaded]
    },
    schema: {
      operationId: 'receiveEvent',
      summary: 'Take an event for a trigger',
      description: 'For Alertmanager, Grafana, PagerDuty, SNS, and whatever signs by Standard Webhooks: each is ' +
        'signed in the way of its sender, with the secret of the trigger. An alert that comes again starts nothing a ' +
        'second time; when it is resolved, what waits for it lapses.',
      tags: ['agent'],
      security: [],
      params: TriggerParams,
      body: AlertEvent,
      response: { 202: EventReceipt }
    }
  }, async (request, reply) => {
    const { headers, ip, params } = request
    const trigger = await requireWebhook(app, request.eventWorkspace, params.trigger_id)
    const count = await countOf(request)
    if (!count.isAllowed && count.isExceeded) {
      throw RateLimited(`More than ${count.max} events in a minute`)
        .withHeaders({ 'retry-after': `${count.ttlInSeconds}` })
    }
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const receipt = await takeEvent(app, sns, trigger, { headers, body }).catch((error: unknown) => {
      throw error instanceof ApiError && error.statusCode === 401 ? refused.count(ip, error) : error
    })
    return reply.code(202).send(receipt)
  })
}

export default events
