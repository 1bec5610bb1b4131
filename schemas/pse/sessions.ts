import { Type, type Static } from '@sinclair/typebox'
import { artifacts, notations, profiles, specTypes, CheckReport } from 'steward-spec-engine/schemas'
import { Id, Money, Nullable, PageQuery, Timestamp, Words, page, maxInteger } from '../common.js'
import { Revision } from '../revisions.js'
import { Generation } from './generations.js'
import { SpecInput, NewInput } from './inputs.js'
import { SpecVersion, SpecVersionSummary } from './versions.js'

const closed = { additionalProperties: false }

export const sessionStates = ['open', 'needs_input', 'generating', 'review', 'approved', 'archived'] as const
export type SessionState = typeof sessionStates[number]

export const AttachedStandard = Type.Object({
  standard_id: Id,
  version: Type.Optional(Nullable(Type.Integer({
    minimum: 1, maximum: maxInteger, description: 'null = the newest, taken when a spec is generated'
  })))
}, { $id: 'AttachedStandard', ...closed })
export type AttachedStandard = Static<typeof AttachedStandard>

const option = {
  implementation_free: Type.Boolean({ default: false, description: 'Requirements say what, never with which product' }),
  require_citations: Type.Boolean({ default: true, description: 'A requirement without a proved quote is an error' }),
  max_requirements: Type.Integer({ minimum: 5, maximum: 2_000, default: 500 }),
  redact_secrets: Type.Boolean({ default: true, description: 'Secrets in inputs are not sent to a model' })
}
export const SpecOptions = Type.Object(option, { $id: 'SpecOptions', ...closed })
export type SpecOptions = Static<typeof SpecOptions>

const defaultOptions =
  { implementation_free: false, require_citations: true, max_requirements: 500, redact_secrets: true }

const Title = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const Description = Type.String({ maxLength: 4000 })
const SpecType = Words(specTypes, { description: 'What the spec is about' })
const Profile = Words(profiles, { description: 'kernel: up to 800 words; standard: 2,500; full: 6,000' })
const Notation = Words(notations, { description: 'How requirements are written' })
const Locale = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
  examples: ['de-CH'],
  maxLength: 35,
  description: 'BCP 47, such as en or de-CH'
})
const Artifacts = Type.Array(Words(artifacts), { minItems: 1, maxItems: 4, uniqueItems: true })
const Standards = Type.Array(AttachedStandard, { maxItems: 20 })

const known = {
  session_id: Id,
  project_id: Nullable(Id),
  title: Title,
  description: Description,
  spec_type: SpecType,
  profile: Profile,
  notation: Notation,
  locale: Locale,
  state: Words(sessionStates, {
    description: 'needs_input: a blocking question is open; generating: a generation is queued or runs'
  }),
  stale: Type.Boolean({ description: 'Inputs, settings or standards changed after the current version' }),
  current_version: Nullable(Type.Integer()),
  approved_version: Nullable(Type.Integer({ description: 'The version approved last; it stays exportable' })),
  active_generation_id: Nullable(Id),
  blocking_questions: Type.Integer({ description: 'Of the current version, without those answered since' }),
  check_verdict: Nullable(Words(['pass', 'pass_with_warnings', 'fail'], { description: 'Of the current version' })),
  revision: Revision,
  created_by: Id,
  created_at: Timestamp,
  updated_at: Timestamp
}

export const SpecSessionSummary = Type.Object(known, { $id: 'SpecSessionSummary' })
export type SpecSessionSummary = Static<typeof SpecSessionSummary>
export const SpecSessionPage = page(SpecSessionSummary, 'SpecSessionPage')

export const SpecTotals = Type.Object({
  generations: Type.Integer(),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cost: Nullable(Money)
}, { $id: 'SpecTotals', description: 'cost null: the price of a model that was used is not known' })

export const SpecSession = Type.Object({
  ...known,
  artifacts: Artifacts,
  standards: Standards,
  options: SpecOptions,
  inputs: Type.Integer({ description: 'How many it has' }),
  totals: SpecTotals
}, { $id: 'SpecSession' })
export type SpecSession = Static<typeof SpecSession>

export const ListSpecSessions = Type.Object({
  ...PageQuery,
  project_id: Type.Optional(Id),
  state: Type.Optional(Words(sessionStates, { description: 'Default: all but the archived ones' })),
  spec_type: Type.Optional(Words(specTypes)),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Words of the title' }))
})
export type ListSpecSessions = Static<typeof ListSpecSessions>

export const SpecSessionParams = Type.Object({ session_id: Id })

const settings = {
  project_id: Nullable(Id),
  title: Title,
  description: Description,
  spec_type: SpecType,
  profile: Profile,
  notation: Notation,
  locale: Locale,
  artifacts: Artifacts,
  standards: Standards
}

export const sessionDefaults = {
  project_id: null,
  description: '',
  spec_type: 'feature' as const,
  profile: 'standard' as const,
  notation: 'ears' as const,
  locale: 'en',
  artifacts: ['requirements' as const],
  standards: [],
  options: defaultOptions
}

export const UpdateSpecSession = Type.Partial(Type.Object({
  ...settings, options: Type.Partial(Type.Object(option, closed), closed)
}), { $id: 'UpdateSpecSession', ...closed, minProperties: 1, description: 'What is sent changes; options one by one' })
export type UpdateSpecSession = Static<typeof UpdateSpecSession>

export const transitions = ['approved', 'review', 'archived', 'restored'] as const
export const MoveSpecSession = Type.Object({
  to: Words(transitions, {
    description: 'approved; review: an approved session is opened again; archived; restored: back from the archive'
  }),
  comment: Type.Optional(Type.String({
    maxLength: 1000, description: 'Kept as an input of kind feedback, which the next generation reads'
  })),
  reviewed: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 160 }), {
    maxItems: 200,
    description: 'approved: the review rules, STD:<key>:<rule_id>, whose questions you answer with yes for the ' +
      'current version; the answers are kept with it'
  }))
}, { $id: 'MoveSpecSession', ...closed })
export type MoveSpecSession = Static<typeof MoveSpecSession>
const parts = ['inputs', 'spec', 'checks', 'generations', 'versions'] as const
const part = `(?:${parts.join('|')})`

/** How many versions and generations are included; the lists have the others. */
export const maxIncluded = 30

export const SpecSessionQuery = Type.Object({
  include: Type.Optional(Type.String({
    pattern: `^${part}(?:,${part}){0,${parts.length - 1}}$`,
    examples: ['inputs'],
    description: `What comes along under \`included\`, with commas: ${parts.join(', ')}. Of versions and generations ` +
      `the newest ${maxIncluded}`
  })),
  version: Type.Optional(Type.Integer({
    minimum: 1, maximum: maxInteger, description: 'Of the spec and its checks; default: the current one'
  }))
})
export type SpecSessionQuery = Static<typeof SpecSessionQuery>

export const Included = Type.Partial(Type.Object({
  inputs: Type.Array(SpecInput),
  spec: Nullable(SpecVersion),
  checks: Nullable(CheckReport),
  generations: Type.Array(Generation),
  versions: Type.Array(SpecVersionSummary)
}))
export type Included = Static<typeof Included>

export const WholeSpecSession = Type.Object({
  ...SpecSession.properties, included: Type.Optional(Included)
}, { $id: 'WholeSpecSession', description: 'A spec session with what `include` asks for' })

const { title, ...others } = settings

export const CreateSpecSession = Type.Object({
  title,
  ...Type.Partial(Type.Object(others)).properties,
  options: Type.Optional(Type.Partial(Type.Object(SpecOptions.properties), { additionalProperties: false })),
  inputs: Type.Optional(Type.Array(NewInput, { maxItems: 20 }))
}, {
  $id: 'CreateSpecSession',
  additionalProperties: false,
  description: 'Only the title is needed: a feature, of standard length, in EARS, in English'
})
export type CreateSpecSession = Static<typeof CreateSpecSession>
