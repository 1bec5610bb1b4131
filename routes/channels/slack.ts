import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { takeRequest } from '../../db/channels/clicks.js'
import { RefusedCredentials } from '../../lib/security/refused-credentials.js'
import { SlackAnswer, SlackTaken, type Origin } from '../../schemas/channels/channels.js'
import { keepClick, readClick, takeCode, noteReplay } from './lib/click.js'
import { SlackNotConfigured, SlackSignatureInvalid } from './lib/errors.js'
import { isFromSlack, slackAppOf } from './lib/send/send-slack.js'
import { noteForged } from './lib/notify-refused.js'

const maxBytes = 262_144
const bodyOf = ({ body }: FastifyRequest): Buffer => Buffer.isBuffer(body) ? body : Buffer.alloc(0)

const formOf = (request: FastifyRequest): URLSearchParams => new URLSearchParams(bodyOf(request).toString('utf8'))

const originOf = ({ ip, id }: FastifyRequest): Origin => ({ remote_address: ip, request_id: id })

const clickOf = (request: FastifyRequest) => readClick(formOf(request).get('payload') ?? '', originOf(request))

/** Believes what Slack signed within the last five minutes, once. */
const requireSignature = (app: FastifyInstance): void => {
  const refused = new RefusedCredentials(app.config.limits.refused_credentials_per_minute)
  const refuse = (request: FastifyRequest, reason: string) => {
    request.log.warn({ reason }, 'a request in the name of Slack was refused')
    return refused.count(request.ip, SlackSignatureInvalid())
  }
  app.addHook('preValidation', async (request) => {
    const secrets = slackAppOf(app)?.signingSecrets
    if (!secrets) throw SlackNotConfigured()
    const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = request.headers
    if (!isFromSlack(secrets, { timestamp, signature, body: bodyOf(request) }, new Date())) {
      const error = refuse(request, 'signature')
      // Whoever signs nothing at all is no forger; whoever forges without end is not let write without end.
      const isForged = signature !== undefined && error.statusCode === 401
      if (isForged) await noteForged(app, String(request.routeOptions.schema?.operationId), originOf(request))
      throw error
    }
    if (await takeRequest(app.db, app.home.workspace_id, String(signature))) return
    const error = refuse(request, 'replay')
    const click = clickOf(request)
    // Whoever repeats it without end is not let write without end.
    if (click && error.statusCode === 401) await noteReplay(app, click)
    throw error
  })
}

const config = {
  public: 'takes a signature of Slack instead',
  openQuery: 'Slack calls the address that it was given',
  errors: [SlackSignatureInvalid, SlackNotConfigured]
}

const slack: FastifyPluginAsyncTypebox = async (app) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) => done(null, body))
  requireSignature(app)

  app.post('/slack/commands', {
    config,
    schema: {
      operationId: 'receiveSlackCommand',
      summary: 'Take a command of Slack',
      description: '`/steward CODE` links the Slack account of whoever says it. Signed by Slack.',
      tags: ['account'],
      security: [],
      response: { 200: SlackAnswer }
    }
  }, async (request) => {
    const form = formOf(request)
    const address = `${form.get('team_id') ?? ''}:${form.get('user_id') ?? ''}`
    return { response_type: 'ephemeral' as const, text: await takeCode(app, form.get('text') ?? '', address) }
  })

  app.post('/slack/interactions', {
    config,
    schema: {
      operationId: 'receiveSlackInteraction',
      summary: 'Take a click in Slack',
      description: 'A click on a card decides as its person does in the browser, by the same rules. Signed by Slack.',
      tags: ['account'],
      security: [],
      response: { 200: SlackTaken }
    }
  }, async (request) => {
    const click = clickOf(request)
    if (click) await keepClick(app, click)
    return {}
  })
}

export default slack
