import type { ScalableTarget } from '@aws-sdk/client-application-auto-scaling'
import type { CostBook } from '../costs/state.js'
import type { EcsState } from '../ecs/state.js'
import type { FunctionState } from '../lambda/state.js'
import type { LogGroupState } from '../logs/state.js'
import type { Clock } from './clock.js'
import type { Ids } from './ids.js'
import type { Wire } from './wire.js'

export interface World {
  clock: Clock
  ids: Ids
  accounts: Map<string, Account>
  credentials: Map<string, Credential>
  roles: Map<string, Role>
  denials: Denial[]
  /** Images that were deleted from their registry: no task and no function can be made of them any more. */
  missingImages: Set<string>
  /** How long a function that is slow takes, in real time. */
  slowFunctionMs: number
}

/** Plain data all the way down: a stale read answers from a structured clone. */
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
  /** Set for what AssumeRole issued. */
  roleArn?: string
  expiresAt?: number
}

export interface Role {
  arn: string
  id: string
  accountId: string
  /** What the trust policy demands; `null` = no trust policy yet, nobody may assume the role. */
  externalId: string | null
  /** False = the careless trust policy: anybody who names the role may assume it. */
  enforceExternalId: boolean
  maxSessionSeconds: number
}

export type DenialCause =
  'identity_policy' | 'explicit_deny' | 'scp' | 'boundary' | 'session_policy' | 'resource_policy'

export interface Denial {
  action: string
  /** `*` matches any run of characters, as in a policy. */
  resource: string
  cause: DenialCause
  /** Whom it binds: an access key, a user or role ARN, an account. Absent = everybody. */
  principal?: string
}

/** The region, made empty on first sight: an account can look into any region. */
export function regionOf (account: Account, name: string): Region {
  const known = account.regions.get(name)
  if (known) return known
  const region: Region = {
    name,
    accountId: account.id,
    ecs: { clusters: new Map(), taskDefinitions: new Map() },
    functions: new Map(),
    logGroups: new Map(),
    scalableTargets: new Map()
  }
  account.regions.set(name, region)
  return region
}
