import t from '../../tap.js'
import { outline } from '../../../lib/tools/outline.js'

t.test('a structure reads as people write one', async (t) => {
  t.equal(outline({ kind: 'feed', enabled: true, channels: [] }), '{kind: feed, enabled: true, channels: []}')
  t.equal(outline(['Pay.', 'Tap.']), '[Pay., Tap.]')
  t.equal(outline({
    title: 'Our new search',
    points: [{ text: 'It finds: everything, at once', fact_ids: [] }, { text: 'Fast', fact_ids: ['f1', 'f2'] }],
    body: 'One.\n\nTwo.',
    long: ['a text that is longer than what stands in one line with others', 'and: another one', '- a dash', '12'],
    at: new Date(0),
    gone: undefined
  }), `title: Our new search
points:
  - {text: "It finds: everything, at once", fact_ids: []}
  - {text: Fast, fact_ids: [f1, f2]}
body: |
  One.
  
  Two.
long:
  - a text that is longer than what stands in one line with others
  - "and: another one"
  - "- a dash"
  - "12"
at: 1970-01-01T00:00:00.000Z`)
})

/** Pieces that could be taken for each other, or for a mark. */
const texts = ['', ' ', 'a', 'a ', 'true', 'null', '1', '1.5', '-', '- a', '|', 'a: b', 'a:', '[a]', '{a: b}',
  'a, b', '"a"', 'a\n', 'a\nb', '\n', 'a\n  b',
  '  a', 'x: |\n  a', '\t', 'é', '1e5', '-1', 'a,b', '#', '\u0000', '\\n', "'a'", '[', '}']
const others = [true, false, null, 0, 1, 1.5, -1, 1e5, [], {}]

t.test('what differs has outlines that differ', async (t) => {
  const scalars: unknown[] = [...texts, ...others]
  const long = 'a long text '.repeat(10)
  const shapes: ((a: unknown, b: unknown) => object)[] = [
    (a) => [a], (a, b) => [a, b], (a, b) => [[a], b], (a, b) => [[a, b]], (a) => ({ a }),
    (a, b) => ({ a, b }), (a, b) => ({ a: { a, b } }), (a, b) => ({ a: { a }, b }), (a, b) => [{ a, b }],
    (a, b) => [{ a }, { b }],
    (a, b) => ({ [String(a)]: b }), (a, b) => [long, a, b], (a, b) => ({ a, long, b }),
    (a, b) => [long, [a, long, b]],
    (a, b) => [long, { a, long }, b], (a, b) => ({ long, a: { a, long, b } }), (a, b) => ({ long, a: { a, long }, b }),
    (a, b) => ({ long, [String(a)]: b }), (a, b) => [long, [long, a], b], (a, b) => [long, [[long, a]], b]
  ]
  const byOutline = new Map<string, string>()
  let count = 0
  for (const shape of shapes) {
    for (const a of scalars) {
      for (const b of scalars) {
        const value = shape(a, b)
        const [text, json] = [outline(value), JSON.stringify(value)]
        const other = byOutline.get(text) ?? json
        if (other !== json) t.fail(`${json} and ${other} are both: ${text}`)
        byOutline.set(text, json)
        count++
      }
    }
  }
  t.equal(count, shapes.length * scalars.length ** 2)
  t.ok(byOutline.size > 20_000)
})

t.test('a hostile structure is bounded', async (t) => {
  let deep: unknown = 'end'
  for (let depth = 0; depth < 1_000; depth++) deep = { a: deep, b: 'x'.repeat(101) }
  const text = outline([deep])
  t.ok(text.length < 4 * JSON.stringify([deep]).length)
  t.match(text, '"end"')
})
