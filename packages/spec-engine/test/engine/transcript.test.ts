import t from '../../../../test/tap.js'
import { compile, source } from './material.js'

const statements = (text: string) => compile(text).requirements.map(({ statement }) => statement)
const talk = Array.from({ length: 8 }, (_, at) => `ABC: Doors should have ${at + 2} locks, and they can be red.`)
  .join('\n\n')

t.test('of a recorded discussion only what was decided is a demand, and the rest is listed', async (t) => {
  const text = `# Notes\n\n## API of doors\n\n${talk}\n\nRESOLUTION: Doors must have a bell.\n\n` +
    'PROPOSED RESOLUTION: Doors must sing.\n\nACTION: Mira must write it down.\n\n' +
    '### Conclusion/Resolution\n\n- Consensus on painting all doors\n- The proposal must come back in the next meeting'
  t.same(statements(text), ['Doors SHALL have a bell.', 'Consensus on painting all doors'])
  const reasons = (compile(text).not_taken ?? []).map(({ quote, why }) => `${quote} ${why}`)
  t.match(reasons.find((one) => one.includes('2 locks')), /A speaker said it; what was decided stands apart/)
  t.match(reasons.find((one) => one.includes('sing')), /It was proposed, and nothing says that it was decided/)
  t.match(reasons.find((one) => one.includes('Mira')), /It is a task of somebody/)
  t.match(reasons.find((one) => one.includes('next meeting')), /It is about the work/)
})

t.test('minutes without a record of what was decided keep what people demand', async (t) => {
  t.equal(statements(`# Notes\n\n${talk}`).length, 8)
  t.same(statements('# Notes\n\nAda: Doors must have a bell.\n\n## Decision\n\nDoors must be red.'),
    ['Doors SHALL have a bell.', 'Doors SHALL be red.'])
})

t.test('what stands below a heading of what is not in scope is no demand, nor a table of contents', async (t) => {
  for (const [outer, inner] of [['Nicht-Ziele', 'Folgende Funktionen'], ['Out of scope', 'Features'],
    ['Hors périmètre', 'Fonctionnalités']] as const) {
    t.same(statements(`# Doc\n\n## ${outer}\n\n### ${inner}\n\n- Support SSO with a card\n`), [], outer)
  }
  t.same(statements('# Lastenheft\n\n## Inhaltsverzeichnis\n\n- Prozesse und Anforderungen der Kunden\n'), [])
  t.same(statements('# Doc\n\nFolgende Funktionen sind nicht Bestandteil:\n\n- Berichte als PDF exportieren\n'), [])
  t.same(statements('# Doc\n\n## Goals and Non-Goals\n\n### Requirements\n\n- Support SSO with a card\n'),
    ['THE SYSTEM SHALL support SSO with a card.'])
})

t.test('what would be good and a doubtful need are listed, and a column of labels has no ids', async (t) => {
  for (const one of ['It would be helpful to know the name.', 'The endpoint may also need to support pages.']) {
    t.same(statements(`# API\n\n${one}`), [])
  }
  t.same(compile('Requirement,Label,Type\nDoors must lock.,Functional,a\nDoors must sing.,L-2,a').requirements
    .map(({ source_ids: ids }) => ids), [undefined, ['L-2']])
})

t.test('in the column of requirements what was before is the matter of a demand; "one day" is a time', async (t) => {
  const rows = ['The product shall show previously stored results.', 'A user shall need one day of training.',
    'Doors must be red.']
  const sheet = `ProjectID;RequirementText;RequirementClass\n${rows.map((one) => `4;${one};PE`).join('\n')}`
  t.equal(statements(sheet).length, 3)
})

t.test('a long record of speakers needs no resolution, and a PEP with a link to its own is none', async (t) => {
  const lines = Array.from({ length: 24 }, (_, at) =>
    `${at % 2 ? '  ' : ''}- ${['mt', 'mike bishop', 'ekr'][at % 3]}: we need to write something down about it ${at}.`)
  t.same(compile(`# Agenda of the meeting\n\n## Drafts\n\n${lines.join('\n')}\n`).requirements, [])
  const pep = ['PEP: 691', 'Resolution: `26-Jun-2022 <https://x.example>`__', '', 'Specification', '=============', '',
    'Clients **MUST** send the header.', '', ...Array(10).fill('name: the name\n')].join('\n')
  t.equal(compile([source(pep, { media_type: 'text/x-rst' })]).requirements.length, 1)
})
