import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp, Words, Id } from '../common.js'
import { capabilityNames, type CapabilityName } from './accounts.js'

export const TrailQuery = Type.Object({
  user_id: Type.Optional(Id),
  confirmation_id: Type.Optional(Id)
})
export type TrailQuery = Static<typeof TrailQuery>

const LogQuery = Type.Object({
  command: Type.String({ description: 'For the AWS CLI: CloudTrail\'s event history, 90 days of one region' }),
  sql: Type.String({ description: 'For Athena, over a CloudTrail table called cloudtrail_logs' })
}, { $id: 'CloudLogQuery' })
export type LogQuery = Static<typeof LogQuery>

export const CloudTrail = Type.Object({
  narrowed: Type.Boolean(),
  reason: Nullable(Type.String({ description: 'Why AWS\'s log does not tell people and approvals apart' })),
  person: Nullable(LogQuery),
  approval: Nullable(LogQuery)
}, {
  $id: 'CloudTrail',
  description: 'What to ask CloudTrail: the changes that were sent for one person, and those of one approval'
})
export type CloudTrail = Static<typeof CloudTrail>

export const outcomes = ['allowed', 'inferred', 'denied', 'error', 'skipped'] as const
export type Outcome = typeof outcomes[number]
export const warnings = ['external_id_not_enforced', 'keys_older_than_90_days', 'wrong_account', 'root_credentials',
  'region_disabled', 'session_tags_not_allowed', 'source_identity_not_allowed', 'session_policy_ignored'] as const
export type Warning = typeof warnings[number]

export const AccountCheck = Type.Object({
  id: Type.String({ description: '<region>/<action>' }),
  action: Type.String({ description: 'As IAM names it' }),
  capability: Nullable(Words<CapabilityName>(capabilityNames)),
  region: Type.String(),
  outcome: Words<Outcome>(outcomes, {
    description: 'inferred: AWS refused the probe for another reason than permission; error says nothing of permission'
  }),
  resource: Nullable(Type.String()),
  detail: Nullable(Type.String()),
  aws_code: Nullable(Type.String()),
  aws_request_id: Nullable(Type.String())
}, { $id: 'AccountCheck' })
export type AccountCheck = Static<typeof AccountCheck>

export const MissingPermission = Type.Object({
  action: Type.String(),
  resource: Nullable(Type.String()),
  cause: Words(['identity_policy', 'explicit_deny', 'scp', 'boundary', 'session_policy', 'unknown'] as const),
  breaks: Type.Array(Type.String(), { description: 'The capabilities that need it' })
}, { $id: 'MissingPermission' })
export type MissingPermission = Static<typeof MissingPermission>

export const AccountTest = Type.Object({
  status: Words(['passed', 'partial', 'failed'] as const, {
    description: 'failed: the credentials do not work; partial: some action is denied or could not be probed'
  }),
  identity: Nullable(Type.Object({ account: Type.String(), arn: Type.String() })),
  checked_at: Timestamp,
  duration_ms: Type.Integer(),
  checks: Type.Array(AccountCheck),
  missing_permissions: Type.Array(MissingPermission),
  policy_to_add: Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  warnings: Type.Array(Words<Warning>(warnings, {
    description: 'session_tags_not_allowed and source_identity_not_allowed: the trust policy of the role lacks ' +
      'sts:TagSession or sts:SetSourceIdentity, so AWS\'s log shows less; session_policy_ignored: AWS does not limit ' +
      'the sessions of writes'
  }))
}, { $id: 'AccountTest' })
export type AccountTest = Static<typeof AccountTest>
