import t from '../../tap.js'
import { CallBudget, type Caps } from '../../../lib/llm/budget.js'
import { PriceBook } from '../../../lib/llm/windows.js'
import type { Usage } from '../../../lib/llm/turn.js'

const { signal } = new AbortController()
const prices = new PriceBook()
const usage = (output_tokens: number, input_tokens = 0): Usage =>
  ({ input_tokens, output_tokens, cache_read_tokens: 0, cache_write_tokens: 0 })

const budget = (caps: Partial<Caps>, used: Partial<CallBudget['used']> = {}) => new CallBudget(
  { cost_usd_micros: null, output_tokens: 10_000, model_calls: 10, ...caps },
  (one) => prices.cost('claude-sonnet-5-5', one), { cost_usd_micros: 0, output_tokens: 0, model_calls: 0, ...used })

t.test('calls at the same time never have room for more than the cap together', async (t) => {
  const caps = budget({})
  const first = await caps.reserve(0, 8_000, signal)
  let second: number | undefined
  const waiting = caps.reserve(0, 8_000, signal).then((room) => {
    second = room.maxTokens
    return room
  })
  await new Promise(setImmediate)
  t.equal(second, undefined, 'it waits for what the first one leaves')
  first.settle(usage(1_000))
  const { settle } = await waiting
  t.equal(second, 8_000)
  settle(usage(8_000))
  t.equal((await caps.reserve(0, 8_000, signal)).maxTokens, 1_000, 'the last one has what is left')
})

t.test('the cost is capped by the price of the longest answer', async (t) => {
  const caps = budget({ cost_usd_micros: 30_000 })
  const room = await caps.reserve(1_000, 8_000, signal)
  t.equal(room.maxTokens, 1_800, '30,000 less 3,000 for the input, at 15 a token')
  room.settle(usage(1_800, 1_000))
  room.settle(usage(1_800, 1_000))
  t.same(caps.used, { cost_usd_micros: 30_000, output_tokens: 1_800, model_calls: 1 }, 'settled once')
  await t.rejects(caps.reserve(1_000, 8_000, signal), { name: 'BudgetExceeded', message: /0.03 USD/ })
})

t.test('what was used before counts, and an abort ends the waiting', async (t) => {
  await t.rejects(budget({ model_calls: 3 }, { model_calls: 3 }).reserve(0, 1, signal), { name: 'BudgetExceeded' })
  await t.rejects(budget({}, { output_tokens: 9_900 }).reserve(0, 8_000, signal), { message: /10000 output tokens/ })
  const caps = budget({})
  const first = await caps.reserve(0, 8_000, signal)
  const abort = new AbortController()
  const waiting = caps.reserve(0, 8_000, abort.signal)
  abort.abort(new Error('enough'))
  first.settle(undefined)
  await t.rejects(waiting, { message: 'enough' })
})
