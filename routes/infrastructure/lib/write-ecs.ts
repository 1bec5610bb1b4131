import type { ECS, Service } from '@aws-sdk/client-ecs'
import {
  allow, allowPass, ecsArn, literal, revisionsArn, roleArn, type ArnLocation, type Statement
} from '../../../lib/aws/session-policy.js'
import type { AccountRow } from '../../../lib/aws/accounts.js'
import type { TargetKey } from '../../../lib/durable/target-claim.js'
import type { ActingAws, AwsLocation } from '../../../plugins/aws.js'
import type { Json } from './raw-definition.js'

/** Sends one write to ECS, in a session that may do what is allowed and nothing else. */
export type WriteEcs = <T>(allowed: readonly Statement[], send: (ecs: ECS) => Promise<T>) => Promise<T>

export const writeEcs = (aws: ActingAws, location: AwsLocation): WriteEcs =>
  (allowed, send) => aws.write('ecs', location, allowed, send)

interface Named { cluster: string, service: string }

interface Location { account: Pick<AccountRow, 'workspace_id' | 'id' | 'aws_account_id'>, region: string }

/**
 * A resource as all that change it claim it: by the number of AWS's account where that is known, which several accounts
 * of a workspace may have.
 */
export const targetIn = ({ account, region }: Location, kind: string,
  ...path: string[]): TargetKey => ({
  workspace_id: account.workspace_id, target: [kind, account.aws_account_id ?? account.id, region, ...path].join('~')
})

export const targetOfService = (location: Location, { cluster, service }: Named) =>
  targetIn(location, 'ecs_service', cluster, service)

export const targetOfFunction = (location: { account: AccountRow, region: string, name: string }) =>
  targetIn(location, 'lambda_function', location.name)

/** The names of a service; an old one has an ARN without its cluster. */
const serviceArns = (location: ArnLocation, { cluster, service }: Named): string[] =>
  [ecsArn(location, 'service', cluster, service), ecsArn(location, 'service', service)]

/** @param found the service as AWS described it, where it was read before the session is opened */
const namesOf = (location: ArnLocation, named: Named, found?: Service): string[] =>
  found?.serviceArn === undefined ? serviceArns(location, named) : [literal(found.serviceArn)]

/** What a session reads of the service before it changes it. */
export const describeStatements = (location: ArnLocation, named: Named): Statement[] =>
  [allow('ecs:DescribeServices', ...serviceArns(location, named))]

export const updateStatements = (location: ArnLocation, named: Named, found?: Service): Statement[] =>
  [allow('ecs:UpdateService', ...namesOf(location, named, found))]

/** AWS asks for the permission on the service and on its deployment. */
export const stopStatements = (
  location: ArnLocation, named: Named, found: Service, deploymentArn: string
): Statement[] =>
  [allow('ecs:StopServiceDeployment', ...namesOf(location, named, found), literal(deploymentArn))]

const roleFields = ['taskRoleArn', 'executionRoleArn'] as const

/** A new revision of one family, with its tags, and the two roles that its tasks get. */
export const registerStatements = (location: ArnLocation, definition: Json): Statement[] => {
  const revisions = revisionsArn(location, String(definition.family))
  const roles = roleFields.flatMap((field) => {
    const role = definition[field]
    return typeof role === 'string' && role !== '' ? [roleArn(location, role)] : []
  })
  return [
    allow(definition.tags === undefined
      ? 'ecs:RegisterTaskDefinition'
      : ['ecs:RegisterTaskDefinition', 'ecs:TagResource'], revisions),
    ...(roles.length > 0 ? [allowPass(...new Set(roles))] : [])
  ]
}
