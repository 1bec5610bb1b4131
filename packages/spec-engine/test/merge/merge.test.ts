import t from '../../../../test/tap.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import { mergeDocuments, type MergeTask } from '../../src/merge/merge-documents.js'
import { compile, source } from '../engine/material.js'

const text = '# Rules\n\n- The door must open.\n- The lamp must glow.\n\n## Goals\n\n- Light\n- Warmth\n- Air'
const generated = compile(text)
const merge = (more: Pick<MergeTask, 'ours' | 'theirs'> & Partial<MergeTask>) =>
  mergeDocuments({ generated, start: generated, preserve: 'human', ...more })

const edit = (document: SpecDocument, id: string, change: Partial<SpecDocument['requirements'][number]>) => ({
  ...document,
  requirements: document.requirements.map((one) => one.id === id ? { ...one, human_edited: true, ...change } : one)
})

const statements = ({ requirements }: SpecDocument) => requirements.map(({ id, statement }) => [id, statement])

t.test('a generation may change everything that no person has edited', async (t) => {
  const theirs = compile(text.replace('glow', 'glow brightly'), { base: generated, version: 2 })
  t.same(merge({ ours: generated, theirs }), { document: theirs, suggestions: [] })
})

t.test('a person\'s change stays, and the generation\'s change is a suggestion', async (t) => {
  const ours = edit(generated, 'FR-002', { statement: 'The lamp SHALL glow in blue.' })
  const same = compile(text, { base: generated, version: 2 })
  t.same(merge({ ours, theirs: same }), { document: { ...same, requirements: ours.requirements }, suggestions: [] },
    'a generation with the same proposal as the last one suggests nothing')
  const theirs = compile(text.replace('glow', 'glow brightly'), { base: generated, version: 2 })
  const { document, suggestions } = merge({ ours, theirs })
  t.same(document.requirements, ours.requirements)
  t.same(suggestions, [{
    target: 'FR-002',
    op: 'replace',
    value: theirs.requirements[1],
    reason: 'A person changed this, and the generation would change it in another way'
  }])
  t.same(merge({ ours, theirs, preserve: 'none' }), { document: theirs, suggestions: [] })
})

t.test('locked items are not changed and get no suggestion', async (t) => {
  const theirs = compile(text.replace('glow', 'glow brightly').replace('Light', 'Dark'),
    { base: generated, version: 2 })
  const ours = {
    ...edit(generated, 'FR-002', { human_edited: false, locked: true }), locked_sections: ['goals']
  }
  for (const preserve of ['human', 'none'] as const) {
    const { document, suggestions } = merge({ ours, theirs, preserve })
    t.same([document.requirements, document.goals, document.locked_sections, suggestions],
      [ours.requirements, ours.goals, ['goals'], []])
  }
})

t.test('no requirement vanishes; only retiring one with a reason removes it', async (t) => {
  const theirs = compile('# Rules\n\n- The door must open.', { base: generated, version: 2 })
  t.same(statements(merge({ ours: generated, theirs }).document), statements(generated))
  const retiring = edit(compile(text, { base: generated, version: 2 }), 'FR-002',
    { human_edited: false, status: 'retired', retire_reason: 'Lamps are gone', retired_in: 2 })
  const taken = merge({ ours: generated, theirs: retiring })
  t.match(taken, { document: { requirements: [{}, { status: 'retired', retired_in: 2 }] }, suggestions: [] })
  const ours = edit(generated, 'FR-002', { title: 'My lamp' })
  t.match(merge({ ours, theirs: retiring }), {
    document: { requirements: [{}, { title: 'My lamp', status: 'active' }] },
    suggestions: [{ target: 'FR-002', op: 'retire', value: null, reason: 'Lamps are gone' }]
  })
})

t.test('edits made during a generation stay, and ids do not clash', async (t) => {
  const [door] = generated.requirements
  if (!door) throw new Error('The text has a door')
  const bell = { ...door, id: 'FR-003', statement: 'The bell SHALL ring.', origin: 'human' as const }
  const ours = {
    ...generated, requirements: [...generated.requirements, bell], counters: { ...generated.counters, FR: 3 }
  }
  const theirs = compile([source(text), source('# Rules\n\n- The horn must hoot.', { seq: 2 })],
    { base: generated, version: 3 })
  t.same(statements(theirs).at(-1), ['FR-003', 'The horn must hoot.'])
  const { document } = merge({ ours, theirs })
  t.same(statements(document).slice(-2), [['FR-003', 'The bell SHALL ring.'], ['FR-004', 'The horn must hoot.']])
  t.equal(document.counters.FR, 4)
})

t.test('a second generation keeps every note', async (t) => {
  const goals = Array.from({ length: 40 }, (_, at) => `Goal number ${at}`)
  const whole = compile(`${text}\n\n## More goals\n\n${goals.map((goal) => `- ${goal}`).join('\n')}`)
  t.equal(whole.goals.length, 43)
  const { document } = mergeDocuments({ generated: whole, start: whole, preserve: 'human', ours: whole, theirs: whole })
  t.same(document.goals, whole.goals)
})

t.test('notes and texts are merged line by line', async (t) => {
  const ours = { ...generated, goals: ['Light!', 'Warmth', 'Air'], design: 'One\nTwo\nThree' }
  const theirs = { ...generated, goals: ['Light', 'Warmth', 'Air', 'Rain'], design: 'One\nTwo\nThree\nFour' }
  const known = { ...generated, design: 'Zero\nTwo\nThree' }
  const { document, suggestions } = merge({ generated: known, ours, theirs })
  t.same([document.goals, document.design, suggestions],
    [['Light!', 'Warmth', 'Air', 'Rain'], 'One\nTwo\nThree\nFour', []])
  const clash = merge({ ours, theirs: { ...generated, goals: ['Dark', 'Warmth', 'Air'] } })
  t.same(clash.document.goals, ours.goals)
  t.match(clash.suggestions, [{ target: 'sections.goals', value: ['Dark', 'Warmth', 'Air'] }])
})
