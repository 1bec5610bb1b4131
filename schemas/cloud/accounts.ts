import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, Timestamp, Words, partialPage } from '../common.js'
import { keysOf } from '../unknown.js'

export type Partition = 'aws' | 'aws-cn' | 'aws-us-gov'

const commercial = ['af-south-1', 'ap-east-1', 'ap-east-2', 'ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3',
  'ap-south-1', 'ap-south-2', 'ap-southeast-1', 'ap-southeast-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5',
  'ap-southeast-6', 'ap-southeast-7', 'ca-central-1', 'ca-west-1', 'eu-central-1', 'eu-central-2', 'eu-north-1',
  'eu-south-1', 'eu-south-2', 'eu-west-1', 'eu-west-2', 'eu-west-3', 'il-central-1', 'me-central-1', 'me-south-1',
  'mx-central-1', 'sa-east-1', 'us-east-1', 'us-east-2', 'us-west-1', 'us-west-2']

const partitions: Record<Partition, string[]> = {
  'aws': commercial,
  'aws-cn': ['cn-north-1', 'cn-northwest-1'],
  'aws-us-gov': ['us-gov-east-1', 'us-gov-west-1']
}

/** @returns the partition that holds the region; undefined when AWS has no such region */
export const partitionOf = (region: string): Partition | undefined =>
  keysOf(partitions).find((partition) => partitions[partition].includes(region))

/** @returns the console's host of a partition */
export const consoleOf = (partition: string, region: string): string => {
  if (partition === 'aws-cn') return `https://${region}.console.amazonaws.cn`
  return partition === 'aws-us-gov'
    ? `https://${region}.console.amazonaws-us-gov.com`
    : `https://${region}.console.aws.amazon.com`
}

/**
 * The IAM actions that Steward calls, by the policy that grants them: what setup prints, what docs/cloud-accounts.md
 * lists, what the account test tries and what the code sends are this list, and test/guards/permissions.deep.ts
 * compares them.
 */
export const permissions = {
  read: ['ecs:ListClusters', 'ecs:DescribeClusters', 'ecs:ListServices', 'ecs:DescribeServices', 'ecs:ListTasks',
    'ecs:DescribeTasks', 'ecs:DescribeTaskDefinition', 'ecs:ListServiceDeployments', 'ecs:DescribeServiceDeployments',
    'ecs:DescribeServiceRevisions', 'application-autoscaling:DescribeScalableTargets', 'lambda:ListFunctions',
    'lambda:GetFunction', 'lambda:GetFunctionConfiguration', 'lambda:ListAliases',
    'cloudwatch:GetMetricData', 'cloudwatch:ListMetrics', 'cloudwatch:DescribeAlarms',
    'ecr:DescribeImages', 'ecr:DescribePullThroughCacheRules'],
  costs: ['ce:GetCostAndUsage', 'ce:GetCostForecast', 'ce:GetAnomalies', 'ce:GetTags'],
  deploy: ['ecs:UpdateService', 'ecs:StopServiceDeployment', 'ecs:StopTask', 'ecs:RegisterTaskDefinition', 'ecs:TagResource',
    'application-autoscaling:RegisterScalableTarget', 'lambda:UpdateFunctionCode',
    'lambda:PublishVersion', 'lambda:UpdateAlias', 'iam:PassRole'],
  build: ['codebuild:StartBuild', 'codebuild:StopBuild', 'codebuild:BatchGetBuilds', 'codebuild:BatchGetProjects',
    'codebuild:ListBuildsForProject'],
  invoke: ['lambda:InvokeFunction'],
  logs: ['logs:FilterLogEvents']
} as const

/** For whom AWS is asked to change something: AWS's own log shows it. */
export interface Actor {
  /** null for work that was stored before Steward kept who began it. */
  user_id: string | null
  /** The assistant's run, where there is one. */
  run_id: string | null
  /** The approval that the write follows from; null for what a person sends directly. */
  confirmation_id: string | null
}

/** What the trust policy of a role lets Steward write on its sessions. */
export interface SessionMarks { tags: boolean, source_identity: boolean }

const Region = Type.String({
  pattern: '^[a-z]{2}(-[a-z]+)+-[0-9]$',
  examples: ['eu-west-1'],
  maxLength: 30,
  description: 'Such as eu-west-1'
})
export const RoleArn = Type.String({
  pattern: '^arn:aws(-[a-z]+)*:iam::[0-9]{12}:role/[\\w+=,.@/-]{1,512}$',
  examples: ['arn:aws:iam::123456789012:role/steward'],
  maxLength: 600,
  description: 'The role that Steward assumes in the account'
})
const Name = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S', description: 'Unique in the workspace' })
export const Environment = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,29}$',
  examples: ['staging'],
  description: 'What the account is for, such as production or staging'
})
const ReadOnly = Type.Boolean({
  description: 'Steward changes nothing through the account, whoever asks and whatever its credentials allow'
})
const Regions = Type.Array(Region, { minItems: 1, maxItems: 20, uniqueItems: true, description: 'Where to look' })

/** As a row holds it, beside the encrypted secret. */
export type StoredAuth =
  { type: 'assume_role', role_arn: string | null, external_id: string, session_seconds: number } |
  { type: 'access_keys', access_key_id_hint: string, rotated_at: string } |
  { type: 'ambient' }

export const CloudAuthInput = Type.Object({
  type: Words(['assume_role', 'access_keys', 'ambient'] as const, {
    description: 'assume_role: a role in the account (recommended); access_keys: a key pair, kept encrypted; ' +
      'ambient: whatever identity this server itself runs as'
  }),
  role_arn: Type.Optional(RoleArn),
  session_seconds: Type.Optional(Type.Integer({
    minimum: 900, maximum: 43_200, description: 'With assume_role; 3600 when absent'
  })),
  access_key_id: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{16,128}$', examples: ['AKIAIOSFODNN7EXAMPLE'] })),
  secret_access_key: Type.Optional(Type.String({ minLength: 8, maxLength: 256, description: 'Never returned' }))
}, { $id: 'CloudAuthInput', additionalProperties: false })
export type CloudAuthInput = Static<typeof CloudAuthInput>

export const CreateCloudAccount = Type.Object({
  name: Name,
  regions: Regions,
  default_region: Type.Optional(Region),
  auth: CloudAuthInput,
  environment: Type.Optional(Environment),
  read_only: Type.Optional(ReadOnly)
}, { $id: 'CreateCloudAccount', additionalProperties: false })
export type CreateCloudAccount = Static<typeof CreateCloudAccount>

export const UpdateCloudAccount = Type.Object({
  name: Type.Optional(Name),
  regions: Type.Optional(Regions),
  default_region: Type.Optional(Region),
  auth: Type.Optional(CloudAuthInput),
  disabled: Type.Optional(Type.Boolean({ description: 'A disabled account is not asked by lists' })),
  environment: Type.Optional(Nullable(Environment)),
  read_only: Type.Optional(ReadOnly)
}, { $id: 'UpdateCloudAccount', additionalProperties: false, minProperties: 1 })
export type UpdateCloudAccount = Static<typeof UpdateCloudAccount>

export const CloudAuth = Type.Object({
  type: Words(['assume_role', 'access_keys', 'ambient'] as const),
  role_arn: Type.Optional(Nullable(Type.String())),
  external_id: Type.Optional(Type.String({ description: 'Made by the server, for the trust policy of the role' })),
  session_seconds: Type.Optional(Type.Integer()),
  base: Type.Optional(Words(['ambient'] as const, { description: 'The identity that assumes the role' })),
  access_key_id_hint: Type.Optional(Type.String({ description: 'The last four characters' })),
  has_secret: Type.Optional(Type.Boolean()),
  rotated_at: Type.Optional(Timestamp),
  age_days: Type.Optional(Type.Integer())
}, { $id: 'CloudAuth' })
export type CloudAuth = Static<typeof CloudAuth>

export const accountStatuses = ['incomplete', 'unverified', 'connected', 'degraded', 'failed', 'disabled'] as const
export type AccountStatus = typeof accountStatuses[number]

/** @returns the status that the API shows: incomplete without the role's ARN, whatever the row says */
export const statusOf = ({ status, auth }: { status: AccountStatus, auth: StoredAuth }): AccountStatus =>
  status !== 'disabled' && auth.type === 'assume_role' && auth.role_arn === null ? 'incomplete' : status

const refusals: Partial<Record<AccountStatus, string>> = {
  disabled: 'The cloud account is disabled. An admin can enable it: PATCH /cloud/accounts/{account_id} with ' +
    'disabled: false',
  incomplete: 'The cloud account waits for the ARN of its role. An admin can give it: ' +
    'PATCH /cloud/accounts/{account_id} with auth.role_arn'
}

/** @returns why the account cannot be used, and what to do; undefined when it can */
export const whyUnusable = (account: { status: AccountStatus, auth: StoredAuth }): string | undefined =>
  refusals[statusOf(account)]

export const capabilityNames = ['costs', 'containers_read', 'containers_write', 'serverless_read', 'serverless_invoke',
  'logs'] as const
export type CapabilityName = typeof capabilityNames[number]

const Capability = Words(['ok', 'denied', 'unknown'] as const)
export const Capabilities = Type.Object({
  costs: Capability,
  containers_read: Capability,
  containers_write: Capability,
  serverless_read: Capability,
  serverless_invoke: Capability,
  logs: Capability
}, { $id: 'CloudCapabilities', description: 'What the last test found' })
export type Capabilities = Static<typeof Capabilities>

export const CloudSessions = Type.Object({
  narrowed: Type.Boolean({
    description: 'Each change is sent in a session of its own, which AWS lets do that change and nothing else; reads ' +
      'go in a session that changes nothing'
  }),
  reason: Nullable(Type.String({ description: 'Why not, or what the trust policy of the role still lacks' })),
  tags: Nullable(Type.Boolean({
    description: 'Whether sessions carry the person, the approval and the run as tags; null = not tried yet'
  })),
  source_identity: Nullable(Type.Boolean({ description: 'Whether they carry the person as source identity' }))
}, { $id: 'CloudSessions', description: 'What limits a change in AWS, and what AWS\'s own log says of it' })
export type CloudSessions = Static<typeof CloudSessions>

export const CloudAccount = Type.Object({
  id: Id,
  name: Type.String(),
  provider: Type.Literal('aws'),
  aws_account_id: Nullable(Type.String({ description: '12 digits; null until a test found it' })),
  partition: Words(['aws', 'aws-cn', 'aws-us-gov'] as const),
  regions: Type.Array(Type.String()),
  default_region: Type.String(),
  auth: CloudAuth,
  status: Words(accountStatuses, {
    description: 'incomplete: waits for its role_arn and is not used; unverified until the first test'
  }),
  capabilities: Capabilities,
  last_test: Nullable(Type.Object({ at: Timestamp, status: Type.String() })),
  credential_version: Type.Integer(),
  environment: Nullable(Type.String({ description: 'What the account is for; null = nobody said' })),
  read_only: ReadOnly,
  sessions: CloudSessions,
  sandbox: Type.Boolean({ description: 'The sandbox on loopback answers for this account, not AWS' }),
  revision: Type.Integer(),
  created_by: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp
}, { $id: 'CloudAccount' })
export type CloudAccount = Static<typeof CloudAccount>

const Policy = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
export const AccountSetup = Type.Object({
  trust_policy: Policy,
  policies: Type.Object({ read: Policy, costs: Policy, deploy: Policy, build: Policy, invoke: Policy, logs: Policy })
}, { $id: 'AccountSetup', description: 'IAM documents to paste: who may assume the role, and what it may do' })
export type AccountSetup = Static<typeof AccountSetup>

export const NewCloudAccount = Type.Composite([CloudAccount, Type.Object({ setup: AccountSetup })],
  { $id: 'NewCloudAccount' })
export type NewCloudAccount = Static<typeof NewCloudAccount>

export const CloudAccountPage = partialPage(CloudAccount, 'CloudAccountPage')
export const AccountParams = Type.Object({ account_id: Id })
