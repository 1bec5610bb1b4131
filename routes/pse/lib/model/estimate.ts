import type { Llm } from '../../../../plugins/llm.js'
import type { GenerationEstimate } from '../../../../schemas/pse/generations.js'
import { moneyOf } from '../describe-session.js'
import { asksFor, asksForGeneral, asksForRequirements, asksForStory, type Part, type Scoped } from './scope.js'

/** Rules, task and schema of one call, in tokens. */
const aboutTask = 1_500
const aboutAnswer = 1_500

/** Of a text of so many characters that nobody has read yet, a story is expected. */
const charsPerStory = 3_000
const mostStories = 12

const parts: readonly Part[] = ['frame', 'stories', 'edges', 'questions', 'design', 'tasks']

const storyCalls = (scoped: Scoped, chars: number): number => scoped.base
  ? scoped.base.stories.filter(({ id }) => asksForStory(scoped, id)).length
  : Math.min(mostStories, Math.ceil(chars / charsPerStory))

/** @returns how many questions there will about be, of inputs so long and with so many rounds of repair */
export const expectCalls = (scoped: Scoped, chars: number, rounds: number): number =>
  (asksForRequirements(scoped) ? rounds : 0) + (scoped.mode === 'repair'
    ? 0
    : parts.filter((part) => asksFor(scoped, part)).length + storyCalls(scoped, chars) +
      Number(asksForGeneral(scoped)))

export interface Expected {
  model: string
  /** Of the inputs together. */
  material: number
  calls: number
}

/**
 * @returns what the calls will about cost: the first one writes the inputs to the prompt cache, the others read them
 */
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
