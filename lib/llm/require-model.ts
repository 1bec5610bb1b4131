import type { ConnectedModel } from './connected-model.js'
import { ModelNotListed, ModelPriceUnknown } from '../../schemas/model-budget.js'

const at = (refusal: typeof ModelNotListed, pointer: string, message: string) =>
  refusal(message, { errors: [{ pointer, code: refusal.code, message }] })

/**
 * @param pointer to the member that names the model
 * @throws model_price_unknown: without a price no budget can be kept; model_not_listed: the provider has no such model
 */
export const requireModel = async (llm: Pick<ConnectedModel, 'isPriced' | 'isListed'>, model: string, pointer: string):
Promise<void> => {
  if (!llm.isPriced(model)) {
    throw at(ModelPriceUnknown, pointer, `Set the price of ${model} in MODEL_PRICES, or choose another model`)
  }
  if (await llm.isListed(model)) return
  throw at(ModelNotListed, pointer,
    `The provider lists no model ${model}; GET /api/v1/agent/models has those that it lists`)
}
