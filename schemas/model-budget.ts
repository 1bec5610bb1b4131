import { Type, type Static } from '@sinclair/typebox'
import { defineError } from './errors.js'

/** The name of a model at the provider. */
export const ModelName = Type.String({
  pattern: '^[\\w.:/@-]{1,100}$',
  examples: ['claude-sonnet-5'],
  description: 'Default: the model that this instance is configured with'
})

export const ModelBudget = Type.Object({
  max_cost_usd: Type.Optional(Type.String({
    pattern: '^[0-9]{1,6}(\\.[0-9]{1,6})?$',
    examples: ['0.50'],
    description: 'A decimal number'
  })),
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  max_seconds: Type.Optional(Type.Integer({ minimum: 1, description: 'From the start, restarts included' })),
  max_repair_rounds: Type.Optional(Type.Integer({ minimum: 0, maximum: 2, default: 2 }))
}, {
  $id: 'ModelBudget',
  additionalProperties: false,
  description: 'What is not named is the instance\'s limit, and nothing may be more than that'
})
export type ModelBudget = Static<typeof ModelBudget>

export const ModelNotConfigured = defineError('model_not_configured', 'This instance has no model', 422)
export const ModelNotUsed = defineError('model_not_used', 'The template engine asks no model', 422)
export const ModelPriceUnknown = defineError('model_price_unknown',
  'The price of this model is not known, so no budget can be kept', 422)
export const ModelNotListed = defineError('model_not_listed', 'The provider lists no such model', 422)
export const BudgetAboveLimit = defineError('budget_above_limit', 'The instance allows less', 422)

/** What planning work with a model may answer. */
export const modelPlanErrors = [ModelNotConfigured, ModelNotUsed, ModelPriceUnknown, BudgetAboveLimit]
