import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CostTagQuery, CostTags } from '../../schemas/cloud/costs.js'
import {
  awsErrors, CloudAccountNotFound, CostBudgetExhausted, CostDataUnavailable, CostRangeInvalid
} from './lib/errors.js'
import { reportTags } from './lib/costs/report-costs.js'

const costTags: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/cloud/costs/tags', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see which tags costs can be grouped by.',
        gives: 'the keys of cost allocation tags.',
        keywords: 'tag tags key keys label labels cost allocation'
      },
      errors: [...awsErrors, CloudAccountNotFound, CostBudgetExhausted, CostDataUnavailable, CostRangeInvalid]
    },
    schema: {
      operationId: 'listCostTags',
      summary: 'List cost tags',
      description: 'The keys of tags that costs can be grouped by, as TAG:<key>: those of what cost something in the ' +
        'range, this month unless said otherwise. The answer is kept for hours, since AWS charges for every request; ' +
        '`source` has its age and its cost.',
      tags: ['cloud'],
      querystring: CostTagQuery,
      response: { 200: CostTags }
    }
  }, async ({ principal, query }, reply) => {
    reply.header('cache-control', 'private')
    return reportTags(app, principal, query)
  })
}

export default costTags
