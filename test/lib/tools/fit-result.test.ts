import t from '../../tap.js'
import { fitResult } from '../../../lib/tools/fit-result.js'

const fit = (value: unknown, maxBytes = 24_576) => {
  const text = fitResult(value, JSON.stringify(value), maxBytes)
  t.ok(Buffer.byteLength(text) <= maxBytes, `${Buffer.byteLength(text)} bytes of ${maxBytes}`)
  return JSON.parse(text)
}

const service = (index: number) => ({
  id: `svc-${index}`,
  name: `service ${index}`,
  region: 'eu-west-1',
  running: index,
  image: `registry/app:${index}`,
  health: { status: 'healthy', reason: null }
})
const page = (count: number, next_cursor: string | null = null) =>
  ({ items: Array.from({ length: count }, (_, index) => service(index)), next_cursor, partial: false })

t.test('what is small stays as it is', async (t) => {
  t.same(fit(page(3)), page(3))
})

t.test('a list of like objects is a table: its names once, what is the same once', async (t) => {
  t.same(fit(page(45)), {
    items: {
      count: 45,
      same: { region: 'eu-west-1' },
      columns: ['id', 'name', 'running', 'image', 'health'],
      rows: page(45).items.map(({ id, name, running, image, health }) => [id, name, running, image, health])
    },
    next_cursor: null,
    partial: false
  })
  t.ok(JSON.stringify(fit(page(45))).length < JSON.stringify(page(45)).length * 0.7)
})

t.test('rows that do not fit are left out from the end, with how many there are and how to get them', async (t) => {
  const { items, shown, next, ...rest } = fit(page(200, 'cursor-of-row-200'), 4_096)
  const kept = items.rows.length
  t.ok(kept > 20 && kept < 200, `${kept} rows`)
  t.same(items.rows.map(([id]: string[]) => id), page(kept).items.map(({ id }) => id), 'none is missing in between')
  t.equal(items.shown, `${kept} of 200`)
  t.equal(shown, `${kept} of 200 of this page`)
  t.equal(next, `Ask again with limit ${kept}, then go on with the next_cursor of that answer`)
  t.same(rest, { partial: false }, 'the cursor is gone: it would skip what is left out')
})

t.test('a long text ends at a line, and says how long it is', async (t) => {
  const text = Array.from({ length: 4_000 }, (_, index) => `line ${index} of the file`).join('\n')
  const { content, path } = fit({ path: 'a.md', content: text }, 8_192)
  const [kept = '', note] = content.split(' … ')
  t.equal(path, 'a.md')
  t.ok(text.startsWith(`${kept}\n`), 'a whole line is the last')
  t.equal(note, `[cut after ${kept.length} of ${text.length} characters: go on with offset ${kept.length} where the ` +
    'tool takes one, else ask for this one alone]')
  t.ok(kept.length > 6_000, 'as much as there is room for')
})

t.test('long texts in a list are cut before rows are left out', async (t) => {
  const issues = Array.from({ length: 10 }, (_, number) =>
    ({ number, title: `Issue ${number}`, text: `${number} ${'word '.repeat(900)}` }))
  const { items } = fit({ items: issues, next_cursor: null }, 8_192)
  t.equal(items.rows.length, 10)
  t.ok(items.rows.every(([, , text]: string[]) => /word … \[cut after \d+ of 4502 characters/.test(text ?? '')))
})

t.test('objects that are not alike stay objects', async (t) => {
  const mixed = Array.from({ length: 8 }, (_, index) => ({ [`field${index}`]: 'x'.repeat(200) }))
  t.same(fit(mixed), mixed)
})

t.test('whatever it is, it is whole JSON of the allowed size', async () => {
  const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`key ${index}`, index]))
  const texts = Array.from({ length: 500 }, () => '"\\\n'.repeat(400))
  const page = { items: texts.map((text, number) => ({ number, text, a: [text] })) }
  for (const value of [wide, texts, '🜁'.repeat(20_000), page]) {
    for (const maxBytes of [1_200, 5_000, 24_576]) fit(value, maxBytes)
  }
})
