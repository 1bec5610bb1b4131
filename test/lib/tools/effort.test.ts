import t from '../../tap.js'
import { KeptFor } from '../../../lib/tools/tool.js'
import { showChanges, unifiedDiff } from '../../../lib/tools/show-changes.js'

const lines = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at))
  .join('\n')

t.test('hundreds of edits of a long text are a diff', async (t) => {
  const diff = await unifiedDiff(lines(5_000, (at) => `line ${at}`),
    lines(5_000, (at) => at % 17 === 0 ? `other ${at}` : `line ${at}`))
  t.match(diff, /^@@ -1,4 \+1,4 @@\n-line 0\n\+other 0\n line 1\n/)
})

t.test('texts that take too much to compare are shown whole, and so are those after them', async (t) => {
  const short = lines(95_000, (at) => 'ab'.charAt(at % 2))
  const other = lines(95_000, (at) => 'cd'.charAt(at % 3 % 2))
  t.equal(await unifiedDiff(short, other),
    [...short.split('\n').map((line) => `-${line}`), ...other.split('\n').map((line) => `+${line}`)].join('\n'))
  const [hard, easy] = await showChanges([
    { label: 'Hard', before: short, after: other }, { label: 'Easy', before: 'a\nb', after: 'a\nc' }
  ])
  t.match(hard, { label: 'Hard', truncated: true })
  t.match(easy?.diff, '-a\n-b\n+a\n+c', 'what one answer may take is taken')
  t.equal(await unifiedDiff('a\nb', 'a\nc'), '@@ -1,2 +1,2 @@\n a\n-b\n+c', 'the next answer has its own')
})

t.test('what is kept is bounded, and the same is the same as long as it is asked for', async (t) => {
  const kept = new KeptFor<{ at: number }>(3)
  const first = kept.get('first', () => ({ at: 0 }))
  for (let at = 1; at <= 100; at++) {
    kept.get(`key ${at}`, () => ({ at }))
    t.equal(kept.get('first', () => ({ at: -1 })), first)
  }
  t.equal(kept.size, 3)
})
