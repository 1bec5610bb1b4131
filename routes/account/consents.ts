import type { ServerResponse } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { issuerOf } from '../../lib/security/issuer.js'
import type { Access } from '../../lib/security/principal.js'
import {
  AuthorizationRequest, AuthorizationRequestParams, DecideAuthorization, DecidedAuthorization
} from '../../schemas/account/assistants.js'
import { NotFound } from '../../schemas/errors.js'
import { ScopeNotAsked } from './lib/errors.js'
import { allow, describeRequest, refusal, type Asked } from './lib/oauth/consent.js'

/** Everybody decides what programs may do in their name; a token decides nothing of the kind. */
const own = { role: 'viewer', owner: 'person' } as const
const reads: Access = { scope: 'account:read', ...own }
const writes: Access = { scope: 'account:write', ...own }

/** What the consent page shows and sends. */
const consents: FastifyPluginAsyncTypebox = async (app) => {
  /** Only in the browser in which the program began it, and signed in: else it is not there. */
  const find = async ({ principal, raw, params }: FastifyRequest<{ Params: { request_id: string } }>,
    response: ServerResponse, issuer: string): Promise<Asked> => {
    if (principal.via !== 'browser') throw NotFound()
    const provider = await app.oauth.providerOf(issuer)
    const interaction = await provider.interactionDetails(raw, response).catch(() => undefined)
    if (interaction?.uid !== params.request_id || interaction.result) throw NotFound()
    return { provider, interaction }
  }

  app.get('/consents/:request_id/request', {
    config: { access: reads },
    schema: {
      operationId: 'getAuthorizationRequest',
      summary: 'Read what a program asks for',
      description: 'For the consent page: which program asks to be let in, and what it may read and propose then. ' +
        'It is there only in the browser in which it began, for a person who is signed in.',
      tags: ['account'],
      params: AuthorizationRequestParams,
      response: { 200: AuthorizationRequest }
    }
  }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return describeRequest(app, request.principal, await find(request, reply.raw, await issuerOf(app, request)))
  })

  app.post('/consents/:request_id/decision', {
    config: { access: writes, errors: [NotFound, ScopeNotAsked] },
    schema: {
      operationId: 'decideAuthorization',
      summary: 'Let a program in, or not',
      description: 'Lets the program act in your name, with these scopes, or sends it away. Only the command line can get ' +
        '`approvals:write`, and only when you name it. The browser goes on at `continue_url`. Take it back with disconnectAssistant.',
      tags: ['account'],
      params: AuthorizationRequestParams,
      body: DecideAuthorization,
      response: { 200: DecidedAuthorization }
    }
  }, async (request, reply) => {
    const { principal, body, ip, id } = request
    const asked = await find(request, reply.raw, await issuerOf(app, request))
    const result = body.decision === 'deny'
      ? refusal
      : await allow(app, principal, asked, body.scopes, { address: ip, requestId: id })
    request.recorded = body.decision === 'allow'
    reply.header('cache-control', 'no-store')
    return { continue_url: await asked.provider.interactionResult(request.raw, reply.raw, result) }
  })
}

export default consents
