import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import t from '../tap.js'
import { Grouped } from '../../db/grouped.js'

interface Item { group?: string, id: string, size?: number }

/** Statements that wait until the test lets them go. */
class Statements {
  readonly sent: string[][] = []
  readonly #open:
  { items: readonly Item[], resolve: (results: string[]) => void, reject: (error: Error) => void }[] = []

  readonly grouped = new Grouped<Item, string>({
    work: (items) => new Promise((resolve, reject) => {
      this.sent.push(items.map(({ id }) => id))
      this.#open.push({ items, resolve, reject })
    }),
    groupOf: ({ group = '' }) => group,
    idOf: ({ id }) => id,
    sizeOf: ({ size = 1 }) => size
  })

  /** Adds the first, lets its statement begin, and adds the rest. */
  async add ([first, ...rest]: Item[]): Promise<Promise<string>[]> {
    const results = first ? [this.grouped.add(first)] : []
    await turn()
    return [...results, ...rest.map((item) => this.grouped.add(item))]
  }

  async succeed (): Promise<void> {
    const one = this.#open.shift()
    one?.resolve(one.items.map(({ id }) => `stored ${id}`))
    await turn()
  }

  async fail (error: Error): Promise<void> {
    this.#open.shift()?.reject(error)
    await turn()
  }
}

const items = (...ids: string[]): Item[] => ids.map((id) => ({ id }))

const failure = (code: string) => Object.assign(new Error(code), { code })

const outcomes = async (results: Promise<string>[]) =>
  (await Promise.allSettled(results)).map((one) => one.status === 'fulfilled' ? one.value : String(one.reason))

t.test('what comes in one turn of the event loop goes together', async (t) => {
  const all = new Statements()
  const results = outcomes(items('a', 'b').map((item) => all.grouped.add(item)))
  await turn()
  t.same(all.sent, [['a', 'b']])
  await all.succeed()
  t.same(await results, ['stored a', 'stored b'])
})

t.test('what comes while a statement is under way goes in the next, together', async (t) => {
  const all = new Statements()
  const results = outcomes(await all.add(items('a', 'b', 'c')))
  t.same(all.sent, [['a']])
  await all.succeed()
  t.same(all.sent, [['a'], ['b', 'c']])
  await all.succeed()
  t.same(await results, ['stored a', 'stored b', 'stored c'])
})

t.test('two items with one id never meet in a statement, and keep their order', async (t) => {
  const all = new Statements()
  const results = await all.add(items('a', 'b', 'b', 'c', 'b'))
  for (let i = 0; i < 4; i++) await all.succeed()
  t.same(all.sent, [['a'], ['b', 'c'], ['b'], ['b']])
  t.equal((await outcomes(results)).length, 5)
})

t.test('groups do not wait for each other', async (t) => {
  const all = new Statements()
  const results = [all.grouped.add({ id: 'a', group: 'one' }), all.grouped.add({ id: 'b', group: 'two' })]
  await turn()
  t.same(all.sent, [['a'], ['b']])
  await all.succeed()
  await all.succeed()
  t.same(await outcomes(results), ['stored a', 'stored b'])
})

t.test('a statement takes no more than a megabyte, but one item whatever its size', async (t) => {
  const all = new Statements()
  const large = 1_048_576
  const results = await all.add([1, large + 1, 1, large - 1, 2].map((size, i) => ({ id: String(i), size })))
  for (let i = 0; i < 4; i++) await all.succeed()
  t.same(all.sent, [['0'], ['1'], ['2', '3'], ['4']])
  t.equal((await outcomes(results)).length, 5)
})

t.test('what the server refuses is tried item by item, so an error hits only the one that it is of', async (t) => {
  for (const code of ['23505', '55P03', '40P01', '57014']) {
    const all = new Statements()
    const results = outcomes(await all.add(items('a', 'b', 'c')))
    await all.succeed()
    await all.fail(failure(code))
    t.same(all.sent, [['a'], ['b', 'c'], ['b'], ['c']])
    await all.fail(failure(code))
    await all.succeed()
    t.same(await results, ['stored a', `Error: ${code}`, 'stored c'])
  }
})

t.test('what may have been stored when the connection broke is not sent again', async (t) => {
  for (const error of [failure('ECONNRESET'), failure('57P01'), new Error('Query read timeout')]) {
    const all = new Statements()
    const results = outcomes(await all.add(items('a', 'b', 'c')))
    await all.succeed()
    await all.fail(error)
    t.same(await results, ['stored a', String(error), String(error)])
    t.same(all.sent, [['a'], ['b', 'c']])
  }
})

t.test('a statement that waits for a lock holds up nobody else', async (t) => {
  const all = new Statements()
  const results = await all.add(items('stuck', 'next'))
  while (all.sent.length < 2) await turn()
  t.same(all.sent, [['stuck'], ['next']])
  await all.succeed()
  await all.succeed()
  t.same(await outcomes(results), ['stored stuck', 'stored next'])
})

t.test('a statement runs in the context of none of its items, which without ids may be alike', async (t) => {
  const context = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const grouped = new Grouped<string, void>({
    work: async (items) => {
      seen.push(context.getStore(), items.length)
      await turn()
      return items.map(() => undefined)
    },
    groupOf: () => '',
    sizeOf: () => 1
  })
  await Promise.all(['a', 'a'].map((id) => context.run(id, () => grouped.add(id))))
  t.same(seen, [undefined, 2])
})
