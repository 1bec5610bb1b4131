import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Principal } from '../../lib/security/principal.js'
import { FunctionParams } from '../../schemas/infrastructure/functions.js'
import { MetricQuery, Metrics } from '../../schemas/infrastructure/metrics.js'
import { ServiceParams } from '../../schemas/infrastructure/services.js'
import {
  AmbiguousIdentifier, awsErrors, FunctionNotFound, QualifierInName, RangeInvalid, ServiceNotFound
} from './lib/errors.js'
import { infrastructureFields } from './lib/field-words.js'
import { resolveFunction } from './lib/functions/resolve-function.js'
import { readMetricRange } from './lib/metrics/metric-range.js'
import { readFunctionMetrics, readServiceMetrics } from './lib/metrics/read-metrics.js'
import { resolveService } from './lib/services/resolve.js'

/** A model reads figures, a page draws them. */
const pointsFor = ({ via, assistant }: Principal): number => via === 'assistant' || assistant === true ? 60 : 300

const metrics: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/infrastructure/containers/services/:service/metrics', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see how busy a container service is or was: CPU, memory, and behind a load balancer requests, ' +
          '5xx and response times.',
        gives: 'a series of points for each, with sum or average, maximum and last value, of the last 3 hours unless you ' +
          'say since when; no_data is not 0.',
        keywords: 'metrics cpu memory utilization load busy requests traffic latency slow response time 5xx error rate ' +
          'cloudwatch chart graph container service',
        fields: infrastructureFields
      },
      errors: [...awsErrors, ServiceNotFound, AmbiguousIdentifier, RangeInvalid]
    },
    schema: {
      operationId: 'getServiceMetrics',
      summary: 'Read the metrics of a container service',
      description: 'CPU and memory of an ECS service, and of its load balancer requests, answers with 5xx and response times, ' +
        'as CloudWatch has them; the last 3 hours unless `since` says otherwise. A metric without data is `no_data`, never 0. ' +
        'CloudWatch charges for each series.',
      tags: ['infrastructure'],
      params: ServiceParams,
      querystring: MetricQuery,
      response: { 200: Metrics }
    }
  }, async ({ principal, params, query }) => {
    const range = readMetricRange(query, pointsFor(principal))
    return readServiceMetrics(app, await resolveService(app, principal, params.service), range)
  })

  app.get('/infrastructure/serverless/functions/:name/metrics', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see how often a Lambda function runs, fails or is throttled, and how long it takes.',
        gives: 'a series of points each of invocations, errors, throttles and duration, with sum, maximum and last value, of ' +
          'the last 3 hours unless you say since when; no_data is not 0.',
        keywords: 'metrics lambda serverless function invocations calls errors failures throttles duration latency slow how ' +
          'often cloudwatch chart graph',
        fields: infrastructureFields
      },
      errors: [...awsErrors, FunctionNotFound, AmbiguousIdentifier, QualifierInName, RangeInvalid]
    },
    schema: {
      operationId: 'getFunctionMetrics',
      summary: 'Read the metrics of a serverless function',
      description: 'Invocations, errors, throttles and duration of a Lambda function, as CloudWatch has them; the last 3 hours ' +
        'unless `since` says otherwise. A metric without data is `no_data`, never 0. CloudWatch charges for each series.',
      tags: ['infrastructure'],
      params: FunctionParams,
      querystring: MetricQuery,
      response: { 200: Metrics }
    }
  }, async ({ principal, params, query }) => {
    const range = readMetricRange(query, pointsFor(principal))
    return readFunctionMetrics(app, await resolveFunction(app, principal, params.name), range)
  })
}

export default metrics
