import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { NotFound } from '../../schemas/errors.js'

const access = { scope: 'account:read', role: 'admin' } as const

/** Who may read them is configuration: an admin's token, or whoever reaches the port. */
const metrics: FastifyPluginAsyncTypebox = async (app) => {
  const open = app.config.METRICS === 'open'
  if (!open) app.addHook('onRequest', app.authenticate)
  app.get('/metrics', {
    logLevel: 'warn',
    config: open ? { public: 'METRICS=open' } : { access, errors: [NotFound] },
    schema: {
      operationId: 'getMetrics',
      summary: 'Metrics',
      description: 'Prometheus text format, of this instance. `METRICS` says who may read them: `admin` (default) an ' +
        'admin\'s token with `account:read`, `open` anybody, `off` nobody.',
      tags: ['service'],
      ...(open ? { security: [] } : {}),
      response: {
        200: { description: 'Prometheus text format', content: { 'text/plain': { schema: Type.String() } } }
      }
    }
  }, async (request, reply) => {
    // The metrics cover the whole instance, so only its own workspace may read them.
    if (!open && request.principal.workspace_id !== app.home.workspace_id) throw NotFound()
    if (!app.metrics) throw NotFound('Metrics are off')
    // Prometheus reads the version of the format from the type.
    return reply.type(app.metrics.contentType).serializer(String).send(await app.metrics.read())
  })
}

export default metrics
