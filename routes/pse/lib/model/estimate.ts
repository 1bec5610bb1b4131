import type { Llm } from '../../../../plugins/llm.js'
import type { GenerationEstimate } from '../../../../schemas/pse/generations.js'
import { moneyOf } from '../describe-session.js'
import { asksFor, asksForGeneral, asksForRequirements, asksForStory, type Part, type Scoped } from 'steward-spec-engine/model'

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

/**
 * @param read in how many parts large inputs are read
 * @returns the expected number of model calls for the length of the inputs and the rounds of repair
 */
export const expectCalls = (scoped: Scoped, chars: number, rounds: number, read: number): number => {
  const repairs = asksForRequirements(scoped) ? rounds : 0
  if (scoped.mode === 'repair') return repairs
  const sections = parts.filter((part) => asksFor(scoped, part)).length
  return repairs + sections + (read > 0 ? read : storyCalls(scoped, chars) + Number(asksForGeneral(scoped)))
}

export interface Expected {
  model: string
  /** Tokens of all inputs together. */
  material: number
  calls: number
  /** In how many of the calls the inputs are read in parts; 0: every call carries all of them. */
  read: number
}

/** Tokens of the answer to a part. */
const aboutPart = 5_000
/** Tokens of the facts that a call carries once the inputs were read in parts. */
const aboutFacts = 12_000

/** Each part is read once; the other calls carry the facts. */
const inParts = ({ material, calls, read }: Expected) => ({
  input_tokens: calls * aboutTask,
  output_tokens: read * aboutPart + (calls - read) * aboutAnswer,
  cache_write_tokens: material + aboutFacts,
  cache_read_tokens: Math.max(0, calls - read - 1) * aboutFacts
})

const atOnce = ({ material, calls }: Expected) => ({
  input_tokens: calls * aboutTask,
  output_tokens: calls * aboutAnswer,
  cache_write_tokens: calls > 0 ? material : 0,
  cache_read_tokens: Math.max(0, calls - 1) * material
})

/** @returns the expected cost: the first call writes what it carries to the prompt cache, the others read it */
export const estimateModel = (llm: Pick<Llm, 'cost'>, expected: Expected): GenerationEstimate => {
  const { model, calls, read } = expected
  const usage = read > 0 ? inParts(expected) : atOnce(expected)
  return {
    input_tokens: usage.input_tokens + usage.cache_write_tokens + usage.cache_read_tokens,
    output_tokens: usage.output_tokens,
    model_calls: calls,
    parts: Math.max(1, read),
    cost: moneyOf(llm.cost(usage, model)),
    estimated: true
  }
}
