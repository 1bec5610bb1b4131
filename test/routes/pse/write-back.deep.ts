import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, generate } from './actors.js'
import { makeProject, type File } from './openspec-project.js'

const app = await workspace(t)
const { post, json } = actor(app)

const take = async (layout: string, given: Record<string, string>, title = 'Another title') => {
  const files = Object.entries(given).map(([path, text]) => ({ path, text }))
  const made = await post('/sessions', { title, inputs: [{ kind: 'spec', layout, files }] })
  if (made.statusCode !== 201) throw new Error(made.payload)
  const session = `/sessions/${made.json().session_id}`
  const { spec } = await generate(app, session, { mode: 'import', engine: 'auto' })
  const written = async (query = ''): Promise<Record<string, string>> => {
    const { files: all } = await json(`${session}/files?layout=${layout}${query}`) as { files: File[] }
    return Object.fromEntries(all.map(({ path, content }) => [path, content]))
  }
  const edit = async (version: number, ...ops: object[]) => {
    const answer = await post(`${session}/inputs`, { kind: 'edit', base_version: version, ops })
    if (answer.statusCode !== 201) throw new Error(answer.payload)
  }
  return { session, spec, written, edit }
}
const replace = (target: string, value: unknown) => ({ op: 'replace', target, value })

const kit = `# Feature Specification: Lamps

**Feature Branch**: \`007-lamps\`
**Input**: User description: "lamps"

<!--
  ACTION REQUIRED: fill it in
-->

## User Scenarios & Testing *(mandatory)*

### User Story 1 - Light the yard (Priority: P2)

A guard lights the yard
from the gate.

**Why this priority**: It is
dark.

**Independent Test**: Press it.

**Acceptance Scenarios**:

1. **Given** night, **When** the button is pressed, **Then** 4 lamps glow
2. **Given** day, **When** the button is pressed, **Then** no lamp glows

---

### Edge Cases

- What happens when a lamp breaks?

## Requirements *(mandatory)*

### Functional Requirements

- **FR-001**: System MUST light every lamp
  within 1 s.
  - The lamp MUST glow for 20 min.
- **FR-001b**: System MUST save power.
- **FR-002**: System MUST say who lit it by [NEEDS CLARIFICATION: name or badge?]
- **NFR-010**: A lamp MUST last 5 years.

### Key Entities *(include if feature involves data)*

- **Lamp**: gives light
- **Guard**: presses

## Success Criteria *(mandatory)*

### Measurable Outcomes

- **SC-004**: 9 of 10 guards find it

## Assumptions

- The yard has power

| a | table |
|---|-------|
| that | nobody reads |
`
const kitPath = 'specs/007-lamps/spec.md'

t.test('a spec of spec-kit keeps each line with its id, and what it leaves open blocks', async (t) => {
  const { spec } = await take('spec-kit', { [kitPath]: kit })
  const { document, checks } = spec
  t.match(document.requirements, [
    { id: 'FR-001', statement: 'System MUST light every lamp within 1 s.\n- The lamp MUST glow for 20 min.' },
    { id: 'FR-001b', source_ids: ['FR-001b'], statement: 'System MUST save power.' },
    { id: 'FR-002', statement: 'System MUST say who lit it by [NEEDS CLARIFICATION: name or badge?]' },
    { id: 'NFR-010', kind: 'quality', statement: 'A lamp MUST last 5 years.' }
  ])
  t.match(document.stories, [{
    title: 'Light the yard',
    sentence: 'A guard lights the yard from the gate.',
    independent_test: 'Press it.',
    acceptance: [{ given: 'night', when: 'the button is pressed', then: '4 lamps glow' }, { given: 'day' }]
  }])
  t.match(document.open_questions, [{ question: 'name or badge?', about: 'FR-002', blocking: true }])
  t.match(document.entities, [{ name: 'Lamp', description: 'gives light' }, { name: 'Guard', description: 'presses' }])
  t.match(document.success_criteria, [{ id: 'SC-004', metric: '9 of 10 guards find it' }])
  t.match(document.assumptions, [{ text: 'The yard has power' }])
  const line = kit.slice(0, kit.indexOf('- **FR-001**')).split('\n').length
  t.equal(document.requirements[0].citations[0].location, `${kitPath} › line ${line}`)
  t.match(checks, { counts: { error: 0 }, coverage: { undecided: 0 } })
})

t.test('what was imported and not touched is written back as the same text, with its comments and line ends', async (t) => {
  const kiro = `# Requirements Document\r\n\r
## Glossary\r\n\r\n- **Lamp**: gives light\r\n\r\n## Requirements\r\n\r
### Requirement 3.1: Light\r\n\r\n**User Story:** As a guard, I want light, so that I see.\r\n\r\n#### Acceptance Criteria\r\n\r
1. IF it is night, THEN THE Lamp SHALL glow\r\n   and hum\r\n2. THE Lamp SHALL last\r\n`
  const main = `# lamps\n\n## Purpose\nLamps.   \n\n\n## Requirements\n### Requirement: Light\nThe lamp SHALL glow.
<!-- a note -->\n#### Scenario: Night\n* **WHEN** it is night\n* **THEN** it glows\n`
  for (const [layout, files] of [
    ['spec-kit', { [kitPath]: kit, 'specs/007-lamps/plan.md': '# Plan\n' }],
    ['kiro', { '.kiro/specs/lamps/requirements.md': kiro, '.kiro/specs/lamps/design.md': '# Design\n\nTBD' }],
    ['openspec', { 'openspec/specs/lamps/spec.md': main }]
  ] as const) {
    const { written } = await take(layout, files)
    t.same(await written(), files, layout)
  }
})

t.test('only what a person has edited is written anew, at its place', async (t) => {
  const { written, edit } = await take('spec-kit', { [kitPath]: kit })
  await edit(1,
    replace('FR-001b', { statement: 'System MUST save half of the power.' }),
    { op: 'retire', target: 'NFR-010', value: 'It is too long.' },
    { op: 'add', target: 'requirements', value: { title: 'Hum', statement: 'System MUST NOT hum.' } },
    replace('US-1', {
      acceptance: [{ given: 'night', when: 'the button is pressed', then: '5 lamps glow' },
        { given: 'day', when: 'the button is pressed', then: 'no lamp glows' }]
    }),
    replace('sections.edge_cases', ['What happens when a lamp breaks?', 'What happens in rain?']))
  t.same(await written(), {
    [kitPath]: kit
      .replace('MUST save power.', 'MUST save half of the power.')
      .replace('- **NFR-010**: A lamp MUST last 5 years.\n', '- **FR-003**: System MUST NOT hum.\n')
      .replace('**Then** 4 lamps', '**Then** 5 lamps')
      .replace('lamp breaks?\n', 'lamp breaks?\n- What happens in rain?\n')
  })
})

t.test('Kiro\'s stories, numbers and criteria stay, and an edited criterion changes its line alone', async (t) => {
  const path = '.kiro/specs/lamps/requirements.md'
  const text = `# Requirements Document\n\n## Requirements\n\n### Requirement 1: Light\n
**User Story:** As a guard, I want light, so that I see.\n\n#### Acceptance Criteria\n
1. IF it is night, THEN THE Lamp SHALL glow\n2. THE Lamp SHALL last\n\n### Requirement 1.2\n
#### Acceptance Criteria\n\n1. THE Lamp SHALL hum\n`
  const { spec: { document, checks }, written, edit } = await take('kiro', { [path]: text })
  t.match(document.requirements, [
    { source_ids: ['1'], title: 'Light', acceptance: { length: 2 } }, { source_ids: ['1.2'], acceptance: { length: 1 } }
  ])
  t.match(document.stories, [{ sentence: 'As a guard, I want light, so that I see.', want: 'light' }])
  t.match(checks, { verdict: 'pass', coverage: { undecided: 0 } })
  const [{ id, acceptance }] = document.requirements
  await edit(1, replace(id, { acceptance: [acceptance[0], { ...acceptance[1], then: 'THE Lamp SHALL last 5 years' }] }))
  await edit(2, replace(id, { statement: 'IF it is dark, THEN THE Lamp SHALL glow' }))
  t.same(await written(), { [path]: text.replace('SHALL last', 'SHALL last 5 years').replace('IF it is night', 'IF it is dark') })
})

const main = `# lamps Specification

## Purpose
Says how the lamps of a yard are lit, for guards and for visitors alike, at every hour of the night.

## Requirements

### Requirement: Light by button
The lamp SHALL glow after a guard has pressed the button.
It SHALL glow
- for 20 minutes, and
- until it is day.

\`\`\`text
### Requirement: Not one
The text SHALL be ignored.
\`\`\`

#### Scenario: Night
- **GIVEN** night
- **WHEN** the button is pressed
- **AND** the lamp is whole
- **THEN** it glows

#### Scenario: Day
- **WHEN** the button is pressed by day
- **THEN** nothing glows

### Requirement: Logging
The lamp SHALL log each use.

#### Scenario: Use
- **WHEN** a lamp glows
- **THEN** the log has its time
`

t.test('a changed sentence of a main spec is a delta of that spec, which OpenSpec archives', async (t) => {
  const project = makeProject(t)
  const path = 'openspec/specs/lamps/spec.md'
  const { spec: { document }, written, edit } = await take('openspec', { [path]: main }, 'Quite another title')
  t.match(document.requirements.map((one: { source_ids?: string[] }) => one.source_ids), [undefined, undefined])
  const logging = document.requirements[1].id
  await edit(1, replace(logging, { statement: 'The lamp SHALL log each use with its guard.' }))
  const files = await written('&from=1')
  const delta = 'openspec/changes/update-lamps-since-1/specs/lamps/spec.md'
  t.equal(files[delta], `## MODIFIED Requirements

### Requirement: Logging

The lamp SHALL log each use with its guard.

#### Scenario: Use
- **WHEN** a lamp glows
- **THEN** the log has its time
`)
  project.write([{ path, content: main }, ...Object.entries(files).map(([at, content]) => ({ path: at, content }))])
  t.match(await project.validate('update-lamps-since-1'), [{ valid: true, issues: [] }])
  t.match(await project.archive('update-lamps-since-1'), /archived as/)
  const now = project.read(path)
  t.match(now, 'The lamp SHALL log each use with its guard.')
  t.match(now, /### Requirement: Light by button\nThe lamp SHALL glow after [^]*#### Scenario: Day/, 'the other stays')
})

t.test('a requirement with a fence and an aside is modified with both, and a new one is named as its neighbours', async (t) => {
  const project = makeProject(t)
  const path = 'openspec/specs/lamps/spec.md'
  const { spec: { document }, written, edit } = await take('openspec', { [path]: main })
  const light = document.requirements[0]
  const acceptance = light.acceptance.map((one: { name: string }) =>
    one.name === 'Day' ? { ...one, then: 'no lamp glows' } : one)
  await edit(1, replace(light.id, { acceptance }),
    { op: 'add', target: 'requirements', value: { title: 'Hum', statement: 'The lamp SHALL NOT hum.' } })
  const files = await written('&from=1')
  const delta = files['openspec/changes/update-lamps-since-1/specs/lamps/spec.md'] ?? ''
  t.match(delta, '### Requirement: Light by button')
  t.match(delta, '```text\n### Requirement: Not one\n')
  t.match(delta, '- **AND** the lamp is whole\n- **THEN** it glows\n')
  t.match(delta, '- **THEN** no lamp glows')
  t.match(delta, '### Requirement: Hum\n')
  project.write([{ path, content: main }, ...Object.entries(files).map(([at, content]) => ({ path: at, content }))])
  t.match(await project.archive('update-lamps-since-1'), /archived as/)
})

t.test('a purpose, goals, non-goals and questions of any length come whole, from a spec and from a change', async (t) => {
  const list = (word: string, count: number) => Array.from({ length: count }, (_, at) => `- ${word} ${at + 1}`).join('\n')
  const purpose = Array.from({ length: 400 }, (_, at) => `Word${at + 1} of it.`).join(' ')
  const text = `# Lamps\n\n## Purpose\n\n${purpose}\n\n## Goals\n\n${list('Goal', 140)}\n\n## Non-goals\n\n${list('Not', 20)}
\n## Open questions\n\n${list('What', 14)}\n\n## Requirements\n\n### Requirement: Light\nThe lamp SHALL glow.\n
#### Scenario: Night\n- **WHEN** it is night\n- **THEN** it glows\n`
  for (const path of ['openspec/specs/lamps/spec.md', 'openspec/changes/lamps/design.md']) {
    const { spec: { document } } = await take('openspec', { [path]: text })
    t.same([document.summary, document.goals.length, document.non_goals.length, document.open_questions.length],
      [purpose, 140, 20, 14], path)
  }
  const design = '# Design\n\n## Context\n\nIt is dark.\n\n## Goals / Non-Goals\n\n**Goals:**\n- Light\n\n**Non-Goals:**\n- Heat\n'
  const { spec: { document } } = await take('openspec', {
    'openspec/changes/lamps/design.md': design, 'openspec/changes/lamps/specs/lamps/spec.md': main
  })
  t.match(document, { problem: 'It is dark.', goals: ['Light'], non_goals: ['Heat'] })
})
