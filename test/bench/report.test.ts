import t from '../tap.js'
import { number, quantile, ratio } from '../../bench/lib/numbers.js'
import { pick, readOptions } from '../../bench/lib/options.js'
import { table } from '../../bench/lib/table.js'

t.test('figures', async (t) => {
  t.equal(quantile([3, 1, 2], 0.5), 2)
  t.ok(Number.isNaN(quantile([], 0.5)))
  t.equal(number(12_345.6), '12,346')
  t.equal(number(0.0456), '0.046')
  t.equal(number(NaN), '–')
  t.equal(ratio(6, 2), '×3')
  t.equal(ratio(6, undefined), '–')
})

t.test('a table is aligned', async (t) => {
  t.equal(table(['target', 'ms'], [['a', '1,000']]), '| target |    ms |\n| ------ | ----: |\n| a      | 1,000 |')
})

t.test('choices by name or number, and a wrong one is refused', async (t) => {
  const all = [{ key: 'relay', alias: 'i' }, { key: 'relay-store', alias: 'ii' }]
  t.strictSame(pick(all, ['ii'], 'target'), [all[1]])
  t.strictSame(pick(all, [], 'target'), all)
  t.throws(() => pick(all, ['iii'], 'target'), { message: 'no target iii: relay, relay-store' })
  t.match(readOptions(['--only', 'S1,S4', '--quick']), { only: ['S1', 'S4'], rounds: 1, quick: true })
  t.throws(() => readOptions(['--rounds', '0']))
})
