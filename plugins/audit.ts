import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { insertAudit } from '../db/audit.js'
import { messageOf } from '../schemas/thrown.js'
import { fieldsOf } from '../schemas/unknown.js'

const targetOf = (request: FastifyRequest): string | null => {
  // Path parameters are strings.
  const values = Object.values(fieldsOf(request.params)).map(String)
  return values.length > 0 ? values.join('/').slice(0, 500) : null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** false: the operation writes its audit row itself, or changes nothing */
    audit?: false
  }
}

/** One row for every write, before its answer is sent; refused ones too. */
export default fp(async (app) => {
  app.addHook('onSend', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { access, audit, contract } = request.routeOptions.config
    const { principal } = request
    if (!access || audit === false || !principal || principal.planning) return
    const code = reply.getHeader('x-error-code')
    try {
      await insertAudit(app.db, {
        workspace_id: principal.workspace_id,
        user_id: principal.user_id,
        via: principal.via,
        via_id: principal.via_id,
        operation: contract?.operationId ?? request.url,
        target: targetOf(request),
        outcome: typeof code === 'string' ? code : 'succeeded',
        status: reply.statusCode,
        remote_address: request.ip,
        request_id: request.id
      })
    } catch (error) {
      // The write happened: its answer must not turn into an error.
      request.log.error({ reason: messageOf(error), operation: contract?.operationId }, 'audit row not written')
    }
  })
}, { name: 'audit', dependencies: ['auth', 'db'] })
