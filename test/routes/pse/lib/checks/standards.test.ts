import t from '../../../../tap.js'
import type { SpecDocument, StandardRule } from 'steward-spec-engine/schemas'
import { inputId } from '../../../../../packages/spec-engine/test/engine/material.js'
import { check, input, requirement, summarize, standard, story, waiver } from '../../../../../packages/spec-engine/test/checks/documents.js'

type Check = StandardRule['check']

const verdict = (rule: Check, target: string, more: Partial<SpecDocument> = {}) =>
  check(more, { standards: [standard([{ check: rule, target }])] }).standards[0]?.verdict

const task = {
  id: 'T001',
  title: 'Build',
  requirement_ids: ['FR-001'],
  story_id: null,
  depends_on: [],
  parallel: false
}

const cases: [Check, string, Partial<SpecDocument>, Partial<SpecDocument>][] = [
  [{ fn: 'required' }, 'sections.goals', { goals: ['Light'] }, {}],
  [{ fn: 'required' }, 'tasks', { tasks: [task] }, {}],
  [{ fn: 'required' }, 'requirements.rationale', { requirements: [requirement({ rationale: 'So' })] }, {}],
  [{ fn: 'required' }, 'requirements[kind=quality]', { requirements: [requirement({ kind: 'quality' })] }, {}],
  [{ fn: 'pattern', options: { patterns: ['SHALL', 'WILL'] } }, 'requirements.statement', {},
    { requirements: [requirement({ statement: 'It opens' })] }],
  [{ fn: 'pattern', options: { patterns: ['shall'], ignore_case: false } }, 'requirements.title',
    { requirements: [requirement({ title: 'It shall' })] }, { requirements: [requirement({ title: 'It SHALL' })] }],
  [{ fn: 'forbid', options: { patterns: ['\\bcat\\b'] } }, 'document', { goals: ['Category'] }, { goals: ['A Cat.'] }],
  [{ fn: 'substitute', options: { swap: [{ from: 'log in', to: 'sign in' }] } }, 'stories', { stories: [story()] },
    { stories: [story({ want: 'Log in' })] }],
  [{ fn: 'occurrence', options: { pattern: 'o', min: 1, max: 2 } }, 'sections.summary', { summary: 'moo' },
    { summary: 'mooo' }],
  [{ fn: 'length', options: { max: 3, unit: 'words' } }, 'sections.summary', { summary: 'a b c' },
    { summary: 'a b c d' }],
  [{ fn: 'length', options: { min: 2, unit: 'items' } }, 'acceptance',
    { requirements: [requirement(), requirement({ id: 'FR-002' })] }, {}],
  [{ fn: 'length', options: { min: 5, unit: 'characters' } }, 'requirements.title', {},
    { requirements: [requirement({ title: 'Open' })] }],
  [{ fn: 'enum', options: { field: 'priority', values: ['P1', 'P2'] } }, 'requirements', {},
    { requirements: [requirement({ priority: 'P3' })] }],
  [{ fn: 'schema', options: { required: ['rationale', 'citations'] } }, 'requirements',
    { requirements: [requirement({ rationale: 'So' })] }, {}],
  [{ fn: 'ears', options: {} }, 'requirements.statement', {}, { requirements: [requirement({ statement: 'It is' })] }],
  [{ fn: 'ears', options: { patterns: ['event'] } }, 'requirements[level=MUST]',
    { requirements: [requirement({ statement: 'WHEN it rains, the door SHALL open.' })] }, {}],
  [{ fn: 'has_acceptance', options: { min: 1 } }, 'requirements', {},
    { requirements: [requirement({ acceptance: [] })] }],
  [{ fn: 'has_citation', options: { min: 1 } }, 'requirements', {}, { requirements: [requirement({ citations: [] })] }],
  [{ fn: 'has_verification', options: { methods: ['test'] } }, 'requirements', {},
    { requirements: [requirement({ verification: 'analysis' })] }],
  [{ fn: 'readability', options: { max_grade: 8 } }, 'sections.summary', { summary: 'The door is open. It is red.' },
    { summary: 'Interoperability considerations notwithstanding, organisational responsibilities proliferate.' }],
  [{ fn: 'glossary_only' }, 'sections.summary',
    { summary: 'The LMS runs.', glossary: [{ term: 'LMS', definition: 'x', aliases: [] }] },
    { summary: 'The LMS runs.' }],
  [{ fn: 'links_to', options: { field: 'story_ids' } }, 'requirements',
    { requirements: [requirement({ story_ids: ['US-1'] })], stories: [story()] }, {}],
  [{ fn: 'links_to', options: { field: 'tasks' } }, 'requirements', { tasks: [task] }, {}]
]

t.test('every rule function can pass and fail', async (t) => {
  for (const [rule, target, good, bad] of cases) {
    t.same([verdict(rule, target, good), verdict(rule, target, bad)], ['pass', 'fail'], `${rule.fn} of ${target}`)
  }
})

t.test('a rule with an empty target is not applicable; a review question waits for a person',
  async (t) => {
    t.equal(verdict({ fn: 'has_acceptance', options: { min: 1 } }, 'requirements[kind=data]'), 'not_applicable')
    t.equal(verdict({ fn: 'forbid', options: { patterns: ['x'] } }, 'sections.design'), 'not_applicable')
    const review: Check = { fn: 'review', options: { question: 'Is it worth its money?' } }
    t.match(check({}, { standards: [standard([{ check: review, target: 'document' }])] }).standards,
      [{
        verdict: 'to_review',
        deterministic: false,
        evidence: [{ target: 'document', message: 'Is it worth its money?' }]
      }])
  })

t.test('a failed rule is a finding; a failed rule of level MUST is also an error', async (t) => {
  const rules: Partial<StandardRule>[] = [
    { title: 'Say why', target: 'requirements.rationale', severity: 'info', level: 'MUST' },
    { rule_id: 'off', severity: 'off' },
    { rule_id: 'fine' }
  ]
  const report = check({}, { standards: [standard(rules)] })
  t.same(report.findings.map(({ rule_id: id, severity, target, message, fix }) =>
    [id, severity, target, message, fix]), [
    ['PSE306', 'error', 'STD:house:rule-1', 'The rule STD:house:rule-1 must be met, or be waived', 'model'],
    ['STD:house:rule-1', 'info', 'FR-001', 'Say why: It is empty', 'model']
  ])
  t.same(report.standards, [{
    standard_id: inputId(90),
    version: 3,
    rule_id: 'rule-1',
    key: 'house',
    level: 'MUST',
    verdict: 'fail',
    deterministic: true,
    evidence: [{ target: 'FR-001', message: 'It is empty' }]
  }, {
    standard_id: inputId(90),
    version: 3,
    rule_id: 'fine',
    key: 'house',
    level: 'SHOULD',
    verdict: 'pass',
    deterministic: true,
    evidence: []
  }])
  t.not(report.ruleset_hash, check().ruleset_hash)
})

t.test('a waiver holds for its rule and target until it ends, and not for rules that cannot be waived', async (t) => {
  const rules: Partial<StandardRule>[] = [{ target: 'requirements.rationale', severity: 'error', level: 'MUST' }]
  const waived = (waivers: ReturnType<typeof waiver>[], more: Partial<StandardRule> = {}) => {
    const report = check({}, { inputs: [input, ...waivers], standards: [standard([{ ...rules[0], ...more }])] })
    return [report.verdict, report.standards[0]?.verdict, report.findings.map(({ status }) => status)]
  }
  const rule = 'STD:house:rule-1'
  t.same(waived([]), ['fail', 'fail', ['open', 'open']])
  t.same(waived([waiver(rule)]), ['pass', 'waived', ['waived']])
  t.same(waived([waiver(rule, { target: 'FR-001' })]), ['pass', 'waived', ['waived']])
  t.same(waived([waiver(rule, { target: 'FR-002' })]), ['fail', 'fail', ['open', 'open']])
  t.same(waived([waiver(rule, { expires_at: '2026-11-20T11:00:00Z' })]), ['fail', 'fail', ['open', 'open']])
  t.same(waived([waiver(rule, { expires_at: '2026-11-20T13:00:00Z' })]), ['pass', 'waived', ['waived']])
  t.same(waived([waiver(rule), waiver('PSE306', {}, 21)], { waivable: false }), ['fail', 'fail', ['open', 'open']])
  const builtin = check({ summary: '' }, { inputs: [input, waiver('PSE001', { target: 'sections.summary' })] })
  t.match(builtin, { verdict: 'pass', findings: [{ status: 'waived', waiver_input_id: inputId(20) }] })
})

t.test('patterns that are exponential in other engines run in linear time', async (t) => {
  const summary = 'a'.repeat(1_000)
  for (const pattern of ['(a+)+$b', '(a|a)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*)*x', '(a?){100}a{100}b']) {
    t.equal(verdict({ fn: 'forbid', options: { patterns: [pattern], ignore_case: false } }, 'sections.summary',
      { summary }),
    'pass', pattern)
  }
})

t.test('a report lists the five hundred most severe findings and counts all', async (t) => {
  const requirements = Array.from({ length: 600 }, (_, at) => requirement({
    id: `FR-${at + 1}`,
    statement: `Door${at} SHALL always sing song${at}.`,
    origin: 'human',
    acceptance: [],
    depends_on: ['FR-9999']
  }))
  const report = check({ requirements })
  t.same([report.counts.error, report.counts.info, report.findings.length], [600, 1_202, 500])
  t.same(report.findings_omitted, report.counts.error + report.counts.warn + report.counts.info - 500)
  t.ok(summarize(report).every(([, severity]) => severity === 'error'))
})
