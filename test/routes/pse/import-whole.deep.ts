import t from '../../tap.js'
import { workspace } from '../../app.js'
import { actor, generate } from './actors.js'

const app = await workspace(t)
const { post, json } = actor(app)

interface Item { title: string, statement: string, source_ids?: string[], acceptance: { name?: string }[] }
const take = async (layout: string, path: string, text: string) => {
  const made = await post('/sessions', { title: 'Gates', inputs: [{ kind: 'spec', layout, files: [{ path, text }] }] })
  const session = `/sessions/${made.json().session_id}`
  const { spec } = await generate(app, session, { mode: 'import', engine: 'auto' })
  const files = async (to: string) => (await json(`${session}/files?layout=${to}`)).files as { path: string, content: string }[]
  return { requirements: spec.document.requirements as Item[], document: spec.document, files }
}

t.test('an OpenSpec requirement keeps its lines, every scenario with its name, and nothing of a fence or an aside', async (t) => {
  const scenarios = Array.from({ length: 12 }, (_, at) => `#### Scenario: Visitor ${at + 1}
- **WHEN** visitor ${at + 1} rings
- **THEN** the gate opens`)
  const text = `# gates

## Purpose
Gates of a yard.

## Requirements
### Requirement: Opening
The gate SHALL open to visitors.
It SHALL log each of them
and keep the log.

${scenarios.join('\n\n')}

#### Edge case
- **WHEN** nobody rings
- **THEN** nothing happens

\`\`\`md
### Requirement: Not one
The text SHALL be ignored.
\`\`\`
`
  const { requirements, files } = await take('openspec', 'openspec/specs/gates/spec.md', text)
  t.same(requirements.map(({ title, statement }) => [title, statement]),
    [['Opening', 'The gate SHALL open to visitors. It SHALL log each of them and keep the log.']])
  t.same(requirements[0]?.acceptance.map(({ name }) => name), Array.from({ length: 12 }, (_, at) => `Visitor ${at + 1}`))
  const exported = (await files('openspec')).map(({ content }) => content).join('\n')
  t.match(exported, '#### Scenario: Visitor 12')
})

t.test('Kiro\'s requirements keep numbers with points, stories, all criteria, and these are exported as they came', async (t) => {
  const criteria = ['WHEN a visitor rings, THE Gate SHALL open', 'IF the ring is too long, THEN THE Gate SHALL stay shut\n   and say so',
    ...Array.from({ length: 9 }, (_, at) => `THE Gate SHALL do ${at + 3}`)]
  const text = `# Requirements Document

## Requirements

### Requirement 1: Opening

**User Story:** As a visitor, I want to enter, so that I can deliver.

#### Acceptance Criteria

${criteria.map((one, at) => `${at + 1}. ${one}`).join('\n')}

### Requirement 1.1: Light

#### Acceptance Criteria

1. WHILE the gate is open, THE Gate SHALL glow
`
  const { requirements, document, files } = await take('kiro', '.kiro/specs/gates/requirements.md', text)
  t.same(requirements.map(({ title, source_ids: ids, acceptance }) => [title, ids, acceptance.length]),
    [['Opening', ['1'], 11], ['Light', ['1.1'], 1]])
  t.match(document.stories, [{ role: 'visitor', want: 'enter', so_that: 'I can deliver' }])
  const exported = (await files('kiro')).find(({ path }) => path.endsWith('requirements.md'))?.content ?? ''
  t.equal(exported, text)
})

t.test('goals, non-goals and questions are imported without a limit of a few', async (t) => {
  const list = (word: string, count: number) => Array.from({ length: count }, (_, at) => `- ${word} ${at + 1}`).join('\n')
  const text = `# Gates\n\n## Goals\n${list('Goal', 14)}\n\n## Non-Goals\n${list('Not', 20)}\n\n## Open questions\n${list('What', 14)}\n
## Requirements\n### Requirement: Opening\nThe gate SHALL open.\n\n#### Scenario: Ring\n- **WHEN** it rings\n- **THEN** it opens\n`
  const { document } = await take('openspec', 'openspec/specs/gates/spec.md', text)
  t.same([document.goals.length, document.non_goals.length, document.open_questions.length], [14, 20, 14])
})
