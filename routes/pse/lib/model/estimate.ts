import type { Llm } from '../../../../plugins/llm.js'
import type { GenerationEstimate } from '../../../../schemas/pse/generations.js'
import { moneyOf } from '../describe-session.js'
import { asksFor, asksForGeneral, asksForRequirements, asksForStory, type Part, type Scoped } from './scope.js'

/** Tokens of rules, task and schema in one call, and of its answer. */
const aboutTask = 1_500
const aboutAnswer = 1_500

/** Characters of input for each expected story. */
const charsPerStory = 3_000
const mostStories = 12

const parts: readonly Part[] = ['frame', 'stories', 'edges', 'questions', 'design', 'tasks']

const storyCalls = (scoped: Scoped, chars: number): number => scoped.base
  ? scoped.base.stories.filter(({ id }) => asksForStory(scoped, id)).length
  : Math.min(mostStories, Math.ceil(chars / charsPerStory))

/** @returns the expected number of model calls for the length of the inputs and the rounds of repair */
export const expectCalls = (scoped: Scoped, chars: number, rounds: number): number =>
  (asksForRequirements(scoped) ? rounds : 0) + (scoped.mode === 'repair'
    ? 0
    : parts.filter((part) => asksFor(scoped, part)).length + storyCalls(scoped, chars) +
      Number(asksForGeneral(scoped)))

export interface Expected {
  model: string
  /** Tokens of all inputs together. */
  material: number
  calls: number
}

/** @returns the expected cost: the first call writes the inputs to the prompt cache, the others read them */
export const estimateModel = (llm: Pick<Llm, 'cost'>, { model, material, calls }: Expected): GenerationEstimate => {
  const usage = {
    input_tokens: calls * aboutTask,
    output_tokens: calls * aboutAnswer,
    cache_write_tokens: calls > 0 ? material : 0,
    cache_read_tokens: Math.max(0, calls - 1) * material
  }
  return {
    input_tokens: usage.input_tokens + usage.cache_write_tokens + usage.cache_read_tokens,
    output_tokens: usage.output_tokens,
    model_calls: calls,
    cost: moneyOf(llm.cost(usage, model)),
    estimated: true
  }
}
