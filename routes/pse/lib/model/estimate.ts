import type { ConnectedModel } from '../../../../lib/llm/connected-model.js'
import type { GenerationEstimate } from '../../../../schemas/pse/generations.js'
import { moneyOf } from '../sessions/describe-session.js'
import { partChars } from 'steward-spec-engine/model'
import { asksFor, type Scoped } from './steps.js'

/** Tokens of the rules, the task and the numbers of one call. */
const aboutCall = 700
/** What numbers, names of inputs and columns add to the sentences. */
const withNumbers = 1.1
/** Tokens of the inputs for each requirement where nobody has counted, and of a requirement in the list that is judged. */
const perRequirement = 90
const inList = 50
const judgedAtOnce = 120
/** Tokens of the answers: of a requirement, of the rest of a part, of a verdict, and of a design or tasks. */
const [aboutRequirement, aboutRest, aboutVerdict, aboutExtra] = [130, 600, 25, 2_000] as const

export interface Expected {
  scoped: Scoped
  model: string
  /** Tokens of all inputs together. */
  material: number
  /** undefined = nobody has counted them */
  demands: number | undefined
}

/** @returns the expected cost: each part is read once, and again from the cache for what is left of it */
export const estimateModel = (llm: Pick<ConnectedModel, 'cost'>, { scoped, model, material, demands }: Expected): GenerationEstimate => {
  const isRepair = scoped.mode === 'repair'
  const isSome = scoped.mode === 'requirements' && scoped.base !== undefined
  const all = Math.max(1, Math.ceil(material * 4 * withNumbers / partChars))
  const parts = isRepair ? 0 : isSome ? Math.min(all, scoped.targets.length) : all
  const read = Math.round(material * withNumbers * parts / all)
  const requirements = Math.ceil((demands ?? material / perRequirement) * parts / all)
  const judges = isRepair ? 0 : Math.ceil(requirements / judgedAtOnce)
  const extras = (['design', 'tasks'] as const).filter((part) => asksFor(scoped, part)).length
  const calls = parts * 2 + judges + extras + Number(isRepair)
  const usage = {
    input_tokens: calls * aboutCall + requirements * inList * (1 + extras / 2),
    output_tokens: requirements * (aboutRequirement + aboutVerdict) + parts * aboutRest + extras * aboutExtra,
    cache_write_tokens: read,
    cache_read_tokens: read
  }
  return {
    input_tokens: Math.round(usage.input_tokens + usage.cache_write_tokens + usage.cache_read_tokens),
    output_tokens: Math.round(usage.output_tokens),
    model_calls: calls,
    parts: Math.max(1, parts),
    cost: moneyOf(llm.cost(usage, model)),
    estimated: true
  }
}
