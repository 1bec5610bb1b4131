import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DatabaseUnavailable } from '../../schemas/errors.js'
import { Health, Readiness } from '../../schemas/service.js'
import { describeReadiness } from './lib/describe-readiness.js'
import metrics from './metrics.js'

const service: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(metrics)

  app.get('/health', {
    logLevel: 'warn',
    config: { public: 'a load balancer asks, which has no credentials' },
    schema: {
      operationId: 'getHealth',
      summary: 'Alive',
      description: 'The process answers. Says nothing of what it depends on.',
      tags: ['service'],
      security: [],
      response: { 200: Health }
    }
  }, async () => ({ status: 'ok' as const }))

  app.get('/ready', {
    logLevel: 'warn',
    config: { public: 'a load balancer asks, which has no credentials', errors: [DatabaseUnavailable] },
    schema: {
      operationId: 'getReadiness',
      summary: 'Ready for traffic',
      description: 'The database answers and is migrated. Of a database that is divided among workers, one that is ' +
        'dead is named, and this instance serves the workspaces of the others.',
      tags: ['service'],
      security: [],
      response: { 200: Readiness }
    }
  }, () => describeReadiness(app))
}

export default service
