import fc from 'fast-check'
import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { loadPageModule } from '../../guards/catalogue.js'
import { putPolicies } from '../../policies.js'
import type * as Rows from '../../../web/pages/settings/policies/rows.js'
import type { PolicySet } from '../../../lib/policies/compile.js'
import { judgeAll } from '../../../lib/policies/judge.js'
import { operations } from '../../../lib/policies/operations.js'
import { facts, groupIds, policies, textOf } from './grammar.js'
import { inputOf } from './inputs.js'

// The module of the page is loaded by its text, and has the type of its source.
const { readPolicies, writePolicies } = await loadPageModule('web/pages/settings/policies/rows.ts') as typeof Rows
type Row = Rows.Row
type Segment = Rows.Segment

/** Whatever people may type, signs of Cedar among it. */
const typed = fc.string({ unit: fc.constantFrom(...'abÄ ß"\\/\n\t;{}@(),.&|', '日', '\u0000'), minLength: 1, maxLength: 12 })
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,11}$/)
const group = fc.stringMatching(/^[A-Za-zäß"\\][A-Za-z \-"\\]{0,8}[a-z]$/)
const groups = fc.array(group, { minLength: 1, maxLength: 3 })
const action = fc.oneof(name, typed)

const size: fc.Arbitrary<Rows.Size> = fc.oneof(
  fc.record({ kind: fc.constant('cost' as const), more_than: fc.integer({ min: 0, max: 99_999_999 }).map((cents) => cents / 10_000) }),
  fc.record({
    kind: fc.constant('argument' as const), name, is: fc.constantFrom('more_than' as const, 'at_most' as const), value: fc.nat()
  })
)
const applies: fc.Arbitrary<Rows.Applies> = fc.oneof(
  fc.constant({ kind: 'all' as const }),
  fc.record({ kind: fc.constant('area' as const), area: action.filter((area) => area !== 'write' && area !== 'additive') }),
  fc.record({ kind: fc.constant('tools' as const), tools: fc.array(action, { minLength: 1, maxLength: 3 }) })
)
const then: fc.Arbitrary<Rows.Then> = fc.oneof(
  fc.record({ outcome: fc.constant('forbid' as const), reason: fc.oneof(fc.constant(''), typed) }),
  fc.record({ outcome: fc.constant('run' as const), foreign_text: fc.boolean() }),
  fc.record({
    outcome: fc.constant('ask' as const),
    approvals: fc.integer({ min: 1, max: 10 }),
    groups: fc.oneof(fc.constant<string[]>([]), groups),
    not_requester: fc.boolean(),
    signed: fc.boolean(),
    escalate: fc.option(fc.record({ groups, after: fc.constantFrom('30m', '2h', '1d') }))
  })
)
const note = fc.oneof(fc.constant(''), fc.array(fc.stringMatching(/^[a-z"@;{}]([a-z "@;{}/]{0,8}[a-z;])?$/), { minLength: 1, maxLength: 2 })
  .map((lines) => lines.join('\n')))
const row: fc.Arbitrary<Row> = fc.record({
  id: fc.oneof(fc.constant(''), typed),
  note,
  when: fc.record({
    applies,
    environment: fc.oneof(fc.constant(''), typed),
    risk: fc.constantFrom('' as const, 'medium' as const, 'high' as const),
    size: fc.option(size)
  }),
  then
})
const asSegments = (rows: readonly Row[]): Segment[] => rows.map((one) => ({ kind: 'row', row: one }))

t.setTimeout(300_000)

t.test('what is written of rows is read as the same rows', (t) => {
  fc.assert(fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
    const segments = asSegments(rows)
    const read = readPolicies(writePolicies(segments))
    return JSON.stringify(read) === JSON.stringify(segments)
  }), { numRuns: 3_000 })
  t.end()
})

/** Cedar compiles it, and it means the same for each request. */
const compile = async (text: string): Promise<PolicySet> => {
  const compiled = await operations.compile(text, groupIds, undefined)
  if (compiled.kind === 'invalid') throw new Error(`${compiled.problems.map(({ message }) => message).join('\n')}\n${text}`)
  return compiled.set
}

t.test('a text that is read and written decides each request as before, and stays what it is from then on', async (t) => {
  const seen = { rows: 0, texts: 0 }
  await fc.assert(fc.asyncProperty(policies, fc.array(facts, { minLength: 3, maxLength: 6 }), async (list, given) => {
    const text = textOf(list)
    const segments = readPolicies(text)
    seen.rows += segments.filter(({ kind }) => kind === 'row').length
    seen.texts += segments.filter(({ kind }) => kind === 'text').length
    const written = writePolicies(segments)
    t.equal(writePolicies(readPolicies(written)), written)
    const inputs = given.map(inputOf)
    const [before, after] = await Promise.all([text, written].map(async (each) =>
      judgeAll(await compile(each), 1, inputs, operations.authorize)))
    t.same(after, before, written)
  }), { numRuns: 300 })
  t.ok(seen.rows > 5 && seen.texts > 30, `${seen.rows} rows, ${seen.texts} texts`)
})

const documented = `// What holds since May.

// Production needs two.
// Ask in #sre.
@id("production")
@outcome("approve") @approvals("2") @from("sre") @exclude_requester("true")
@escalate_to("leads") @escalate_after("30m")
permit (principal, action in Action::"write", resource)
when { resource has environment && resource.environment == "production" };

@id("freeze") forbid (principal, action in Action::"infrastructure", resource)
when { context.hour < 6 };

@id("staging") @outcome("run")
permit (principal, action == Action::"scaleService", resource)
when {
  context.args has desired_count && context.args.desired_count <= 10 &&
  resource has environment && resource.environment == "staging"
}; // until we know better
@outcome("run") permit (principal, action, resource /* all */);
@outcome("approve") @approvals("2") @colour("red") permit (principal, action in Action::"write", resource);
broken "`

t.test('a row has the note above it; what no row can say stays to the letter, in its place', (t) => {
  const found = readPolicies(documented.replace('broken "', ''))
  t.same(found.map((one) => one.kind === 'row' ? one.row.id : one.text.split('\n')[0]), [
    '// What holds since May.', 'production',
    '@id("freeze") forbid (principal, action in Action::"infrastructure", resource)', 'staging',
    '// until we know better',
    '@outcome("approve") @approvals("2") @colour("red") permit (principal, action in Action::"write", resource);'
  ])
  t.match(found[1], {
    row: {
      note: 'Production needs two.\nAsk in #sre.',
      when: { applies: { kind: 'all' }, environment: 'production', risk: '', size: null },
      then: { approvals: 2, groups: ['sre'], not_requester: true, signed: false, escalate: { groups: ['leads'], after: '30m' } }
    }
  })
  t.match(found[3], { row: { when: { size: { kind: 'argument', name: 'desired_count', is: 'at_most', value: 10 } } } })
  t.same(readPolicies(documented), [{ kind: 'text', text: documented }], 'what is no Cedar is left alone')
  t.end()
})

t.test('what rows write is what the API takes', async (t) => {
  const app = await buildApp(t)
  const rows: Row[] = [
    {
      id: 'production',
      note: 'Two for production',
      when: { applies: { kind: 'area', area: 'infrastructure' }, environment: 'production', risk: 'medium', size: null },
      then: { outcome: 'ask', approvals: 2, groups: [], not_requester: true, signed: true, escalate: null }
    },
    {
      id: 'cost',
      note: '',
      when: { applies: { kind: 'all' }, environment: '', risk: '', size: { kind: 'cost', more_than: 5 } },
      then: { outcome: 'ask', approvals: 1, groups: [], not_requester: true, signed: false, escalate: null }
    },
    {
      id: 'staging',
      note: '',
      when: {
        applies: { kind: 'tools', tools: ['scaleService'] },
        environment: 'staging',
        risk: '',
        size: { kind: 'argument', name: 'desired_count', is: 'at_most', value: 10 }
      },
      then: { outcome: 'run', foreign_text: false }
    },
    {
      id: 'never',
      note: '',
      when: { applies: { kind: 'tools', tools: ['deleteApp', 'deleteStandard'] }, environment: '', risk: 'high', size: null },
      then: { outcome: 'forbid', reason: 'Ask an "admin"' }
    }
  ]
  const text = writePolicies(asSegments(rows))
  const answer = await putPolicies(app, text)
  t.equal(answer.statusCode, 200, answer.payload)
  t.same(answer.json().draft.warnings, [])
  t.same(readPolicies(answer.json().draft.text), asSegments(rows))
})
