import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, Unauthenticated } from '../../schemas/errors.js'
import { MessageAnswers } from './lib/answer-message.js'
import { answerParseError, requireKnownOrigin } from './lib/require-known-origin.js'
import { McpQuery, readSelection } from './lib/selection.js'
import { issuerOf, metadataPaths } from '../../lib/security/issuer.js'

/** Accepts only a bearer token, never a cookie; a 401 says where to read what the endpoint requires. */
const authenticate = async (app: FastifyInstance, request: FastifyRequest): Promise<void> => {
  await requireKnownOrigin(app, request)
  try {
    if (request.headers.authorization === undefined) throw Unauthenticated()
    await app.authenticate(request)
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 401) throw error
    const challenge = error.headers['www-authenticate'] ?? 'Bearer realm="steward"'
    const metadataUrl = `${await issuerOf(app, request)}${metadataPaths.mcp}`
    throw error.withHeaders({ 'www-authenticate': `${challenge}, resource_metadata="${metadataUrl}"` })
  }
}

const endpoint: FastifyPluginAsyncTypebox = async (app) => {
  // What a tool call may do is decided by the tool's own route.
  app.publish(app, 'asks for a bearer token itself: never for a cookie')
  app.addHook('onRequest', (request) => authenticate(app, request))
  const answers = new MessageAnswers(app)
  app.addHook('onClose', () => answers.close())
  app.setErrorHandler(answerParseError)

  const schema = { hide: true, querystring: McpQuery }
  app.post('/mcp', { config: { assistant: true, resource: 'mcp' }, schema }, async (request, reply) => {
    const { method, headers, body, principal, query } = request
    const selection = readSelection(query, headers)
    // Every header that the protocol reads occurs once.
    const message = { url: `${app.config.publicUrl}/mcp`, method, headers: headers as Record<string, string>, body }
    const answer = await answers.answer({ principal, selection }, message)
    return reply.send(answer)
  })

  // There are no sessions to resume or end, and the server sends nothing on its own.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    config: { assistant: true, resource: 'mcp' },
    schema: { hide: true },
    handler: async (_request, reply) => reply.code(405).header('allow', 'POST').send()
  })
}

export default endpoint
