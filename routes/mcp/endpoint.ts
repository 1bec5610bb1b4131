import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireOwnPage } from '../../lib/security/same-site.js'
import { ApiError, Unauthenticated } from '../../schemas/errors.js'
import { answerMessage } from './lib/answer-message.js'
import { metadataPath } from './metadata.js'

/** Accepts only a bearer token, never a cookie; a 401 says where to read what the endpoint requires. */
const authenticate = async (app: FastifyInstance, request: FastifyRequest): Promise<void> => {
  requireOwnPage(app, request)
  try {
    if (request.headers.authorization === undefined) throw Unauthenticated()
    await app.authenticate(request)
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 401) throw error
    const challenge = error.headers['www-authenticate'] ?? 'Bearer realm="steward"'
    const metadataUrl = `${app.config.publicUrl}${metadataPath}`
    throw error.withHeaders({ 'www-authenticate': `${challenge}, resource_metadata="${metadataUrl}"` })
  }
}

const endpoint: FastifyPluginAsyncTypebox = async (app) => {
  // What a tool call may do is decided by the tool's own route.
  app.publish(app, 'asks for a bearer token itself: never for a cookie')
  app.addHook('onRequest', (request) => authenticate(app, request))

  app.post('/mcp', { config: { assistant: true }, schema: { hide: true } }, async (request, reply) => {
    const { method, headers, body, principal } = request
    // Every header that the protocol reads occurs once.
    const message = { url: `${app.config.publicUrl}/mcp`, method, headers: headers as Record<string, string>, body }
    const answer = await answerMessage(app, principal, message)
    return reply.code(answer.status).headers(Object.fromEntries(answer.headers)).send(await answer.text())
  })

  // There are no sessions to resume or end, and the server sends nothing on its own.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    config: { assistant: true },
    schema: { hide: true },
    handler: async (_request, reply) => reply.code(405).header('allow', 'POST').send()
  })
}

export default endpoint
