import { Type, type Static } from '@sinclair/typebox'
import { Target } from '../agent/events.js'
import { Requirement } from '../agent/requirements.js'
import { Defaulted, Id, Nullable, page, PageQuery, Timestamp, VersionNumber, Words } from '../common.js'
import { FieldError } from '../errors.js'
import { Revision } from '../revisions.js'

const closed = { additionalProperties: false }
const Word = Type.String({ minLength: 1, maxLength: 200 })
const Value = Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100_000 })

/** The most bytes of a policy set: about four hundred policies. */
export const maxPolicyText = 65_536
export const maxPolicies = 400

export const PolicyRequest = Type.Object({
  tool: Type.String({ minLength: 1, maxLength: 128, description: 'The tool, such as scaleService' }),
  arguments: Defaulted(Type.Record(Type.String(), Type.Unknown(), { default: {} })),
  target: Type.Optional(Type.Object({
    kind: Word,
    id: Word,
    within: Type.Optional(Type.Record(Type.String(), Word, {
      description: 'What holds it, by kind, such as cloud_account, environment, project, cluster'
    })),
    names: Type.Optional(Type.Array(Word, { maxItems: 50 }))
  }, closed)),
  changes: Defaulted(Type.Array(Type.Object({ label: Word, before: Value, after: Value }, closed),
    { maxItems: 200, default: [], description: 'What would change, as a question shows it' })),
  risk: Defaulted(Words(['low', 'medium', 'high'], { default: 'medium' })),
  person: Defaulted(Type.Object({
    id: Type.Optional(Id),
    role: Type.Optional(Type.String({ maxLength: 40, description: 'Default: member' })),
    groups: Type.Optional(Type.Array(Word, { maxItems: 100, description: 'Names or ids' })),
    via: Type.Optional(Words(['browser', 'token', 'assistant'], { description: 'Default: assistant' })),
    assistant: Type.Optional(Type.Boolean({ description: 'Default: whether it is via the assistant' })),
    token: Type.Optional(Id)
  }, { ...closed, default: {} })),
  tainted: Defaulted(Type.Boolean({
    default: false, description: 'The run has read foreign text since a person last decided'
  })),
  trigger: Defaulted(Type.Boolean({ default: false, description: 'A trigger set the run off' })),
  at: Type.Optional(Type.Unsafe<string>({ ...Timestamp, description: 'Default: now' }))
}, { ...closed, $id: 'PolicyRequest', description: 'A write, as policies see it' })
export type PolicyRequest = Static<typeof PolicyRequest>

const outcomes = ['forbid', 'ask', 'run'] as const

export const PolicyExample = Type.Object({
  name: Word,
  request: PolicyRequest,
  expect: Type.Object({
    outcome: Words(outcomes),
    approvals: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    exclude_requester: Type.Optional(Type.Boolean()),
    signed: Type.Optional(Type.Boolean())
  }, closed)
}, { ...closed, $id: 'PolicyExample', description: 'A test: what the policies must say of a request' })
export type PolicyExample = Static<typeof PolicyExample>

export const PolicyVerdict = Type.Object({
  outcome: Words(outcomes),
  reason: Nullable(Type.String({ description: 'Of what is forbidden' })),
  requirement: Nullable(Requirement),
  policies: Type.Array(Type.String(), { description: 'The ids of the policies that decided; none = as without any' }),
  errors: Type.Array(Type.Object({ policy: Type.String(), message: Type.String() }), {
    description: 'Policies that could not be evaluated: one that forbids forbids, one that runs runs nothing'
  })
}, { $id: 'PolicyVerdict' })
export type PolicyVerdict = Static<typeof PolicyVerdict>

export const ExampleResult = Type.Object({ name: Type.String(), passed: Type.Boolean(), verdict: PolicyVerdict },
  { $id: 'ExampleResult' })
export type ExampleResult = Static<typeof ExampleResult>

const Count = Type.Integer({ minimum: 0 })

export const ReplayCounts = Type.Object({
  decisions: Type.Integer({ description: 'Decisions of people that were replayed: the newest, 5,000 at most' }),
  lacking: Type.Integer({ description: 'Of these, those without what a policy needs to know: not evaluated' }),
  run: Type.Object({
    total: Type.Integer({ description: 'Would have run without asking' }),
    rejected: Type.Integer({ description: 'Of these, people had rejected so many' })
  }),
  forbid: Type.Object({
    total: Type.Integer({ description: 'Would have been forbidden' }),
    approved: Type.Integer({ description: 'Of these, people had approved so many' })
  }),
  ask: Type.Array(Type.Object({ approvals: Count, total: Count }), { description: 'Would have needed so many people' }),
  unchanged: Type.Integer({ description: 'One approval, as without policies' })
}, { $id: 'ReplayCounts' })
export type ReplayCounts = Static<typeof ReplayCounts>

export const PolicyWarning = Type.Object({
  message: Type.String(), line: Nullable(Type.Integer()), column: Nullable(Type.Integer())
}, { $id: 'PolicyWarning' })
export type PolicyWarning = Static<typeof PolicyWarning>

export const PolicyProblem = Type.Object({
  ...FieldError.properties, line: Nullable(Type.Integer()), column: Nullable(Type.Integer())
}, { $id: 'PolicyProblem' })
export type PolicyProblem = Static<typeof PolicyProblem>

const Text = Type.String({ maxLength: maxPolicyText, description: 'Policies in Cedar; see docs/policies.md' })

export const PutPolicies = Type.Object({
  text: Text,
  examples: Defaulted(Type.Array(PolicyExample, { maxItems: 200, default: [] }))
}, { ...closed, $id: 'PutPolicies' })
export type PutPolicies = Static<typeof PutPolicies>

export const PolicyVersion = Type.Object({
  version: Type.Integer(),
  text: Text,
  examples: Type.Array(PolicyExample),
  digest: Type.String(),
  replay: ReplayCounts,
  enabled_by: Id,
  enabled_at: Timestamp
}, { $id: 'PolicyVersion' })
export type PolicyVersion = Static<typeof PolicyVersion>

export const PolicyDraft = Type.Object({
  text: Text,
  examples: Type.Array(PolicyExample),
  digest: Type.String({ description: 'Of text, examples and the groups that are meant: what is replayed and enabled' }),
  diff: Type.String({ description: 'Against the enabled version, as a unified diff without file names' }),
  results: Type.Array(ExampleResult),
  warnings: Type.Array(PolicyWarning),
  replayed_at: Nullable(Timestamp),
  replay: Nullable(ReplayCounts),
  updated_by: Id,
  updated_at: Timestamp
}, { $id: 'PolicyDraft' })
export type PolicyDraft = Static<typeof PolicyDraft>

export const Policies = Type.Object({
  enabled: Nullable(PolicyVersion), draft: Nullable(PolicyDraft), revision: Revision
}, { $id: 'Policies', description: 'What holds, and what may hold next; null where no draft differs from what holds' })
export type Policies = Static<typeof Policies>

export const PolicyVersionPage = page(PolicyVersion, 'PolicyVersionPage')
export const PolicyVersionQuery = Type.Object(PageQuery)
export const PolicyVersionParams = Type.Object({ version: VersionNumber })
export const PolicyDiffQuery = Type.Object({
  against: Type.Optional(Type.Integer({
    minimum: 0, maximum: 2_147_483_647, description: 'Default: the version before; 0 = no policies'
  }))
})
export const PolicyVersionDiff = Type.Object({
  version: PolicyVersion,
  against: Type.Integer(),
  diff: Type.String({ description: 'A unified diff without file names' })
}, { $id: 'PolicyVersionDiff' })

export const PolicySchema = Type.Object({
  schema: Type.String({ description: 'Of all tools that write, in Cedar\'s own syntax' })
}, { $id: 'PolicySchema' })

export const EvaluatePolicies = Type.Object({
  of: Defaulted(Words(['enabled', 'draft'], { default: 'enabled' })),
  request: PolicyRequest
}, { ...closed, $id: 'EvaluatePolicies' })

const cases = ['run', 'forbid', 'ask', 'unchanged', 'lacking'] as const
export type ReplayOutcome = typeof cases[number]

export const ReplayPolicies = Type.Object({
  outcome: Type.Optional(Words(cases, { description: 'Only these; default: all that would be otherwise' })),
  limit: Defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 30 })),
  cursor: Type.Optional(Type.String({ maxLength: 600 }))
}, { ...closed, $id: 'ReplayPolicies' })
export type ReplayPolicies = Static<typeof ReplayPolicies>

export const ReplayCase = Type.Object({
  confirmation_id: Id,
  tool: Type.String(),
  summary: Type.String(),
  target: Nullable(Target),
  risk: Words(['low', 'medium', 'high']),
  requested_by: Id,
  requested_at: Timestamp,
  decision: Words(['approved', 'rejected']),
  decided_by: Nullable(Id),
  outcome: Words(cases),
  lacking: Nullable(Type.String({ description: 'What was not stored, or is gone' })),
  verdict: Nullable(PolicyVerdict)
}, { $id: 'ReplayCase' })
export type ReplayCase = Static<typeof ReplayCase>

export const Replay = Type.Object({
  digest: Type.String({ description: 'Of the draft that was replayed' }),
  counts: ReplayCounts,
  items: Type.Array(ReplayCase),
  next_cursor: Nullable(Type.String())
}, { $id: 'Replay', description: 'What the draft would have done with what people have decided' })

export const EnablePolicies = Type.Object({
  digest: Type.String({ maxLength: 100, description: 'Of the draft, as it was replayed' })
}, { ...closed, $id: 'EnablePolicies' })
