import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CostQuery, CostReport } from '../../schemas/cloud/costs.js'
import {
  awsErrors, CloudAccountNotFound, CostBudgetExhausted, CostDataUnavailable, CostRangeInvalid
} from './lib/errors.js'
import { reportCosts } from './lib/costs/report-costs.js'
import { cloudFields } from './lib/field-words.js'

const costs: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/cloud/costs', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this to see what the cloud accounts cost, by time, service, account or tag, with a forecast or ' +
          'anomalies.',
        gives: 'sums by group and period, the total, and how old the figures are.',
        keywords: 'cost costs spend spending bill billing money price expensive budget forecast anomaly spike ' +
          'aws amount dollars charges pay month invoice',
        fields: cloudFields
      },
      errors: [...awsErrors, CloudAccountNotFound, CostBudgetExhausted, CostDataUnavailable, CostRangeInvalid]
    },
    schema: {
      operationId: 'getCosts',
      summary: 'Read costs',
      description: 'What the cloud accounts cost, by Cost Explorer: this month by service unless said otherwise. ' +
        'end_date is included. The answer is kept for hours, since AWS charges for every request; `source` has its ' +
        'age and its cost.',
      tags: ['cloud'],
      querystring: CostQuery,
      response: { 200: CostReport }
    }
  }, async ({ principal, query }, reply) => {
    reply.header('cache-control', 'private')
    return reportCosts(app, principal, query)
  })
}

export default costs
