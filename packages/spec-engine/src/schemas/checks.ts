import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Words } from './fields.js'
import { StandardReference } from './document.js'

const closed = { additionalProperties: false }

export const severities = ['error', 'warn', 'info'] as const
export type Severity = typeof severities[number]

export const Finding = Type.Object({
  finding_id: Type.String({ description: 'Stable: the same finding of the same text has the same id' }),
  rule_id: Type.String({ description: 'PSE… for a built-in rule, STD:<key>:<rule_id> for one of a standard' }),
  severity: Words(severities),
  target: Type.String({ description: 'An id such as FR-003, or sections.<key>, or document' }),
  message: Type.String(),
  quote: Nullable(Type.String({ maxLength: 300 })),
  span: Nullable(Type.Object({ start: Type.Integer(), end: Type.Integer() }, closed)),
  fix: Words(['deterministic', 'model', 'human'], { description: 'Who can put it right' }),
  status: Words(['open', 'fixed', 'waived']),
  waiver_input_id: Nullable(Id)
}, { $id: 'Finding', ...closed })
export type Finding = Static<typeof Finding>

export const verdicts = ['pass', 'fail', 'waived', 'to_review', 'not_applicable'] as const

export const StandardVerdict = Type.Object({
  ...StandardReference.properties,
  key: Type.String(),
  level: Words(['MUST', 'SHOULD', 'MAY']),
  verdict: Words(verdicts, {
    description: 'to_review: a question that a person answers at the approval of this version'
  }),
  deterministic: Type.Boolean({ description: 'false = a person\'s opinion' }),
  evidence: Type.Array(Type.Object({ target: Type.String(), message: Type.String() }, closed), { maxItems: 20 })
}, { $id: 'StandardVerdict', ...closed })
export type StandardVerdict = Static<typeof StandardVerdict>

export const Coverage = Type.Object({
  requirements_cited_pct: Nullable(Type.Number({ description: 'null = there are no requirements' })),
  sentences: Type.Optional(Type.Integer({ description: 'Of all inputs. Reports of earlier releases count none' })),
  taken: Type.Optional(Type.Integer({ description: 'Those that a requirement, a story or a criterion cites' })),
  set_aside: Type.Optional(Type.Integer({ description: 'Those that not_taken lists with a reason' })),
  undecided: Type.Optional(Type.Integer({ description: 'Those that nobody and nothing has decided' })),
  decided_pct: Type.Optional(Nullable(Type.Number({ description: 'null = the inputs have no sentences' })))
}, { $id: 'Coverage', ...closed })
export type Coverage = Static<typeof Coverage>

export const CheckReport = Type.Object({
  engine_version: Type.String(),
  ruleset_hash: Type.String({ description: 'SHA-256 over the built-in rules and the attached standards' }),
  verdict: Words(['pass', 'pass_with_warnings', 'fail']),
  counts: Type.Object({ error: Type.Integer(), warn: Type.Integer(), info: Type.Integer() }, {
    ...closed, description: 'Of all open findings, those beyond the list too'
  }),
  findings: Type.Array(Finding, { maxItems: 500 }),
  findings_omitted: Type.Integer({ description: 'How many more there are' }),
  standards: Type.Array(StandardVerdict, { description: 'One verdict for every rule of every attached standard' }),
  coverage: Coverage
}, { $id: 'CheckReport', ...closed })
export type CheckReport = Static<typeof CheckReport>
