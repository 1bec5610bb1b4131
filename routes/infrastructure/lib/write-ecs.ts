import type { ECS, Service } from '@aws-sdk/client-ecs'
import type { AccountRow } from '../../../lib/aws/accounts.js'
import {
  allow, allowPass, ecsArn, literal, revisionsArn, roleArn, type ArnLocation, type Statement
} from '../../../lib/aws/sessions.js'
import { stackOf, type Stack } from '../../../lib/aws/stack.js'
import type { TargetKey } from '../../../lib/durable/target-claim.js'
import type { ActingAws, AwsLocation } from '../../../lib/aws/account-clients.js'

export type Json = Record<string, unknown>

export interface RawDefinition { definition: Json, tags: unknown[] }

interface Carrier { request?: { body?: unknown }, response?: { body?: unknown } }
type CarrierStack = Stack<Carrier>

const readAll = async (body: unknown): Promise<Buffer> => {
  if (body instanceof Uint8Array) return Buffer.from(body)
  const parts: Buffer[] = []
  // The handler of Node gives a readable stream.
  for await (const part of body as AsyncIterable<Uint8Array>) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** The SDK's types drop fields that they do not know, so the answer is read before the SDK parses it. */
const capture = (stack: CarrierStack): { text: string } => {
  const captured = { text: '' }
  stack.add((next) => async (args) => {
    const result = await next(args)
    if (!result.response) return result
    const bytes = await readAll(result.response.body)
    captured.text = bytes.toString('utf8')
    result.response.body = bytes
    return result
  }, { step: 'deserialize', priority: 'low', name: 'captureRawAnswer' })
  return captured
}

/** Replaces what the SDK wrote by the whole JSON, before its length and its signature are made. */
const replaceBody = (stack: CarrierStack, json: Json): void => {
  stack.add((next) => async (args) => {
    if (args.request) args.request.body = JSON.stringify(json)
    return next(args)
  }, { step: 'build', priority: 'high', name: 'replaceRawBody' })
}

/**
 * @param arn also family:revision, or a family for its newest active revision
 * @returns the task definition with every field that AWS sent, also those that this SDK does not know
 */
export const readRawDefinition = async (ecs: ECS, arn: string): Promise<RawDefinition> => {
  const { DescribeTaskDefinitionCommand } = await import('@aws-sdk/client-ecs')
  const command = new DescribeTaskDefinitionCommand({ taskDefinition: arn, include: ['TAGS'] })
  const captured = capture(stackOf(command))
  await ecs.send(command)
  // AWS answered 200, so this is DescribeTaskDefinition's answer.
  const { taskDefinition, tags }: { taskDefinition: Json, tags?: unknown[] } = JSON.parse(captured.text)
  return { definition: taskDefinition, tags: tags ?? [] }
}

/** @returns the ARN of the new revision; nothing of the JSON is lost on the way */
export const registerRawDefinition = async (ecs: ECS, json: Json): Promise<string> => {
  const { RegisterTaskDefinitionCommand } = await import('@aws-sdk/client-ecs')
  const command = new RegisterTaskDefinitionCommand({ family: String(json.family), containerDefinitions: [] })
  replaceBody(stackOf(command), json)
  const { taskDefinition } = await ecs.send(command)
  return taskDefinition?.taskDefinitionArn ?? ''
}

const readOnly = new Set(['taskDefinitionArn', 'revision', 'status', 'requiresAttributes', 'compatibilities',
  'registeredAt', 'registeredBy', 'deregisteredAt', 'deleteRequestedAt'])

/** @returns what RegisterTaskDefinition takes of a description: everything but what AWS itself adds */
export const toRegistration = ({ definition, tags }: RawDefinition): Json => ({
  ...Object.fromEntries(Object.entries(definition).filter(([key]) => !readOnly.has(key))),
  ...(tags.length > 0 && { tags })
})

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
