import t from '../../../../test/tap.js'
import { brief } from './brief.js'
import { compile, inputId, session, source } from './material.js'

const statements = (text: string, locale = 'en') =>
  compile(text, { session: session({ locale }) }).requirements.map(({ statement, pattern }) => [statement, pattern])

t.test('every requirement of a compiled spec is a sentence of the brief', async (t) => {
  const document = compile(brief, { session: session({ profile: 'standard' }) })
  t.same(document.requirements.map(({ id, statement }) => [id, statement]), [
    ['FR-001', 'THE SYSTEM SHALL allow a customer to open the locker with a code.'],
    ['QR-001', 'THE SYSTEM SHALL send a pickup code to the customer within 30 seconds after the courier closes the ' +
      'door.'],
    ['FR-002', 'WHEN a customer enters a wrong code five times, the locker SHALL refuse further codes for 10 minutes.'],
    ['FR-003', 'IF the locker loses its network connection, THEN the locker SHALL accept codes that it received ' +
      'before.'],
    ['FR-004', 'THE SYSTEM SHALL allow customers to extend the pickup period once by 48 hours.'],
    ['FR-005', 'Operators SHOULD see the state of every locker.'],
    ['FR-006', 'THE SYSTEM SHALL keep the log of openings for 90 days.'],
    ['QR-002', 'The pickup page must load within 2 seconds and the courier must be able to see it.'],
    ['QR-003', 'The customer page SHALL meet WCAG 2.2 level AA.'],
    ['FR-007', 'THE SYSTEM SHALL show the number of free doors to couriers.'],
    ['QR-004', 'THE SYSTEM SHALL encrypt all codes where possible.']
  ])
  for (const { citations } of document.requirements) {
    t.ok(citations.length > 0)
    for (const { quote, char_start, char_end, match } of citations) {
      t.same([brief.slice(char_start, char_end), match], [quote, 'exact'])
    }
  }
  t.same(document.uncovered, [])
  t.same(document.counters, { US: 1, FR: 7, QR: 4, SC: 2, A: 1, Q: 3 })
})

t.test('sections, actors, entities and measures are read from their sections of the input', async (t) => {
  const document = compile(brief, { session: session({ profile: 'standard' }) })
  t.match(document, {
    schema: 'pse.spec/1',
    summary: 'Larkspur Post wants lockers at forty petrol stations, so that customers can collect parcels at any hour.',
    problem: /^Couriers must come back .* costs 4\.20 EUR\.$/,
    goals: ['Customers collect parcels when it suits them.', 'Couriers finish their round in one pass.'],
    non_goals: ['Payment on delivery.', 'Returns of parcels.'],
    actors: [{ name: 'Customer', description: 'collects a parcel' }, { name: 'Courier' }, { name: 'Operator' }],
    entities: [{ name: 'Data', fields: [{ name: 'code', type: 'text', description: 'six digits' }, { name: 'door' }] }],
    success_criteria: [{ id: 'SC-001', target: 'At least 95', unit: '%' }, { target: '', unit: '' }],
    assumptions: [{ id: 'A-1', text: 'Petrol stations provide power.' }],
    stories: [{ id: 'US-1', role: 'a customer', want: 'open the locker with a code', so_that: 'I need no app' }]
  })
  t.equal(document.problem.split('. ').length, 2)
})

t.test('the document names the template engine and its limits', async (t) => {
  t.match(compile('The system must run.').engine, {
    name: 'template',
    version: 'template/1',
    model: null,
    capabilities: { infers: false, rewrites: 'mechanical' },
    notice: /without a language model.*Nothing was inferred/
  })
})

t.test('the same inputs give the same bytes', async (t) => {
  const inputs = () => [source(brief), source('The system must run.', { seq: 2 })]
  const once = JSON.stringify(compile(inputs()))
  t.equal(JSON.stringify(compile(inputs())), once)
  t.equal(JSON.stringify(compile(inputs().reverse())), once, 'the order is that of the inputs, not of the list')
  t.not(JSON.stringify(compile(brief)), once)
})

t.test('a sentence is rewritten only where that is mechanical', async (t) => {
  t.same(statements('When a door opens, the system must log it.'),
    [['WHEN a door opens, THE SYSTEM SHALL log it.', 'event']])
  t.same(statements('If a door jams, the locker should stop.'),
    [['IF a door jams, THEN the locker SHOULD stop.', 'unwanted']])
  t.same(statements('While it rains, the locker must heat.'), [['WHILE it rains, the locker SHALL heat.', 'state']])
  t.same(statements('Where a screen is fitted, the locker must show the time.'),
    [['WHERE a screen is fitted, the locker SHALL show the time.', 'optional']])
  t.same(statements('As a courier, I wish to pay.'), [['THE SYSTEM SHALL allow a courier to pay.', 'ubiquitous']])
  t.same(statements('Users must be able to pay.'), [['THE SYSTEM SHALL allow users to pay.', 'ubiquitous']])
  t.same(statements('Users must not be able to pay twice.'),
    [['THE SYSTEM SHALL NOT allow users to pay twice.', 'ubiquitous']])
  t.same(statements('The system shall not sleep.'), [['THE SYSTEM SHALL NOT sleep.', 'ubiquitous']])
  const free = ['After payment, the door must open.', 'Doors must open and lights must go on.',
    'Only staff, as a rule, must enter.', 'There must be light.']
  for (const sentence of free) t.same(statements(sentence), [[sentence, 'free']])
  t.same(statements('# Features\n\n- Users can pay\n- Dark mode for screens'),
    [['THE SYSTEM SHALL allow users to pay.', 'ubiquitous'], ['Dark mode for screens', 'free']])
  t.same(statements('Das System muss Pakete annehmen.', 'de'), [['Das System MUSS Pakete annehmen.', 'free']])
})

t.test('gaps become questions; those beyond ten are folded into the tenth', async (t) => {
  const { open_questions: questions } = compile('The limit must be TBD.\n\nWho pays?')
  t.match(questions, [
    { id: 'Q-1', question: 'What is left open in “The limit must be TBD.”?', blocking: true, about: 'placeholder' },
    { question: 'Who pays?', blocking: false },
    ...['scope', 'roles', 'errors', 'security'].map((key) => ({ about: `taxonomy:${key}` }))
  ])
  const many = compile(Array.from({ length: 30 }, (_, at) => `Is there a reason ${at}?`).join('\n\n')).open_questions
  t.equal(many.length, 10)
  t.match(many[9], { question: /^25 more questions are open: / })
  t.match(compile('The system must run.').open_questions[0], { question: 'How will FR-001 be verified?' })
})

t.test('scenarios become criteria of their requirement; a repeated sentence is one requirement', async (t) => {
  const { requirements, open_questions: questions } = compile([
    '# Rules', '- The door must open.', '- The lamp must go on.', '', '## Acceptance', '',
    '- Given a closed door, when a code is entered, then the door will open.', '- Given a cat, then it is fed.'
  ].join('\n'))
  t.same(requirements.map(({ acceptance }) => acceptance), [[{
    id: 'FR-001.AC1', given: 'a closed door', when: 'a code is entered', then: 'the door will open'
  }], []])
  t.ok(questions.some(({ about, question }) => about === 'scenario' && question.includes('Given a cat')))
  const twice = compile([source('The door must open.'), source('The **door** must open.', { seq: 2 })]).requirements
  t.same(twice.map(({ citations }) => citations.map(({ input_id }) => input_id)), [[inputId(1), inputId(2)]])
})

t.test('the limit of requirements keeps the strongest levels; other sentences are uncovered', async (t) => {
  const text = 'Doors may sing.\n\nDoors should close.\n\nDoors must open.\n\nDoors must lock.'
  const { requirements, uncovered } = compile(`# Features\n\n${text}`, { session: session({ max_requirements: 3 }) })
  t.same(requirements.map(({ level }) => level), ['SHOULD', 'MUST', 'MUST'])
  t.match(uncovered, [{ quote: 'Doors may sing.', why: /as many requirements as it may have/ }])
})

t.test('ids are stable and never reused', async (t) => {
  const first = compile('Doors must open.\n\nLamps must glow at night.')
  const answer = source('Nobody.', { seq: 3, kind: 'answer', about: { question_id: 'Q-1' } })
  const second = compile([source('Lamps must glow dimly at night.\n\nBells must ring.', { seq: 2 }), answer],
    { base: first, version: 2 })
  t.same(second.requirements.map(({ id, since_version: since }) => [id, since]), [['FR-002', 1], ['FR-003', 2]])
  t.match(second.open_questions[0], { id: 'Q-1', status: 'answered', answer_input_id: inputId(3) })
  t.equal(second.open_questions.filter(({ id }) => id === 'Q-1').length, 1)
  const decision = source('Q-2 is settled: nothing is out of scope.', { seq: 4, kind: 'decision' })
  const third = compile([source('Doors must open.'), decision], { base: second, version: 3 })
  t.match(third, {
    decisions: [{ id: 'D-1', input_id: inputId(4) }], assumptions: [{ id: 'A-1', confirmed_by_input: inputId(4) }]
  })
  t.match(third.open_questions.find(({ id }) => id === 'Q-2'), { status: 'dismissed' })
  t.same(third.requirements.map(({ id }) => id), ['FR-004'], 'FR-001 was used before')
})

t.test('an OpenAPI document gives interfaces and entities; data formats have no sentences', async (t) => {
  const api = {
    openapi: '3.1.0',
    paths: { '/doors': { get: { summary: 'List doors' }, parameters: [] } },
    components: { schemas: { Door: { properties: { number: { type: 'integer', description: 'must be set' } } } } }
  }
  const document = compile([source(JSON.stringify(api), { media_type: 'application/json' })])
  t.match(document.interfaces, [{ name: 'GET /doors', description: 'List doors', citations: [{ quote: '"/doors"' }] }])
  t.match(document.entities, [{ name: 'Door', fields: [{ name: 'number', type: 'integer' }] }])
  t.same(document.requirements, [])
  t.same(compile([source('{"a":', { media_type: 'application/json' })]).interfaces, [])
})

t.test('an attached template defines sections', async (t) => {
  const template = {
    standard_id: inputId(9),
    key: 'house',
    version: 1,
    title: 'House',
    kind: 'template' as const,
    body_markdown: '# Document\n\n## Goals\n\n## Roll-out\n',
    rules: []
  }
  const { sections } = compile('# Idea\n\n## Roll-out\n\nOne city first.', { standards: [template] })
  t.match(sections, [
    { key: 'document', text: '' }, { key: 'roll-out', title: 'Roll-out', text: 'One city first.', citations: [{}] }
  ])
})

t.test('answers are material; superseded inputs and feedback are not', async (t) => {
  const { requirements } = compile([
    source('Doors must open.', { superseded: true }),
    source('Doors must sing.', { seq: 2, kind: 'feedback' }),
    source('Doors must lock.', { seq: 3, kind: 'answer', about: { question_id: 'Q-9' } })
  ])
  t.same(requirements.map(({ statement }) => statement), ['Doors SHALL lock.'])
})

t.test('a story is titled by what is wanted', async (t) => {
  t.match(compile('As a data engineer or developer, I want a tool that reads old code.').requirements,
    [{ title: 'A tool that reads old code' }])
})

const invoices = `Epic: Invoices

As a finance admin I want to download all invoices as one PDF.
Acceptance criteria:
- the PDF is sorted by invoice number

As a customer I want to see why a payment failed.

AC:
- the link is valid for 7 days

Tom told us about reminders too, but that is for the autumn.
`

t.test('what a story is accepted by is a requirement of that story, up to the end of its list', async (t) => {
  const { requirements, stories } = compile(invoices, { session: session() })
  t.same(stories.map(({ id }) => id), ['US-1', 'US-2'])
  t.same(requirements.map(({ title, statement, story_ids: of }) => [title, statement, of]), [
    ['Download all invoices as one PDF', 'THE SYSTEM SHALL allow a finance admin to download all invoices as one PDF.',
      ['US-1']],
    ['The PDF is sorted by invoice number', 'the PDF is sorted by invoice number', ['US-1']],
    ['See why a payment failed', 'THE SYSTEM SHALL allow a customer to see why a payment failed.', ['US-2']],
    ['The link is valid for 7 days', 'the link is valid for 7 days', ['US-2']]
  ])
})

t.test('the priority that a source gives in a heading or a column is the requirement\'s', async (t) => {
  const priorities = (text: string) =>
    compile(text, { session: session() }).requirements.map(({ statement, priority }) => [statement, priority])
  t.same(priorities('## Requirements\n\n### P0\n\n- Doors must open.\n\n### P1\n\n- Lamps must glow.\n\n### P2\n\n' +
    '- Bells must ring.\n'), [
    ['Doors SHALL open.', 'P1'], ['Lamps SHALL glow.', 'P2'], ['Bells SHALL ring.', 'P3']
  ])
  t.same(priorities('# Must have\n\n- Doors must open.\n\n# Could have\n\n- Lamps must glow.\n'), [
    ['Doors SHALL open.', 'P1'], ['Lamps SHALL glow.', 'P3']
  ])
  t.same(priorities('| ID | Requirement | Priority |\n|---|---|---|\n| R-1 | Doors must open. | Low |\n' +
    '| R-2 | Lamps must glow. | High |\n'), [
    ['Doors SHALL open.', 'P3'], ['Lamps SHALL glow.', 'P1']
  ])
  t.same(priorities('## High availability\n\n- Doors should open.\n\n## Nice to have\n\n- Lamps must glow.\n'), [
    ['Doors SHOULD open.', 'P2'], ['Lamps SHALL glow.', 'P3']
  ])
})

t.test('a row of a table of metrics is one criterion, with what stands in the column of targets', async (t) => {
  const { success_criteria: criteria } = compile('## Metrics\n\n| Metric | Now | Target |\n|---|---|---|\n' +
    '| Tickets a month | 340 | < 70 |\n| Completion rate | n/a | ≥ 85% |\n', { session: session() })
  t.match(criteria, [
    { metric: 'Tickets a month', target: '< 70', unit: '' }, { metric: 'Completion rate', target: '≥ 85', unit: '%' }
  ])
  t.equal(criteria.length, 2)
})

t.test('a question in quotation marks cuts no sentence, and what is said beside a question is none', async (t) => {
  t.same(statements('## Requirements\n\n- "Forgot password?" link on the sign-in page.\n'), [
    ['"Forgot password?" link on the sign-in page.', 'free']
  ])
  const asked = '## Open questions\n\n- Do we end tokens too? (Sam thinks yes, Ann no)\n'
  const { open_questions: questions } = compile(asked, { session: session() })
  t.match(questions.map(({ question }) => question).filter((question) => /tokens|Sam/.test(question)),
    ['Do we end tokens too?'])
})

t.test('German aims that are none are no goals, and a question below a heading is asked without it', async (t) => {
  const text = '# Lastenheft\n\n## 2 Ziele\n\n- Weniger Anrufe\n\n## 4 Nicht-Ziele\n\n- Abrechnung\n\n' +
    '## 6 Offene Punkte\n\n- Dürfen Minderjährige selbst buchen?\n'
  const { goals, non_goals, open_questions: questions } = compile(text, { session: session({ locale: 'de' }) })
  t.same([goals, non_goals], [['Weniger Anrufe'], ['Abrechnung']])
  t.equal(questions[0]?.question, 'Dürfen Minderjährige selbst buchen?')
})
