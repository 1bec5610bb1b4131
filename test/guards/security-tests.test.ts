import t from '../tap.js'
import { listSources, read } from './sources.js'

/** The numbers of each group, from first to last. */
const groups: [group: string, first: number, last: number][] = [
  ['A', 1, 14], ['B', 15, 23], ['C', 24, 29], ['D', 30, 35], ['E', 36, 44], ['F', 45, 49], ['G', 50, 54],
  ['H', 55, 59], ['I', 60, 67], ['J', 68, 75],
  ['K', 76, 86], ['P', 1, 13]
]
const numbers = groups.flatMap(([group, first, last]) =>
  Array.from({ length: last - first + 1 }, (_, at) => `${group}${first + at}`))

const titled = /\btest\(\s*(['`])((?:\\.|(?!\1)[^\\])*)\1/g
const numbered = /^([A-KP]\d+(?:, [A-KP]\d+)*): (.*)$/s

/** @returns every test of a file that has numbers, once for each */
const testsIn = (file: string): string[] => [...read(file).matchAll(titled)].flatMap(([, , source = '']) => {
  const title = source.replace(/\\(.)/g, '$1').replace(/\$\{[^}]*\}/g, '…')
  const [, list = '', rest = ''] = numbered.exec(title) ?? []
  return list.split(', ').filter(Boolean).map((number) => `${number} \`${file.replace(/^test\//, '')}\` *${rest}*`)
})

/** Those of specs have numbers of a list of their own. */
const isAttacked = (file: string): boolean => !file.startsWith('test/routes/pse/')

const held = listSources('test').filter(isAttacked).flatMap(testsIn).toSorted()
const rows = [...read('docs/security-tests.md').matchAll(/^\| ([A-KP]\d+) \| [^|]+ \| (.*) \|$/gm)]
const documented = rows.flatMap(([, number, tests = '']) =>
  [...tests.matchAll(/`[^`]+` \*[^*]+\*/g)].map(([test]) => `${number} ${test}`)).toSorted()

t.test('every attack and fault has a test that is found by its number', async (t) => {
  t.equal(numbers.length, 99)
  t.same(numbers.filter((number) => !held.some((test) => test.startsWith(`${number} `))), [])
  t.same(held.filter((test) => !numbers.includes(test.split(' ', 1)[0] ?? '')), [], 'nor has any test another number')
})

t.test('docs/security-tests.md names every one of these tests, and none that is not there', async (t) => {
  t.same(rows.map(([, number]) => number), numbers)
  t.same(documented, held)
})
