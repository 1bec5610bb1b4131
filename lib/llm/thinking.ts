import type { ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages'
import type { Effort } from '../../schemas/agent/thinking.js'

/** The least that the API takes as a budget. */
const leastBudget = 1_024

/** What is sent of it; what is left out is as the model has it. */
export interface Thinking { effort?: Effort, thinking?: ThinkingConfigParam }

/** What an answer may have for thinking where the model decides how long it thinks. */
const adaptiveTokens = 8_192

/**
 * @param thinking as `thinkingPattern` says; null = as the model has it
 * @param window of the model: a budget is at most a quarter of it
 * @returns the tokens that an answer has for thinking, beside those for what it says
 */
export const thinkingTokens = (thinking: string | null, window: number): number => {
  if (thinking === null || thinking === 'disabled') return 0
  if (thinking === 'adaptive') return Math.min(adaptiveTokens, Math.floor(window / 8))
  return Math.max(leastBudget, Math.min(Number(thinking), Math.floor(window / 4)))
}

/** @returns the member of the request; undefined = none is sent, as other servers of the API may not take one */
export const toThinking = (thinking: string | null, window: number): ThinkingConfigParam | undefined => {
  if (thinking === null) return undefined
  if (thinking === 'adaptive' || thinking === 'disabled') return { type: thinking }
  return { type: 'enabled', budget_tokens: thinkingTokens(thinking, window) }
}
