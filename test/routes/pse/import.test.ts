import t from '../../tap.js'
import { workspace } from '../../app.js'
import { brief } from '../../../packages/spec-engine/test/engine/brief.js'
import { actor, generate, makeSession } from './actors.js'

const app = await workspace(t)
const { post, json } = actor(app)

interface Exported { path: string, content: string }
interface Requirement { id: string, statement: string, status: string, origin: string }
const take = async (layout: string, files: { path: string, text: string }[], more: object = {}) => {
  const made = await post('/sessions', { title: 'Taken', inputs: [{ kind: 'spec', layout, files }], ...more })
  if (made.statusCode !== 201) throw new Error(made.payload)
  const path = `/sessions/${made.json().session_id}`
  return { path, ...await generate(app, path, { mode: 'import', engine: 'auto' }) }
}
const active = (spec: { document: { requirements: Requirement[] } }) =>
  spec.document.requirements.filter(({ status }) => status === 'active')
const statements = (items: Requirement[]) => items.map(({ id, statement }) => `${id} ${statement}`).sort()

const idsOf = (spec: Parameters<typeof active>[0]) => active(spec).map(({ id }) => id).sort()

t.test('importing an export keeps the requirements with their ids', async (t) => {
  const { path } = await makeSession(app, brief)
  const { spec } = await generate(app, path)
  for (const layout of ['spec-kit', 'openspec', 'markdown']) {
    const { files } = await json(`${path}/files?layout=${layout}`)
    const given = files.map((file: Exported) => ({ path: file.path, text: file.content }))
    const { generation, spec: made } = await take(layout, given)
    t.match(generation, { mode: 'import', engine: 'template', model: null, usage: { model_calls: 0 } })
    t.match(made, { version: 1, origin: 'imported', document: { engine: { name: 'import' } } })
    t.same(idsOf(made), idsOf(spec), layout)
    if (layout !== 'openspec') t.same(statements(active(made)), statements(active(spec)), layout)
    t.ok(active(made).every(({ origin }) => origin === 'imported'))
  }
  const { files } = await json(`${path}/files?layout=kiro`)
  const { spec: kiro } = await take('kiro', files.map((file: Exported) =>
    ({ path: file.path, text: file.content })))
  t.same(active(kiro).map(({ statement }) => statement),
    active(spec).map(({ statement }) => statement), 'Kiro has no ids')
  const again = await post('/sessions', { title: 'Prior', inputs: [{ kind: 'spec', session_id: path.split('/')[2] }] })
  const { spec: prior } = await generate(app, `/sessions/${again.json().session_id}`, { mode: 'import' })
  t.same(statements(active(prior)), statements(active(spec)))
})

const openspec = `# doors Specification

## Purpose
Doors that open.

## Requirements
### Requirement: Opening
The door SHALL open within 2 seconds.

#### Scenario: A card
- **GIVEN** a card
- **WHEN** it is shown
- **AND** it is known
- **THEN** the door opens

### Requirement: FR-007 Closing
The door SHOULD close by itself.
`

t.test('importing another tool\'s spec keeps its ids, and gives other requirements new ones', async (t) => {
  const { path, spec } = await take('openspec', [
    { path: 'openspec/specs/doors/spec.md', text: openspec }, { path: 'openspec/project.md', text: '- **FR-099**: No.' }
  ])
  t.match(spec.document, { title: 'Taken', summary: 'Doors that open.' })
  t.match(active(spec), [{
    id: 'FR-008',
    title: 'Opening',
    statement: 'The door SHALL open within 2 seconds.',
    level: 'MUST',
    citations: [{ quote: 'The door SHALL open within 2 seconds.', match: 'exact' }],
    acceptance: [{ id: 'FR-008.AC1', given: 'a card', when: 'it is shown and it is known', then: 'the door opens' }]
  }, { id: 'FR-007', title: 'Closing', level: 'SHOULD' }])
  const next = openspec.replace('2 seconds', '1 second').replace(/### Requirement: FR-007[^]*/, '')
  await post(`${path}/inputs`, {
    kind: 'spec', layout: 'openspec', files: [{ path: 'openspec/specs/doors/spec.md', text: next }]
  })
  const { spec: second } = await generate(app, path, { mode: 'import' })
  t.match(active(second).map(({ id, statement }) => [id, statement]),
    [['FR-008', 'The door SHALL open within 1 second.'], ['FR-007', 'The door SHOULD close by itself.']])
})

t.test('files that spec-kit and Kiro wrote can be imported', async (t) => {
  const kit = '# Feature Specification: Doors\n\n## User Scenarios & Testing\n\n' +
    '### User Story 1 - Open it (Priority: P1)\n\n' +
    'As a visitor, I want to open the door, so that I get in.\n\n**Independent Test**: Show a card.\n\n' +
    '**Acceptance Scenarios**:\n\n1. **Given** a card, **When** it is shown, **Then** the door opens\n\n' +
    '## Requirements\n\n### Functional Requirements\n\n- **FR-003**: System MUST open the door.\n' +
    '- **FR-004**: [NEEDS CLARIFICATION: Who closes it?]\n\n## Success Criteria\n\n- **SC-001**: Nine of ten get in.\n'
  const { spec } = await take('spec-kit', [{ path: 'specs/001-doors/spec.md', text: kit }])
  t.match(spec.document, {
    stories: [{
      id: 'US-1',
      role: 'visitor',
      want: 'open the door',
      so_that: 'I get in',
      priority: 'P1',
      independent_test: 'Show a card.',
      acceptance: [{ given: 'a card', when: 'it is shown', then: 'the door opens' }]
    }],
    requirements: [{ id: 'FR-003', statement: 'System MUST open the door.' }],
    open_questions: [{ question: 'Who closes it?' }],
    success_criteria: [{ metric: 'Nine of ten get in.' }]
  })
  const kiro = '# Requirements Document\n\n## Introduction\n\nDoors.\n\n## Requirements\n\n### Requirement 1\n\n' +
    '**User Story:** As a visitor, I want doors, so that I get in.\n\n#### Acceptance Criteria\n\n' +
    '1. WHEN a card is shown THEN the system SHALL open the door\n2. IF it is unknown THEN the system SHALL beep\n'
  const { spec: made } = await take('kiro', [{ path: '.kiro/specs/doors/requirements.md', text: kiro }])
  t.match(active(made), [{
    id: 'FR-001',
    statement: 'WHEN a card is shown THEN the system SHALL open the door',
    acceptance: [{ when: 'a card is shown' }, { when: 'it is unknown', then: 'the system SHALL beep' }]
  }])
})

t.test('invalid imports are refused and change nothing', async (t) => {
  const { path } = await makeSession(app, 'Doors must open.')
  const before = await json(path)
  const files = [{ path: 'spec.md', text: 'x' }]
  for (const wrong of [{}, { files }, { files, layout: 'kiro', version: 1 }, { layout: 'kiro' },
    { session_id: path.split('/')[2], files, layout: 'kiro' }, { files, layout: 'word' },
    { files: [], layout: 'kiro' }, { files: Array.from({ length: 51 }, () => files[0]), layout: 'kiro' }]) {
    t.match((await post(`${path}/inputs`, { inputs: [{ kind: 'spec', ...wrong }] })).json(),
      { status: 400, code: 'invalid_request' }, JSON.stringify(wrong).slice(0, 80))
  }
  t.same(await json(path), before)
  t.match((await post(`${path}/generate`, { mode: 'import' })).json(), { status: 422, code: 'no_usable_inputs' })
  t.match((await post(`${path}/generate`, { mode: 'import', engine: 'model' })).json().status, 422)
  const notes = [{ path: 'notes.md', text: '- **FR-001**: x' }]
  await post(`${path}/inputs`, { kind: 'spec', layout: 'openspec', files: notes })
  const { generation } = await generate(app, path, { mode: 'import' })
  t.match(generation, { status: 'failed', error: { code: 'nothing_to_import' }, result_version: null })
})
