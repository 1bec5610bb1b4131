import type { Usage } from './llm-turn.js'

/** US dollars per million tokens, which is micro-dollars per token. Source: the provider's public price list. */
interface Price { input: number, output: number }

const prices: [RegExp, Price][] = [
  [/^claude-(fable|mythos)-/, { input: 10, output: 50 }],
  [/^claude-opus-/, { input: 5, output: 25 }],
  [/^claude-sonnet-/, { input: 3, output: 15 }],
  [/^claude-haiku-/, { input: 1, output: 5 }]
]

/** A write to the one-hour cache costs twice the input price, a read a tenth. */
const cacheWrite = 2
const cacheRead = 0.1

export const isPriced = (model: string): boolean => prices.some(([pattern]) => pattern.test(model))

/** @returns the cost in micro-dollars; null when the model's price is not known */
export const costOf = (model: string, usage: Usage): number | null => {
  const price = prices.find(([pattern]) => pattern.test(model))?.[1]
  if (!price) return null
  const input = usage.input_tokens + usage.cache_write_tokens * cacheWrite + usage.cache_read_tokens * cacheRead
  return Math.ceil(input * price.input + usage.output_tokens * price.output)
}
