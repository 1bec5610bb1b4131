import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { answerError, sendProblem } from '../lib/http/problem.js'
import { MalformedRequest, NotFound, ShuttingDown, type ErrorDefinition } from '../schemas/errors.js'

declare module 'fastify' {
  interface FastifyContextConfig { errors?: ErrorDefinition[] }
}

export default fp(async (app: FastifyInstance) => {
  // What people stored comes back as what we say it is: no browser takes JSON for a page.
  let isClosing = false
  app.addHook('preClose', async () => { isClosing = true })
  app.addHook('onRequest', async ({ headers, raw }, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    if (isClosing) throw ShuttingDown().withHeaders({ 'retry-after': '2' })
    if (headers.host === undefined && raw.httpVersion === '1.1') throw MalformedRequest('The header Host is missing')
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, NotFound(`No ${request.method} here`)))
}, { name: 'errors' })
