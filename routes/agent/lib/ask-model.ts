import { ContextExceeded } from '../../../lib/llm/errors.js'
import { callModel, requireBudget, type Answer } from './call-model.js'
import { fitContext, fitRefused, isHeavy } from './fit-context.js'
import type { Deps, RunState } from './run-state.js'

/**
 * Asks the model for the next turn, with what fits into its window. A request that the provider finds too long all the
 * same is made shorter, once.
 * @throws as `callModel`
 */
export const askModel = async (deps: Deps, state: RunState, messageId: string): Promise<Answer> => {
  requireBudget(state)
  await fitContext(deps, state)
  try {
    return await callModel(deps, state, messageId, isHeavy(deps, state))
  } catch (error) {
    if (!(error instanceof ContextExceeded) || !await fitRefused(deps, state, error)) throw error
    return callModel(deps, state, messageId)
  }
}
