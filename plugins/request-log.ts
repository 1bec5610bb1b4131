import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { redactText } from '../lib/security/redaction.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The run that the request began or decided something of; the log names it. */
    run_id: string | undefined
  }
}

const isOfTool = ({ principal }: FastifyRequest): boolean => principal?.via === 'assistant'

/** The run that the answer streams, that asked, or that the request is about. */
const runOf = (request: FastifyRequest, reply: FastifyReply): string | undefined => {
  const streamed = reply.getHeader('steward-run-id')
  if (typeof streamed === 'string') return streamed
  return isOfTool(request) ? request.principal.via_id ?? undefined : request.run_id
}

/** One line a request, when it is answered: what, by whom, how it went. Ids, never bodies or queries. */
export default fp(
  async (app) => {
    app.decorateRequest('run_id', undefined)
    app.addHook('onResponse', async (request, reply) => {
      const { contract } = request.routeOptions.config
      const runId = runOf(request, reply)
      const { elapsedTime: ms } = reply
      app.telemetry.record({
        type: 'request',
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        operation: contract?.operationId,
        status: reply.statusCode,
        request_id: request.id,
        run_id: runId,
        of_tool: isOfTool(request),
        traceparent: [request.headers.traceparent].flat()[0],
        started_at: Date.now() - ms,
        ms
      })
      request.log.info(
        {
          method: request.method,
          // The address of a calendar is a credential.
          path: redactText(request.url.split('?', 1)[0] ?? ''),
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
