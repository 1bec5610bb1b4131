import { Type, type Static } from '@sinclair/typebox'
import { Defaulted, Id, maxInteger, Nullable, Timestamp, Words } from '../common.js'
import { TargetConfig, targetKinds } from './targets.js'

const closed = { additionalProperties: false }

export const publicationStates = ['scheduled', 'queued', 'running', 'retrying', 'unknown', 'awaiting_merge',
  'succeeded', 'failed', 'cancelled'] as const
export type PublicationState = typeof publicationStates[number]

export const PublicationAttempt = Type.Object({
  at: Timestamp,
  http_status: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  duration_ms: Type.Integer()
}, { $id: 'PublicationAttempt' })
export type PublicationAttempt = Static<typeof PublicationAttempt>

export const PublicationWarning = Type.Object({
  rule_id: Type.Literal('CNT-DUP-TARGET'),
  content_id: Type.Unsafe<string>({ ...Id, description: 'The other record' }),
  message: Type.String()
}, { $id: 'PublicationWarning' })
export type PublicationWarning = Static<typeof PublicationWarning>

export const External = Type.Object({
  id: Nullable(Type.String()),
  url: Nullable(Type.String()),
  pr_number: Nullable(Type.Integer()),
  branch: Type.Optional(Type.String({ description: 'Of a pull request: the branch that has the file' })),
  ids: Type.Optional(Type.Array(Type.String(), { description: 'Of a thread: its posts, in order' })),
  revision: Type.Optional(Nullable(Type.String({ description: 'What the site said when it was written last' })))
}, { $id: 'PublicationExternal', description: 'What it is at the target' })
export type External = Static<typeof External>

export const Publication = Type.Object({
  id: Id,
  content_id: Id,
  version: Type.Integer({ description: 'Pinned: later edits do not change what is published' }),
  target_id: Id,
  target_name: Type.String(),
  kind: Words(targetKinds),
  action: Words(['publish', 'update', 'unpublish'] as const),
  state: Words(publicationStates, {
    description: 'unknown: sent, and no answer came; it is looked into before it is sent again'
  }),
  error: Nullable(Type.String({ description: 'Why it failed, was cancelled, or reached not everybody' })),
  publish_at: Nullable(Timestamp),
  timezone: Nullable(Type.String()),
  misfire: Words(['late', 'skip'] as const),
  republish: Type.Boolean(),
  overwrite: Type.Boolean(),
  warnings: Type.Array(PublicationWarning, {
    description: 'When it was asked for, other records went to the same target within an hour of it'
  }),
  attempts: Type.Array(PublicationAttempt, { description: 'The last ten' }),
  external: Nullable(External),
  overdue: Type.Boolean({ description: 'Due for more than two minutes, and not begun' }),
  next_attempt_at: Nullable(Timestamp),
  created_by: Id,
  created_at: Timestamp,
  finished_at: Nullable(Timestamp)
}, { $id: 'Publication' })
export type Publication = Static<typeof Publication>

export const PlannedPublication = Type.Object({
  target_id: Id,
  target_name: Type.String(),
  kind: Words(targetKinds),
  config: TargetConfig,
  version: Type.Integer({ description: 'Which is sent, or taken back' }),
  action: Nullable(Words(['publish', 'update', 'unpublish'] as const, {
    description: 'null: nothing is sent, since the version is live there already, or on its way'
  })),
  live_version: Nullable(Type.Integer({ description: 'What is live there now' })),
  warnings: Type.Array(PublicationWarning)
}, { $id: 'PlannedPublication' })
export type PlannedPublication = Static<typeof PlannedPublication>

export const PublicationPlan = Type.Object({
  publish_at: Nullable(Timestamp),
  targets: Type.Array(PlannedPublication)
}, { $id: 'PublicationPlan' })
export type PublicationPlan = Static<typeof PublicationPlan>

export const Publications = Type.Object({
  items: Type.Array(Publication),
  plan: Type.Optional(Type.Unsafe<PublicationPlan>({
    ...PublicationPlan, description: 'Only in the answer to a dry run: what would be sent where'
  }))
}, { $id: 'Publications' })
export type Publications = Static<typeof Publications>

const when = {
  publish_at: Type.Optional(Type.String({
    maxLength: 40,
    description: 'When: RFC 3339 with an offset, or a local time with `timezone`; default: now'
  })),
  timezone: Type.Optional(Type.String({ maxLength: 60, description: 'IANA, such as Europe/Zurich' })),
  disambiguation: Defaulted(Words(['reject', 'earlier', 'later'], {
    default: 'reject', description: 'Of a local time that a change of clocks makes ambiguous or leaves out'
  })),
  misfire: Defaulted(Words(['late', 'skip'], {
    default: 'late', description: 'What to do when it is due while nothing runs'
  }))
}
const targets = Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 20, uniqueItems: true }))
const dry_run = Defaulted(Type.Boolean({ default: false, description: 'Write nothing; show what would be sent where' }))

export const PublishContent = Type.Object({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger, description: 'Default: the approved one' })),
  targets,
  ...when,
  republish: Defaulted(Type.Boolean({ default: false, description: 'Send what is published already once more' })),
  overwrite: Defaulted(Type.Boolean({
    default: false, description: 'wordpress, ghost: also where the post was changed at the site since'
  })),
  dry_run
}, { $id: 'PublishContent', ...closed })
export type PublishContent = Static<typeof PublishContent>

export const UnpublishContent = Type.Object({ targets, ...when, dry_run }, { $id: 'UnpublishContent', ...closed })
export type UnpublishContent = Static<typeof UnpublishContent>
export type When = Pick<PublishContent, 'publish_at' | 'timezone' | 'disambiguation' | 'misfire'>

export const PublicationParams = Type.Object({ content_id: Id, publication_id: Id })
export const FeedHeaders = Type.Object({
  'if-none-match': Type.Optional(Type.String({ maxLength: 1000, description: 'The ETag that the reader holds' })),
  'if-modified-since': Type.Optional(Type.String({ maxLength: 60 }))
})
export const FeedParams = Type.Object({
  feed: Type.String({ maxLength: 100, description: '<project_id>.xml, .atom or .json' })
})
