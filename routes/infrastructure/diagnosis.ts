import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Diagnosis } from '../../schemas/infrastructure/diagnosis.js'
import { ServiceParams } from '../../schemas/infrastructure/services.js'
import { diagnoseService } from './lib/diagnosis/diagnose-service.js'
import { AmbiguousIdentifier, awsErrors, ServiceNotFound } from './lib/errors.js'
import { infrastructureFields } from './lib/field-words.js'
import { resolveService } from './lib/services/resolve.js'

const diagnosis: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/containers/services/:service/diagnosis', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to find out why a container service is down, degraded or keeps restarting: one read instead of five.',
        gives: 'facts with their sources, the heaviest first: counts, stopped tasks with exit codes, deployments, events, ' +
          'alarms that fire, the last error lines; and what could not be read.',
        keywords: 'why unhealthy down degraded broken crash restart failing root cause diagnose diagnosis troubleshoot incident ' +
          'container service',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ServiceNotFound, AmbiguousIdentifier]
    },
    schema: {
      operationId: 'whyUnhealthy',
      summary: 'Read what says why a container service is not well',
      description: 'Gathers what a person would look up: counts, health checks, deployments, stopped tasks with exit codes and ' +
        'reasons, events, alarms that fire, and error lines of the last hour. Each finding is a fact with its source; `unread` ' +
        'says what could not be read.',
      tags: ['infrastructure'],
      params: ServiceParams,
      response: { 200: Diagnosis }
    }
  }, async ({ principal, params }) => diagnoseService(app, await resolveService(app, principal, params.service)))
}

export default diagnosis
