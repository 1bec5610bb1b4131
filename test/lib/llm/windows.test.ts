import t from '../../tap.js'
import { readTooLong } from '../../../lib/llm/errors.js'
import { WindowBook } from '../../../lib/llm/windows.js'

t.test('the window of a model is that of the configuration, of the list, or an assumed one', async (t) => {
  const book = new WindowBook({ 'my-model': 32_768, 'claude-haiku-4-5': 100_000 })
  const names = ['my-model', 'us.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-sonnet-4-5@20250929',
    'anthropic/claude-sonnet-4.6', 'claude-opus-5-5', 'claude-3-haiku-20240307', 'another']
  t.same(names.map((name) => book.of(name)), [32_768, 100_000, 200_000, 1_000_000, 1_000_000, 200_000, 128_000])
})

t.test('a provider that names a smaller window is believed, for that model', async (t) => {
  const book = new WindowBook()
  book.learn('claude-opus-5-5', 200_000)
  book.learn('claude-haiku-4-5', 400_000)
  t.same(['claude-opus-5-5', 'claude-haiku-4-5', 'claude-sonnet-5-5'].map((name) => book.of(name)),
    [200_000, 200_000, 1_000_000])
})

t.test('numbers are read where the provider begins with them, not from what it quotes', async (t) => {
  t.same(readTooLong('prompt is too long: 209000 tokens > 200000 maximum'), { tokens: 209_000, window: 200_000 })
  t.same(readTooLong('tools.0: "prompt is too long: 9 tokens > 5000 maximum" is no name'), {})
  t.same(readTooLong('prompt is too long: 9 tokens > 5 maximum'), {}, 'no model has such a window')
  t.equal(readTooLong('messages.0: all messages must have non-empty content'), undefined)
})
