import t from '../../../../test/tap.js'
import { countNormative } from '../../src/checks/find-normative.js'
import { compile, source } from '../engine/material.js'

const input = source(`${'Doors must open.\n\n'.repeat(30)}Not all Doors must open.\n\nDoors must open wide.\n`)

t.test('the same words count as cited only where they are the whole sentence', async (t) => {
  const { requirements, ...document } = compile([input])
  t.same(requirements.map(({ repeats }) => repeats), [10, undefined, undefined])
  const only = { ...document, requirements: requirements.slice(0, 1) }
  const { covered, unlisted } = countNormative(only, [input])
  t.same([covered.length, unlisted.map(({ at }) => input.text.slice(at - 6, at + 15).trim())],
    [30, ['Doors must open.\n\nDoo', 'Doors must open wide.']])
})

t.test('each input has its own repeats', async (t) => {
  const inputs = [1, 2].map((seq) => source('Doors must open.\n\n'.repeat(25), { seq }))
  const document = compile(inputs)
  t.match(document.requirements, [{ repeats: 10 }])
  t.same(countNormative(document, inputs).unlisted, [])
})

t.test('a requirement that no longer is, or that does not say how often, covers what it cites alone', async (t) => {
  const { requirements: [first, ...rest], ...document } = compile([input])
  if (!first) throw new Error('The doors make a requirement')
  const { repeats: _, ...once } = first
  t.equal(countNormative({ ...document, requirements: [once, ...rest] }, [input]).unlisted.length, 10)
  const retired = { ...first, status: 'retired' as const }
  t.equal(countNormative({ ...document, requirements: [retired, ...rest] }, [input]).unlisted.length, 30)
})
