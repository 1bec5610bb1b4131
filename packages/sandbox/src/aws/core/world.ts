import type { ScalableTarget } from '@aws-sdk/client-application-auto-scaling'
import type { AlarmState } from '../cloudwatch/alarms.js'
import type { ProjectState } from '../codebuild/state.js'
import type { CostBook } from '../costs/state.js'
import type { EcsState } from '../ecs/state.js'
import type { FunctionState } from '../lambda/state.js'
import type { LogGroupState } from '../logs/state.js'
import type { Clock } from './clock.js'
import type { Ids } from './ids.js'
import type { Policy } from './policy.js'
import type { Wire } from './wire.js'

export interface World {
  clock: Clock
  ids: Ids
  accounts: Map<string, Account>
  credentials: Map<string, Credential>
  roles: Map<string, Role>
  denials: Denial[]
  /** Images deleted from their registry: no task or function can use them any more. */
  missingImages: Set<string>
  /** Tags that were moved: what each names now. */
  movedTags: Map<string, string>
  /** Under which tag the registry has shown a digest: the tag decides how an image ends. */
  tagsOfDigests: Map<string, string>
  /** Prefixes of repositories that ECR fills from another registry when an image is first pulled. */
  cachePrefixes: string[]
  /** The duration of a slow function, in real time. */
  slowFunctionMs: number
}

/** Plain data only: a stale read answers from a structured clone. */
export interface Account {
  id: string
  name: string
  regions: Map<string, Region>
  costs: CostBook
}

export interface Region {
  name: string
  accountId: string
  ecs: EcsState
  functions: Map<string, FunctionState>
  codebuild: Map<string, ProjectState>
  alarms: AlarmState[]
  logGroups: Map<string, LogGroupState>
  scalableTargets: Map<string, Wire<ScalableTarget>>
}

export interface Credential {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  accountId: string
  arn: string
  userId: string
  /** Set for credentials that AssumeRole issued. */
  roleArn?: string
  session?: Session
  expiresAt?: number
}

/** What whoever assumed a role said of the session. */
export interface Session {
  name: string
  sourceIdentity: string | null
  tags: Record<string, string>
  /** Limits what the role's own policy allows; absent = it limits nothing. */
  policy: Policy | undefined
}

export interface Role {
  arn: string
  id: string
  accountId: string
  /** The ExternalId that the trust policy requires; `null` = no trust policy yet, so no caller may assume the role. */
  externalId: string | null
  /** False = a careless trust policy: any caller that names the role may assume it. */
  enforceExternalId: boolean
  maxSessionSeconds: number
  /** Whether the trust policy has sts:TagSession and sts:SetSourceIdentity. */
  mayTag: boolean
  maySetSourceIdentity: boolean
  /** What the role's own policies allow; absent = everything. */
  policy: Policy | undefined
}

export type DenialCause =
  'identity_policy' | 'explicit_deny' | 'scp' | 'boundary' | 'session_policy' | 'resource_policy'

export interface Denial {
  action: string
  /** `*` matches any run of characters, as in a policy. */
  resource: string
  cause: DenialCause
  /** Its principal: an access key, a user or role ARN, an account. Absent = all. */
  principal?: string
}

/** The region, created empty on first use: an account can read any region. */
export function regionOf (account: Account, name: string): Region {
  const known = account.regions.get(name)
  if (known) return known
  const region: Region = {
    name,
    accountId: account.id,
    ecs: { clusters: new Map(), taskDefinitions: new Map() },
    functions: new Map(),
    codebuild: new Map(),
    alarms: [],
    logGroups: new Map(),
    scalableTargets: new Map()
  }
  account.regions.set(name, region)
  return region
}
