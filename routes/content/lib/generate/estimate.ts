import type { Usage } from '../../../../lib/llm/turn.js'
import type { Money } from '../../../../schemas/common.js'
import type { ContentEstimate } from '../../../../schemas/content/generation-records.js'
import type { GenerateContent } from '../../../../schemas/content/generations.js'
import { readText } from '../text/read-text.js'
import { wordsOf } from './model/prompts.js'
import type { Ordered } from './slots.js'

/** @param micros millionths of a dollar; null: not known */
export const moneyOf = (micros: number | null): Money | null =>
  micros === null ? null : { amount: (micros / 1_000_000).toFixed(6), currency: 'USD' }

/** Rules call no model. */
export const noEstimate: ContentEstimate = {
  input_tokens: 0, output_tokens: 0, model_calls: 0, cost: { amount: '0.000000', currency: 'USD' }, estimated: true
}

const charsPerToken = 4
/** Approximate size of a prompt's rules. */
const systemTokens = 800
const tokensPerWord = 2

interface Expected { calls: number, output: number }

/**
 * Outline, sections and search fields of an article; one draft of the others; half of them are repaired once, and all are
 * proved.
 */
const newRecord = ({ brief, planned }: Ordered): Expected => planned.reduce(({ calls, output }, { channel }) => {
  const isArticle = channel.channel !== 'social' && channel.channel !== 'email'
  const sections = Math.min(10, Math.max(3, brief?.body.points.length ?? 4))
  const length = wordsOf(channel) * tokensPerWord
  return isArticle
    ? { calls: calls + sections + 4, output: output + length + 700 }
    : { calls: calls + 3, output: output + Math.min(length, 800) }
}, { calls: 0, output: 0 })

const perUnit = async ({ origin, planned }: Ordered, { mode, targets }: GenerateContent): Promise<Expected> => {
  const all = origin ? await readText('unitsOf', origin.body) : []
  const units = mode === 'sections' ? all.filter(({ target }) => targets?.includes(target)) : all
  const times = Math.max(1, planned.length)
  const length = units.reduce((sum, { text }) => sum + text.length, 0)
  const calls = mode === 'repair' ? 2 : units.filter(({ target }) => /^(?:intro|section|post)/.test(target)).length + 1
  return { calls: calls * times, output: Math.ceil(length / charsPerToken) * times }
}

/** @returns the expected usage of a model run, before the first call */
export const estimateOf = async (ordered: Ordered, input: GenerateContent, costOf: (usage: Usage) => number | null):
Promise<ContentEstimate> => {
  const isNew = input.mode === 'create' || input.mode === 'adapt'
  const { calls, output } = isNew ? newRecord(ordered) : await perUnit(ordered, input)
  const material = JSON.stringify([ordered.brief?.body ?? {}, ordered.origin?.body ?? {}]).length / charsPerToken
  const tokens = Math.ceil((systemTokens + material) * calls)
  const usage = { input_tokens: tokens, output_tokens: output, cache_read_tokens: 0, cache_write_tokens: 0 }
  return {
    input_tokens: tokens, output_tokens: output, model_calls: calls, cost: moneyOf(costOf(usage)), estimated: true
  }
}
