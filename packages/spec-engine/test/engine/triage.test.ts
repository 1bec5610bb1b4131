import t from '../../../../test/tap.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import { compile, source } from './material.js'

const statements = ({ requirements }: SpecDocument) => requirements.map(({ statement }) => statement)
const undecided = ({ not_taken: list = [] }: SpecDocument) => list.filter((one) => one.class === 'undecided')
  .map(({ quote }) => quote)

t.test('a requirement has the words of its sentence unchanged, and the first of them as its title', async (t) => {
  const text = '# Doors\n\nWhen it rains, the lock **must not** close. Doors are heavy.'
  const [only, ...others] = compile(text).requirements
  t.match(only, {
    statement: 'When it rains, the lock must not close.',
    title: 'When it rains, the lock must not close',
    level: 'MUST',
    acceptance: [],
    source_ids: undefined
  })
  t.same(others, [])
  t.same(undecided(compile(text)), ['Doors are heavy.'])
})

t.test('bullets in a row that begin with WHEN or GIVEN and demand are requirements, with and without SHALL in capitals', async (t) => {
  const lines = ['WHEN a code is entered, the locker SHALL open one door', 'When a door stays open, the locker must beep',
    'GIVEN a courier, the locker SHALL open all doors']
  t.same(statements(compile(`# Requirements\n\n${lines.map((line) => `- ${line}`).join('\n')}`)), lines)
})

t.test('a story that is out of scope is no requirement, and says where it stands', async (t) => {
  const story = 'As a courier, I want to open all doors.'
  const document = compile(`# Spec\n\n## Out of scope\n\n- ${story}\n- Doors must sing.`)
  t.same([document.requirements, document.stories], [[], []])
  t.match(document.not_taken, [{ quote: story, why: 'It stands below “Out of scope”' }, { quote: 'Doors must sing.' }])
})

t.test('whatever its language and headings are, each sentence is taken, set aside with a reason, or undecided', async (t) => {
  const cahier = '# Cahier\n\nL’accès est protégé par un code. Un rapport mensuel récapitule les entrées.'
  const polish = '# Zamki\n\nZamek powinien się zamykać. Drzwi mają numer.'
  const renamed = '# Notes from the trip\n\nDoors close by themselves. Lamps go out at ten.'
  for (const text of [cahier, polish, renamed]) {
    const document = compile(text)
    t.equal(document.requirements.length + (document.not_taken?.length ?? 0), 2, text)
  }
})

t.test('acceptance criteria are those of the source, of the requirement right above', async (t) => {
  const document = compile(['# Doors', '', '## Opening', '', 'The locker must open one door.', '',
    'Acceptance criteria:', '', '- Given a parcel, when the code is entered, then door 7 opens', '- Two doors never open',
    '', '## Closing', '', 'The locker must close the door.'].join('\n'))
  t.same(document.requirements.map(({ acceptance }) => acceptance.map(({ given, when, then }) => [given, when, then])), [
    [['a parcel', 'the code is entered', 'door 7 opens'], ['', '', 'Two doors never open']], []
  ])
})

t.test('a list completes the line above it: item by item where the line has no end, else as a whole', async (t) => {
  t.same(statements(compile('The system must:\n\n- export plans\n- import plans')),
    ['The system must: export plans', 'The system must: import plans'])
  t.same(statements(compile('The report must have these fields:\n\n- date\n- total')),
    ['The report must have these fields:\n- date\n- total'])
})

t.test('what exceeds the limit, is dismissed or stands in code is visible', async (t) => {
  const text = '# A\n\nDoors should open. Lamps must glow.\n\n```text\nBells must ring.\n```\n'
  const first = compile(text)
  t.same(undecided(first), ['Doors should open.', 'Bells must ring.'])
  const [input] = [source(text)]
  const at = text.indexOf('Bells')
  const dismissed = [{ input_id: input.input_id, char_start: at, char_end: at + 16, why: 'Ada set it aside' }]
  const next = compile(text, { base: { ...first, dismissed } })
  t.match(next.not_taken, [{ class: 'undecided' }, { class: 'other', why: 'Ada set it aside' }])
})
