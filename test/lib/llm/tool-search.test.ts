import t from '../../tap.js'
import { hasToolSearch } from '../../../lib/llm/tool-search.js'

t.test('the provider searches for the models that can, at its own address', async (t) => {
  const can =
    ['claude-sonnet-5-5', 'claude-opus-4-5-20251101', 'claude-sonnet-4.6', 'us.anthropic.claude-haiku-5-5-v1:0']
  const cannot = ['claude-haiku-4-5', 'claude-sonnet-4-20250514', 'claude-3-5-haiku', 'llama-3']
  t.same(can.filter((model) => !hasToolSearch('auto', model, true)), [])
  t.same(cannot.filter((model) => hasToolSearch('auto', model, true)), [])
  t.same(can.filter((model) => hasToolSearch('auto', model, false)), [], 'no other server is relied on')
})

t.test('the configuration decides where it says so', async (t) => {
  t.ok(hasToolSearch('server', 'llama-3', false))
  t.notOk(hasToolSearch('steward', 'claude-sonnet-5-5', true))
})
