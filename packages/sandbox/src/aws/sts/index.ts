import type { AssumeRoleResponse, GetCallerIdentityResponse } from '@aws-sdk/client-sts'
import type { AwsError } from '../core/errors.js'
import { operation, type Call, type Operation } from '../core/operation.js'
import type { Credential, Role, Session } from '../core/world.js'
import { notAuthorized, readSession, validationError, type StsInput } from './session.js'

export const stsOperations: Record<string, Operation> = {
  // AWS allows this operation whatever the policies are.
  GetCallerIdentity: { ...operation('sts:GetCallerIdentity', getCallerIdentity), checked: false },
  AssumeRole: operation('sts:AssumeRole', assumeRole, ({ input }) => input.RoleArn ?? '*')
}

function getCallerIdentity ({ caller }: Call<unknown>): GetCallerIdentityResponse {
  return { Arn: caller.arn, UserId: caller.userId, Account: caller.accountId }
}

function assumeRole (call: Call<StsInput>): AssumeRoleResponse {
  const { input, world, now } = call
  const name = input.RoleSessionName ?? ''
  if (!/^[\w+=,.@-]{2,64}$/.test(name)) {
    throw validationError(
      `Value '${name}' at 'roleSessionName' failed to satisfy constraint: ` +
        'Member must satisfy regular expression pattern: [\\w+=,.@-]*'
    )
  }
  const role = world.roles.get(input.RoleArn ?? '')
  if (!role || !trusts(role, input.ExternalId)) throw refused(call)
  const lifetimeMs = lifetime(call, role) * 1000
  const { packedSize, ...session } = readSession(call, role)
  const credential = issue(call, role, { name, ...session }, now + lifetimeMs)
  world.credentials.set(credential.accessKeyId, credential)
  return {
    Credentials: {
      AccessKeyId: credential.accessKeyId,
      SecretAccessKey: credential.secretAccessKey,
      SessionToken: credential.sessionToken,
      // The client compares it with its own clock, which may differ from the sandbox's clock.
      Expiration: new Date(Date.now() + lifetimeMs)
    },
    AssumedRoleUser: { Arn: credential.arn, AssumedRoleId: credential.userId },
    PackedPolicySize: packedSize,
    SourceIdentity: session.sourceIdentity ?? undefined
  }
}

function trusts (role: Role, externalId: string | undefined): boolean {
  if (!role.enforceExternalId) return true
  return role.externalId !== null && role.externalId === externalId
}

function lifetime ({ input, caller }: Call<StsInput>, role: Role): number {
  const wanted = Number(input.DurationSeconds ?? 3600)
  if (!(wanted >= 900 && wanted <= 43200)) {
    throw validationError(
      `Value '${wanted}' at 'durationSeconds' failed to satisfy constraint: between 900 and 43200`
    )
  }
  if (caller.roleArn && wanted > 3600) {
    throw validationError(
      'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining'
    )
  }
  if (wanted > role.maxSessionSeconds) {
    throw validationError('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.')
  }
  return wanted
}

function issue ({ world }: Call<unknown>, role: Role, session: Session, expiresAt: number): Credential {
  const name = role.arn.slice(role.arn.lastIndexOf('/') + 1)
  return {
    accessKeyId: `ASIA${world.ids.upper(16)}`,
    secretAccessKey: world.ids.mixed(40),
    sessionToken: `sandbox-session-${world.ids.mixed(64)}`,
    accountId: role.accountId,
    arn: `arn:aws:sts::${role.accountId}:assumed-role/${name}/${session.name}`,
    userId: `${role.id}:${session.name}`,
    roleArn: role.arn,
    session,
    expiresAt
  }
}

/** STS does not reveal whether the role is missing or the ExternalId wrong. */
function refused (call: Call<StsInput>): AwsError {
  return notAuthorized(call, 'sts:AssumeRole')
}
