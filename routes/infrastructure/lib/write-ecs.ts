import type { ECS, Service } from '@aws-sdk/client-ecs'
import {
  allow, allowPass, ecsArn, literal, revisionsArn, roleArn, type ArnLocation, type Statement
} from '../../../lib/aws/session-policy.js'
import type { ActingAws, AwsLocation } from '../../../plugins/aws.js'
import type { Json } from './raw-definition.js'

/** Sends one write to ECS, in a session that may do what is allowed and nothing else. */
export type WriteEcs = <T>(allowed: readonly Statement[], send: (ecs: ECS) => Promise<T>) => Promise<T>

export const writeEcs = (aws: ActingAws, location: AwsLocation): WriteEcs =>
  (allowed, send) => aws.write('ecs', location, allowed, send)

interface Named { cluster: string, service: string }

/** @param found the service as AWS described it: an old one has an ARN without its cluster */
export const serviceArn = (location: ArnLocation, { cluster, service }: Named, found?: Service): string =>
  found?.serviceArn === undefined ? ecsArn(location, 'service', cluster, service) : literal(found.serviceArn)

export const updateStatements = (location: ArnLocation, named: Named, found?: Service): Statement[] =>
  [allow('ecs:UpdateService', serviceArn(location, named, found))]

/** AWS asks for the permission on the service and on its deployment. */
export const stopStatements = (
  location: ArnLocation, named: Named, found: Service, deploymentArn: string
): Statement[] =>
  [allow('ecs:StopServiceDeployment', serviceArn(location, named, found), literal(deploymentArn))]

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
