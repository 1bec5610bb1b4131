import type { FastifyInstance } from 'fastify'
import {
  BudgetAboveLimit, ModelNotConfigured, ModelNotUsed, ModelPriceUnknown, type ModelBudget
} from '../../schemas/model-budget.js'
import type { Caps } from './budget.js'
import type { ConnectedModel } from './connected-model.js'

export interface ModelInput {
  /** auto: a model where the instance is configured with one, else the template engine. */
  engine: 'auto' | 'template' | 'model'
  /** Naming a model asks for one. */
  model?: string | undefined
  budget?: ModelBudget | undefined
}

/** What work that asks a model was decided to use, when it was asked for. */
export interface ModelPlan {
  model: string
  budget: Required<ModelBudget>
  warnings: string[]
}

type Known = Pick<FastifyInstance, 'llm' | 'workspaces'>

const at = (name: string, code: string, message: string) => ({ errors: [{ pointer: `/${name}`, code, message }] })

const capped = (name: keyof ModelBudget, input: number | undefined, limit: number): number => {
  if (input === undefined || input <= limit) return input ?? limit
  const message = `The limit here is ${limit}`
  throw BudgetAboveLimit(message, at(`budget/${name}`, 'budget_above_limit', message))
}

const planBudget = ({ workspaces }: Known, workspaceId: string, input: ModelBudget = {}): ModelPlan['budget'] => {
  const limits = workspaces.limitsOf(workspaceId)
  const { max_cost_usd: cost, max_output_tokens: tokens, max_seconds: seconds, max_repair_rounds: rounds = 2 } = input
  const usd = capped('max_cost_usd', cost === undefined ? cost : Number(cost), limits.generation_usd)
  return {
    max_cost_usd: usd.toFixed(6),
    max_output_tokens: capped('max_output_tokens', tokens, limits.generation_output_tokens),
    max_seconds: capped('max_seconds', seconds, limits.generation_seconds),
    max_repair_rounds: rounds
  }
}

/** Without a price no budget can be kept. */
const requirePrice = (by: ConnectedModel, model: string): void => {
  if (by.isPriced(model)) return
  const message = `Set the price of ${model} in MODEL_PRICES, or choose another model`
  throw ModelPriceUnknown(message, at('model', 'model_price_unknown', message))
}

const wantsModel = (by: ConnectedModel, { engine, model }: ModelInput): boolean => {
  if (engine === 'template' && model !== undefined) {
    throw ModelNotUsed(undefined, at('model', 'model_not_used', 'goes with the engine model'))
  }
  const isAsked = engine === 'model' || model !== undefined
  if (isAsked && by.answerer === 'nobody') throw ModelNotConfigured()
  return isAsked || (engine === 'auto' && by.answerer === 'provider')
}

/**
 * Decides once, when work is asked for, whether a model does it, which, and for how much.
 * @returns undefined = the template engine does it
 * @throws model_not_configured, model_not_used, model_price_unknown, budget_above_limit
 */
export const planModel = (known: Known, workspaceId: string, input: ModelInput): ModelPlan | undefined => {
  const by = known.llm.of(workspaceId)
  if (!wantsModel(by, input)) return undefined
  const model = input.model ?? by.modelOf(workspaceId)
  requirePrice(by, model)
  return {
    model,
    budget: planBudget(known, workspaceId, input.budget),
    warnings: by.answerer === 'stand_in' ? ['The sandbox answers here, which is not a language model'] : []
  }
}

/** @param budget as it was planned */
export const capsOf = ({ config: { limits } }: Pick<FastifyInstance, 'config'>, budget: ModelBudget): Caps => ({
  cost_usd_micros: budget.max_cost_usd === undefined ? null : Math.round(Number(budget.max_cost_usd) * 1_000_000),
  output_tokens: budget.max_output_tokens ?? limits.generation_output_tokens,
  model_calls: limits.generation_model_calls
})
