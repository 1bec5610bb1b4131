import { ContextExceeded, ModelError } from '../../../../lib/llm/errors.js'
import { avoidOverload, explain, findRoad } from './change-model.js'
import { callModel, requireBudget, type Answer } from './call-model.js'
import { fitContext, fitRefused, isHeavy } from '../window/fit-context.js'
import { prepareTools } from './offer-tools.js'
import type { Deps, RunState } from '../run/run-state.js'

/**
 * Asks the model for the next turn, with what fits into its window. A request that the provider finds too long all the
 * same is made shorter, once.
 * @throws as `callModel`
 */
const askOne = async (deps: Deps, state: RunState, messageId: string): Promise<Answer> => {
  requireBudget(state)
  await avoidOverload(deps, state)
  await prepareTools(deps, state)
  await fitContext(deps, state)
  try {
    return await callModel(deps, state, messageId, isHeavy(deps, state))
  } catch (error) {
    if (!(error instanceof ContextExceeded) || !await fitRefused(deps, state, error)) throw error
    return callModel(deps, state, messageId)
  }
}

/** Each other way is tried once at most: a model that is gone, one that is overloaded, refused thoughts and files. */
const maxRoads = 4

/**
 * As `askOne`, by another model or without earlier thoughts or files where the first way fails.
 * @throws as `callModel`
 */
export const askModel = async (deps: Deps, state: RunState, messageId: string): Promise<Answer> => {
  const tried = new Set<string>()
  for (;;) {
    try {
      return await askOne(deps, state, messageId)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const road = `${error.code} ${state.model}`
      if (tried.has(road) || tried.size >= maxRoads || !await findRoad(deps, state, error)) {
        throw explain(deps, state, error)
      }
      tried.add(road)
    }
  }
}
