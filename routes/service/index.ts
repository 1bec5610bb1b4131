import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import { DatabaseUnavailable } from '../../schemas/errors.js'
import { Health, Readiness } from '../../schemas/service.js'
import metrics from './metrics.js'

const service: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(metrics)

  app.get('/health', {
    logLevel: 'warn',
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
    config: { errors: [DatabaseUnavailable] },
    schema: {
      operationId: 'getReadiness',
      summary: 'Ready for traffic',
      description: 'The database answers and is migrated.',
      tags: ['service'],
      security: [],
      response: { 200: Readiness }
    }
  }, async () => {
    await sql`select 1`.execute(app.db)
    return { status: 'ready' as const, database: { embedded: app.database.embedded }, sandboxed: app.sandbox.providers }
  })
}

export default service
