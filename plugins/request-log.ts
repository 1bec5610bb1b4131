import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** The run that the answer streams, or that asked. */
const runOf = (request: FastifyRequest, reply: FastifyReply): string | undefined => {
  const streamed = reply.getHeader('steward-run-id')
  if (typeof streamed === 'string') return streamed
  return request.principal?.via === 'assistant' ? request.principal.via_id ?? undefined : undefined
}

/** One line a request, when it is answered: what, by whom, how it went. Ids, never bodies or queries. */
export default fp(
  async (app) => {
    app.addHook('onResponse', async (request, reply) => {
      const { contract } = request.routeOptions.config
      const runId = runOf(request, reply)
      const { elapsedTime: ms } = reply
      app.telemetry.tell({
        type: 'request',
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        operation: contract?.operationId,
        status: reply.statusCode,
        request_id: request.id,
        run_id: runId,
        traceparent: request.headers.traceparent as string | undefined,
        started_at: Date.now() - ms,
        ms
      })
      request.log.info(
        {
          method: request.method,
          path: request.url.split('?', 1)[0],
          operation: contract?.operationId,
          status: reply.statusCode,
          code: reply.getHeader('x-error-code'),
          ms: Math.round(ms),
          user_id: request.principal?.user_id,
          via: request.principal?.via,
          run_id: runId
        },
        'request'
      )
    })
  },
  { name: 'request-log', dependencies: ['telemetry'] }
)
