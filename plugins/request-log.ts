import fp from 'fastify-plugin'

/** One line a request, when it is answered: what, by whom, how it went. Ids, never bodies or queries. */
export default fp(
  async (app) => {
    app.addHook('onResponse', async (request, reply) => {
      const { contract } = request.routeOptions.config
      request.log.info(
        {
          method: request.method,
          path: request.url.split('?', 1)[0],
          operation: contract?.operationId,
          status: reply.statusCode,
          code: reply.getHeader('x-error-code'),
          ms: Math.round(reply.elapsedTime),
          user_id: request.principal?.user_id,
          via: request.principal?.via,
          run_id:
            reply.getHeader('steward-run-id') ??
            (request.principal?.via === 'assistant' ? request.principal.via_id : undefined)
        },
        'request'
      )
    })
  },
  { name: 'request-log' }
)
