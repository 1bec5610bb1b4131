import t from '../../tap.js'
import { describeMissing, missingOn, notShown } from '../../../lib/tools/renderable.js'
import { showChanges } from '../../../lib/tools/show-changes.js'

const summary = 'Open a pull request'
const row = { label: 'Desired count', before: '2', after: '3' }
const planOf = async (...changes: { label: string, before: unknown, after: unknown }[]) =>
  ({ summary, preview: await showChanges(changes) })

t.test('a plan that every surface shows whole is approved on each', async (t) => {
  t.same(notShown({ summary, preview: [row] }), [])
})

t.test('what Slack would cut is said, and what no card has whole is approved nowhere unread', async (t) => {
  const long = 'A line of a text that is published.\n'.repeat(40)
  const middle = await planOf({ label: 'body', before: long, after: long.replace('published.\nA', 'stolen.\nA') })
  t.same(notShown(middle), [{ surface: 'slack', missing: ['diff'] }], 'a changed middle')
  const files = await planOf(...Array.from({ length: 7 }, (_, at) =>
    ({ label: `File ${at}.yml`, before: null, after: long.slice(0, 400) })))
  t.same(missingOn('slack', files), ['length'], 'later files')
  t.same(missingOn('slack', { summary, preview: Array.from({ length: 21 }, () => row) }), ['rows'])
  t.same(missingOn('slack', { summary: 'x'.repeat(131), preview: [row] }), ['summary'])
  const huge = await planOf({ label: 'body', before: null, after: 'x'.repeat(60_000) })
  t.same(notShown(huge).map(({ surface, missing }) => [surface, missing.includes('cut')]),
    [['browser', true], ['terminal', true], ['slack', true]])
  const name = await planOf({ label: 'n'.repeat(600), before: null, after: 'x' })
  t.same(missingOn('browser', name), ['cut'], 'a name')
})

t.test('what is missing is said in words', async (t) => {
  t.equal(describeMissing(['rows']), 'later changes')
  t.equal(describeMissing(['summary', 'rows', 'diff']),
    'the end of its summary, later changes and how long texts differ')
})
