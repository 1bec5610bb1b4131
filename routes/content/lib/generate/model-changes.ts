import { expectedCost, type Change } from '../../../../lib/tools/options.js'
import type { ContentGeneration, ContentOutput } from '../../../../schemas/content/generation-records.js'

type Slot = Pick<ContentOutput, 'channel' | 'network' | 'locale'>

/** @returns such as "social x, en" */
export const describeSlot = ({ channel, network, locale }: Slot): string =>
  `${network === null ? channel : `${channel} ${network}`}, ${locale}`

const limits = ({ budget }: ContentGeneration): string => {
  const { max_cost: cost, max_output_tokens: tokens, max_seconds: seconds, max_repair_rounds: rounds } = budget ?? {}
  const price = cost ? `${cost.amount} ${cost.currency}` : 'a cost that is not known'
  return `${price}, ${tokens} tokens, ${seconds} seconds, ${rounds} rounds of repairs`
}

/** @returns rows of the model and its limits; the expected cost is an estimate and does not bind */
export const modelChanges = (generation: ContentGeneration): Change[] => {
  const { model, estimate: { cost }, warnings } = generation
  const expected = cost === null ? 'not known' : `${cost.amount} ${cost.currency}`
  return [
    { label: 'Language model', field: ['engine', 'model'], before: null, after: model, context: true },
    { label: 'At most', field: 'budget', before: null, after: limits(generation), context: true },
    { label: expectedCost, before: null, after: expected, binding: false, context: true },
    ...warnings.map((after): Change => ({ label: 'Note', before: null, after, binding: false, context: true }))
  ]
}
