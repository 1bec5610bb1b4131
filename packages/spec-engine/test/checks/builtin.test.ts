import t from '../../../../test/tap.js'
import type { Question, Requirement, SpecDocument } from 'steward-spec-engine/schemas'
import { builtinRules } from '../../src/checks/check-document.js'
import { source, settings } from '../engine/material.js'
import { check, document, input, requirement, summarize, story } from './documents.js'

const of = (statement: string, more: Partial<Requirement> = {}, context: Partial<SpecDocument> = {}) =>
  summarize(check({ requirements: [requirement({ statement, origin: 'human', ...more })], ...context }))

t.test('a good document has no findings', async (t) => {
  t.match(check(), {
    engine_version: 'checks/4',
    verdict: 'pass',
    counts: { error: 0, warn: 0, info: 0 },
    findings: [],
    findings_omitted: 0,
    standards: [],
    coverage: { requirements_cited_pct: 100, sentences: 1, taken: 1, set_aside: 0, undecided: 0, decided_pct: 100 }
  })
  t.match(check().ruleset_hash, /^[0-9a-f]{64}$/)
  t.same(check({}), check({}))
})

t.test('the built-in rules have the documented ids', async (t) => {
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) =>
    `PSE${String(from + at).padStart(3, '0')}`)
  t.same(builtinRules.map(({ id }) => id), [...numbers(1, 5), ...numbers(101, 117), ...numbers(201, 202), ...numbers(204, 205),
    ...numbers(301, 305), ...numbers(307, 308), ...numbers(401, 407), 'PSE501'])
})

/** For each rule on statements: its id, its severity, statements with a finding, and similar ones without. */
const statements: [string, string, string[], string[]][] = [
  ['PSE101', 'warn', ['The door opens.', 'The door SHALL open and MUST close.'],
    ['The door SHALL NOT open.', 'THE SYSTEM MAY open the door.', 'The door must open.']],
  ['PSE102', 'info', ['After payment, the door SHALL open.', 'IF it rains, the door SHALL close.'],
    ['WHEN it rains, the door SHALL close.', 'IF it rains, THEN the door SHALL close.']],
  ['PSE103', 'warn', ['The door SHALL open. It SHALL close.', `The door SHALL ${'open '.repeat(40)}.`,
    `The door SHALL ${'unlock'.repeat(90)}.`], ['The door SHALL open e.g. at noon.']],
  ['PSE104', 'warn', ['The door SHALL open quickly.', 'The page SHALL be user-friendly.'],
    ['The door SHALL open fast, within 5 seconds.', 'The best-before date SHALL be shown by the door.']],
  ['PSE105', 'warn', ['The door SHALL open where possible.', 'The door SHALL open if necessary.'],
    ['WHERE a screen is fitted, the door SHALL open.']],
  ['PSE106', 'warn', ['The door SHALL show ads, news etc.',
    'The door SHALL, including but not limited to cats, open.'],
  ['The door SHALL etch its number.']],
  ['PSE107', 'warn', ['Users SHALL be able to pay.', 'The door SHALL be capable of singing.'],
    ['The door SHALL be stable.']],
  ['PSE108', 'warn', ['THE SYSTEM SHALL send a code and log the event.',
    'THE SYSTEM SHALL store it and then notify staff.'],
  ['THE SYSTEM SHALL send codes and receipts.', 'THE SYSTEM SHALL show the report and the export.']],
  ['PSE109', 'warn', ['The door SHALL open and/or sing.', 'The door SHALL show customers/couriers a code.'],
    ['The door SHALL speak TCP/IP.', 'The door SHALL send application/json.', 'The door SHALL move at 3 km/h.',
      'The door SHALL answer at https://a.example/b/c.', 'The door SHALL read src/lib/a.ts.']],
  ['PSE110', 'warn', ['It SHALL open.', 'WHEN it rains, they SHALL close.'], ['The door it guards SHALL open.']],
  ['PSE111', 'warn', ['The code SHALL be sent.', 'The door SHALL be quickly opened.'],
    ['The door SHALL be red.']],
  ['PSE112', 'warn', ['The door SHALL open within 30.', 'The door SHALL wait at least 5 to open.'],
    ['The door SHALL wait 5 to 10 minutes.', 'The page SHALL meet WCAG 2.2 level AA.', 'The door SHALL use TLS 1.3.',
      'The door SHALL show 5 codes.', 'The door SHALL answer status 404.', 'The door SHALL cost $5.',
      'The door SHALL open at 10:30.']],
  ['PSE116', 'warn', ['The door SHALL open immediately.', 'The door SHALL show real-time data.'],
    ['The door SHALL open at noon.']]
]

t.test('each statement rule finds bad statements and passes good ones', async (t) => {
  for (const [rule, severity, bad, good] of statements) {
    for (const statement of bad) {
      t.ok(of(statement).some(([id, level]) => id === rule && level === severity), `${rule}: ${statement}`)
    }
    for (const statement of good) t.notOk(of(statement).some(([id]) => id === rule), `not ${rule}: ${statement}`)
  }
})

t.test('rules that depend on kind, settings and glossary', async (t) => {
  const has = (found: [string, string, string][], rule: string) => found.filter(([id]) => id === rule)
  t.same(has(of('The door SHALL open quickly.', { kind: 'quality' }), 'PSE104'), [['PSE104', 'warn', 'FR-001']])
  t.same(has(of('The door SHALL open in haste.', { kind: 'quality' }), 'PSE113'), [['PSE113', 'warn', 'FR-001']])
  t.same(has(of('The door SHALL always open.'), 'PSE114'), [['PSE114', 'info', 'FR-001']])
  const free = { settings: settings({ implementation_free: true }) }
  t.same(has(of('The door SHALL write to Redis.', {}, free), 'PSE115'), [['PSE115', 'warn', 'FR-001']])
  t.same(has(of('The door SHALL write to Redis.'), 'PSE115'), [])
  t.same(has(of('The LMS SHALL open via the LMS.'), 'PSE117'), [['PSE117', 'warn', 'FR-001']])
  const glossary = [{ term: 'Locker management', definition: 'The thing', aliases: ['LMS'] }]
  t.same(has(of('The LMS SHALL open.', {}, { glossary }), 'PSE117'), [])
  const german = { settings: settings({ locale: 'de-CH' }) }
  t.same(of('Die Tür geht schnell auf.', {}, german), [['PSE101', 'warn', 'FR-001']])
  t.same(of('Die Tür MUSS aufgehen.', {}, german), [])
  const gherkin = { settings: settings({ notation: 'gherkin' }) }
  t.same(of('After payment, the door SHALL open.', {}, gherkin), [])
  const where = check({ requirements: [requirement({ statement: 'The door SHALL open soon.', origin: 'human' })] })
  t.match(where.findings[0], {
    rule_id: 'PSE116', quote: 'soon', span: { start: 20, end: 24 }, status: 'open', waiver_input_id: null
  })
})

t.test('rules on the whole document', async (t) => {
  t.same(summarize(check({
    summary: '',
    non_goals: [],
    sections: [{ key: 'roll-out', title: 'R', text: '', citations: [] }]
  })), [
    ['PSE001', 'info', 'sections.summary'], ['PSE001', 'info', 'sections.non_goals'],
    ['PSE001', 'info', 'sections.roll-out']
  ])
  t.same(summarize(check({ requirements: [] })).filter(([, level]) => level === 'error'),
    [['PSE001', 'error', 'sections.requirements']])
  t.same(summarize(check({ problem: 'word '.repeat(800) })), [['PSE002', 'info', 'document']])
  const many = Array.from({ length: 26 }, (_, at) => requirement({
    id: `FR-${100 + at}`,
    statement: `Door ${'abcdefghijklmnopqrstuvwxyz'.charAt(at)}${at}x SHALL open.`,
    origin: 'human'
  }))
  t.same(summarize(check({ requirements: many })).filter(([id]) => id === 'PSE003'), [['PSE003', 'info', 'document']])
  t.same(summarize(check({ requirements: [requirement(), requirement()] })).filter(([id]) => id === 'PSE004'),
    [['PSE004', 'error', 'FR-001'], ['PSE004', 'error', 'FR-001.AC1']])
  const base = document({ requirements: [requirement({ status: 'retired' })] })
  t.same(summarize(check({}, { base })), [['PSE004', 'error', 'FR-001']])
  t.same(summarize(check({
    goals: ['TBD', 'Open <door name> for all', 'A <b>bold</b> goal',
      'See [x](javascript:alert(1))']
  })), [
    ['PSE005', 'warn', 'sections.goals'], ['PSE005', 'warn', 'sections.goals'],
    ['PSE501', 'warn', 'sections.goals'], ['PSE501', 'warn', 'sections.goals'], ['PSE501', 'warn', 'sections.goals']
  ])
})

t.test('rules on acceptance criteria', async (t) => {
  t.same(of('The door SHALL open.', { acceptance: [] }), [['PSE201', 'info', 'FR-001']])
  t.same(of('The door SHALL open.', { acceptance: [{ id: 'FR-001.AC1', given: 'z', when: '', then: 'y' }] }),
    [['PSE202', 'warn', 'FR-001.AC1']])
  t.same(summarize(check({ stories: [story({ independent_test: '' }), story({ id: 'US-2' })] })),
    [['PSE204', 'info', 'US-1']])
  const success = (target: string, unit: string) =>
    summarize(check({ success_criteria: [{ id: 'SC-001', metric: 'Parcels', target, unit, citations: [] }] }))
  t.same([success('at least 95', '%'), success('many', '')], [[], [['PSE205', 'info', 'SC-001']]])
})

t.test('rules on evidence', async (t) => {
  t.same(summarize(check({ requirements: [requirement({ citations: [], statement: 'The lamp SHALL glow.' })] },
    { inputs: [] })), [['PSE301', 'error', 'FR-001']])
  t.same(summarize(check({
    settings: settings({ require_citations: false }),
    requirements: [requirement({ citations: [] })]
  },
  { inputs: [source('5 seconds', { kind: 'answer' })] })), [])
  const [cited] = requirement().citations
  if (!cited) throw new Error('The requirement has a citation')
  for (const wrong of [{ quote: 'The gate must open within 5 seconds.' }, { char_start: 1 }, { chunk_id: 'x#1' }]) {
    t.same(summarize(check({ requirements: [requirement({ citations: [cited, { ...cited, ...wrong }] })] })),
      [['PSE302', 'error', 'FR-001']])
  }
  t.same(summarize(check({}, { inputs: [{ ...input, superseded: true }] })), [['PSE303', 'warn', 'FR-001']])
  t.same(of('The door SHALL open within 9 seconds.', { origin: 'generated' }), [['PSE304', 'warn', 'FR-001']])
  t.same(of('The door SHALL open within 5 minutes.', { origin: 'generated' }), [['PSE304', 'warn', 'FR-001']])
  t.same(of('The door SHALL open within five seconds.', { origin: 'generated' }), [])
  t.same(of('The door SHALL open within 5,000 ms.', { origin: 'generated' }), [])
  t.same(of('The door SHALL open within 9 seconds.', { origin: 'generated', human_edited: true }), [])
  const answer = source('At most 9 seconds.', { seq: 2, kind: 'answer', about: { question_id: 'Q-1' } })
  t.same(summarize(check({ requirements: [requirement({ statement: 'The door SHALL open within 9 seconds.' })] },
    { inputs: [input, answer] })), [])
  const more = source('The lamp must glow.\n\nThe bell should ring.', { seq: 2 })
  const report = check({}, { inputs: [input, more] })
  t.same(report.findings.map(({ rule_id: id, severity, quote }) => [id, severity, quote]),
    [['PSE305', 'info', null]])
  t.same(report.coverage, {
    requirements_cited_pct: 100, sentences: 3, taken: 1, set_aside: 0, undecided: 2, decided_pct: 33.3
  })
})

t.test('rules on the consistency of requirements', async (t) => {
  const pair = (one: string, other: string, more: Partial<Requirement> = {}) => summarize(check({
    requirements: [requirement({ statement: one, origin: 'human' }),
      requirement({ id: 'FR-002', statement: other, origin: 'human', ...more })]
  }))
  t.same(pair('The steel door SHALL open for staff.', 'The steel door SHALL open for all staff.')
    .filter(([id]) => id === 'PSE401'), [['PSE401', 'warn', 'FR-002']])
  t.same(pair('The door SHALL open for 5 seconds.', 'The door SHALL open for 9 seconds.'),
    [['PSE402', 'error', 'FR-002']])
  t.same(pair('The door SHALL open for staff.', 'The lamp SHALL glow for staff.'), [])
  t.same(pair('The door SHALL open.', 'The lamp SHALL glow.', { depends_on: ['FR-009'], story_ids: ['US-4'] }),
    [['PSE404', 'error', 'FR-002'], ['PSE404', 'error', 'FR-002']])
  const circle = [['FR-001', 'FR-002'], ['FR-002', 'FR-003'], ['FR-003', 'FR-001']].map(([id = '', to = '']) =>
    requirement({
      id,
      statement: `Door ${'xyz'.charAt(Number(id.slice(3)) - 1)} SHALL open.`,
      origin: 'human',
      depends_on: [to]
    }))
  const report = check({ requirements: circle })
  t.match(report.findings, [{ rule_id: 'PSE405', message: /FR-001 → FR-002 → FR-003 → FR-001/ }])
  t.equal(report.findings.length, 1)
  const glossary = [{ term: 'locker', definition: 'A box', aliases: ['parcel box'] }]
  t.same(of('The Parcel Box SHALL open.', {}, { glossary }), [['PSE403', 'warn', 'FR-001']])
  const base = document({ requirements: [requirement(), requirement({ id: 'FR-007' })] })
  t.same(summarize(check({}, { base })), [['PSE406', 'error', 'FR-007']])
  const question = (at: number): Question => ({
    id: `Q-${at}`,
    question: 'Who?',
    why_it_matters: '',
    options: [],
    recommended: null,
    blocking: true,
    status: 'open',
    answer_input_id: null,
    about: null
  })
  t.same(summarize(check({ open_questions: [1, 2, 3].map(question) })), [])
  t.same(summarize(check({ open_questions: [1, 2, 3, 4].map(question) })),
    [['PSE407', 'info', 'sections.open_questions']])
})
