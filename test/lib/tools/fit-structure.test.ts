import t from '../../tap.js'
import { fitStructure } from '../../../lib/tools/fit-result.js'

const rows = (count: number, text: string) => Array.from({ length: count }, (_, id) => ({ id, text }))
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

t.test('what fits is left as it is', async (t) => {
  const value = { items: rows(3, 'x'), next_cursor: 'c' }
  t.same(fitStructure(value, 1_000), { value, isCut: false })
})

t.test('texts are shortened before items are left out, and a cursor that would skip some goes', async (t) => {
  const page = { items: rows(10, 'é'.repeat(400)), next_cursor: 'c' }
  const shorter = fitStructure(page, 4_000)
  t.match(shorter, { isCut: true, value: { next_cursor: 'c' } })
  t.equal((shorter?.value.items as unknown[]).length, 10)
  const fewer = fitStructure({ ...page, items: rows(1_000, 'word') }, 1_000)
  t.ok(bytesOf(fewer?.value) <= 1_000)
  t.same(Object.keys(fewer?.value ?? {}), ['items'])
  t.match((fewer?.value.items as unknown[])[0], { id: 0, text: 'word' })
})

t.test('what has no part to leave out does not fit', async (t) => {
  t.equal(fitStructure(Object.fromEntries(rows(100, '').map(({ id }) => [`name${id}`, id])), 200), undefined)
  t.match(fitStructure({ text: 'x'.repeat(9_000) }, 300), { isCut: true })
})
