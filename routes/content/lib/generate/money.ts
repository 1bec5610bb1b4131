import type { Money } from '../../../../schemas/common.js'
import type { ContentEstimate } from '../../../../schemas/content/generation-records.js'

/** @param micros millionths of a dollar; null: not known */
export const moneyOf = (micros: number | null): Money | null =>
  micros === null ? null : { amount: (micros / 1_000_000).toFixed(6), currency: 'USD' }

/** Rules call no model. */
export const noEstimate: ContentEstimate = {
  input_tokens: 0, output_tokens: 0, model_calls: 0, cost: { amount: '0.000000', currency: 'USD' }, estimated: true
}
