import t from '../../tap.js'
import { PriceBook } from '../../../lib/llm/windows.js'
import type { Usage } from '../../../lib/llm/turn.js'

const million: Usage = { input_tokens: 1_000_000, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 }
const usd = (model: string, usage: Partial<Usage> = million, prices = new PriceBook()) => {
  const micros = prices.cost(model, { ...million, input_tokens: 0, ...usage })
  return micros === null ? null : micros / 1_000_000
}

const spellings: [model: string, input: number][] = [
  ['claude-sonnet-5-5', 3], ['claude-opus-5-5', 5], ['claude-haiku-4-5-20251001', 1], ['claude-fable-5', 10],
  ['claude-sonnet-4-5-20250929', 3], ['claude-sonnet-4-20250514', 3], ['claude-3-7-sonnet-latest', 3],
  ['claude-opus-4-5-20251101', 5], ['claude-opus-4-1-20250805', 15], ['claude-opus-4-20250514', 15],
  ['claude-3-opus-20240229', 15], ['claude-3-5-haiku-20241022', 0.8], ['claude-3-haiku-20240307', 0.25],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3], ['eu.anthropic.claude-haiku-4-5-20251001-v1:0', 1],
  ['global.anthropic.claude-opus-4-6-v1', 5], ['us-gov.anthropic.claude-3-5-sonnet-20240620-v1:0', 3],
  ['anthropic.claude-3-5-sonnet-20241022-v2:0', 3], ['claude-opus-4-1@20250805', 15],
  ['claude-3-5-sonnet-v2@20241022', 3], ['claude-sonnet-4-5@default', 3], ['anthropic/claude-sonnet-4.5', 3],
  ['anthropic/claude-3.5-haiku:beta', 0.8], ['publishers/anthropic/models/claude-opus-4-5@20251101', 5],
  ['arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-4-20250514-v1:0', 3],
  ['arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-opus-4-5-20251101-v1:0', 5]
]

for (const [model, input] of spellings) {
  t.test(`${model} has the price of its model`, async (t) => t.equal(usd(model), input))
}

t.test('what is on no list has no price', async (t) => {
  for (const model of ['house-model', 'claude', 'claude-sonnet', 'claude-next', 'my-claude-sonnet-5-5', '',
    'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3']) {
    t.equal(usd(model), null, model)
    t.notOk(new PriceBook().has(model))
  }
})

t.test('a configured price goes before the list, under every name of the model', async (t) => {
  const prices = new PriceBook({
    'claude-sonnet-4-5': { input: 3.3, output: 16.5 }, house: { input: 1, output: 2, cache_read: 0, cache_write: 8 }
  })
  t.equal(usd('claude-sonnet-4-5', million, prices), 3.3)
  t.equal(usd('us.anthropic.claude-sonnet-4-5-20250929-v1:0', million, prices), 3.3)
  t.equal(usd('house', { output_tokens: 500_000, cache_read_tokens: 9, cache_write_tokens: 1_000_000 }, prices), 9)
  t.equal(usd('claude-opus-5-5', million, prices), 5, 'the others stay')
})

t.test('the cache of five minutes, that of an hour, and reads have their own price', async (t) => {
  const million = 1_000_000
  t.equal(usd('claude-sonnet-5-5', { cache_read_tokens: million }), 0.3)
  t.equal(usd('claude-sonnet-5-5', { cache_write_tokens: million }), 6)
  t.equal(usd('claude-sonnet-5-5', { cache_write_tokens: million, cache_write_5m_tokens: million }), 3.75)
})
