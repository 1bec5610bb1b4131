import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CostChange, CostChangeQuery } from '../../schemas/cloud/costs.js'
import {
  awsErrors, CloudAccountNotFound, CostBudgetExhausted, CostDataUnavailable, CostRangeInvalid
} from './lib/errors.js'
import { explainCostChange } from './lib/costs/explain-cost-change.js'
import { cloudFields } from './lib/field-words.js'

const costChanges: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/cloud/costs/changes', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this when somebody asks why costs rose or fell, or to compare two months or ranges of days.',
        gives: 'both sums, their difference, and which services, usage types, types of charge and days it comes from; ' +
          'the numbers add up.',
        keywords: 'why costs rose increased went up down compare comparison last month previous year difference ' +
          'change bill higher lower cause driver',
        fields: cloudFields
      },
      errors: [...awsErrors, CloudAccountNotFound, CostBudgetExhausted, CostDataUnavailable, CostRangeInvalid]
    },
    schema: {
      operationId: 'explainCostChange',
      summary: 'Explain how costs changed',
      description: 'Compares complete days: a range with the one before it, or with the year before, by service, usage ' +
        'type, type of charge and day. Every list adds up to the difference above it. For each account it takes up to ' +
        'six paid requests, and keeps the answers as `GET /cloud/costs` does.',
      tags: ['cloud'],
      querystring: CostChangeQuery,
      response: { 200: CostChange }
    }
  }, async ({ principal, query }, reply) => {
    reply.header('cache-control', 'private')
    return explainCostChange(app, principal, query)
  })
}

export default costChanges
