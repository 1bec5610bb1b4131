import type {
  DeregisterTaskDefinitionRequest, DescribeTaskDefinitionRequest, DescribeTaskDefinitionResponse,
  ListTaskDefinitionsRequest, ListTaskDefinitionsResponse, Tag
} from '@aws-sdk/client-ecs'
import { AwsError, invalid } from '../core/errors.js'
import { authorize, operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import { seconds, type Wire } from '../core/wire.js'
import type { Region } from '../core/world.js'
import { isRecord } from './containers.js'
import { ecsArn, findTaskDefinition } from './lookup.js'
import type { TaskDefinitionState } from './state.js'

const READ_ONLY = new Set([
  'taskDefinitionArn',
  'revision',
  'status',
  'requiresAttributes',
  'compatibilities',
  'registeredAt',
  'registeredBy',
  'deregisteredAt',
  'deleteRequestedAt',
  'tags'
])

const CONTAINER_DEFAULTS = {
  cpu: 0,
  essential: true,
  environment: [],
  mountPoints: [],
  portMappings: [],
  systemControls: [],
  volumesFrom: []
}

export const taskDefinitionOperations = {
  DescribeTaskDefinition: operation('ecs:DescribeTaskDefinition', describeTaskDefinition),
  ListTaskDefinitions: operation('ecs:ListTaskDefinitions', listTaskDefinitions),
  RegisterTaskDefinition: operation('ecs:RegisterTaskDefinition', registerTaskDefinition, ({ region, input }) =>
    ecsArn(region, `task-definition/${String(input['family'])}:*`)
  ),
  DeregisterTaskDefinition: operation('ecs:DeregisterTaskDefinition', deregisterTaskDefinition)
}

/** Adds a revision of a family. Keys that the sandbox does not know are kept as they came. */
export function addTaskDefinition (
  region: Region,
  input: Record<string, unknown>,
  registered: { at: number; by: string }
): TaskDefinitionState {
  const family = String(input['family'])
  const revisions = region.ecs.taskDefinitions.get(family) ?? []
  const revision = (revisions.at(-1)?.revision ?? 0) + 1
  const arn = ecsArn(region, `task-definition/${family}:${revision}`)
  const definition = {
    arn,
    family,
    revision,
    body: body(input, { arn, revision, ...registered }),
    tags: tagsOf(input)
  }
  region.ecs.taskDefinitions.set(family, [...revisions, definition])
  return definition
}

function describeTaskDefinition ({
  region,
  input
}: Call<DescribeTaskDefinitionRequest>): Omit<Wire<DescribeTaskDefinitionResponse>, 'taskDefinition'> & {
  taskDefinition: Record<string, unknown>
} {
  const definition = input.taskDefinition ? findTaskDefinition(region, input.taskDefinition) : undefined
  if (!definition) throw new AwsError('ClientException', 'Unable to describe task definition.')
  return {
    taskDefinition: definition.body,
    ...(input.include?.includes('TAGS') ? { tags: definition.tags } : {})
  }
}

function listTaskDefinitions ({ region, input }: Call<ListTaskDefinitionsRequest>): Wire<ListTaskDefinitionsResponse> {
  const wanted = input.status ?? 'ACTIVE'
  const arns = [...region.ecs.taskDefinitions.values()]
    .flat()
    .filter((one) => !input.familyPrefix || one.family === input.familyPrefix)
    .filter((one) => one.body['status'] === wanted)
    .map((one) => one.arn)
  if (input.sort === 'DESC') arns.reverse()
  const request = { size: input.maxResults, token: input.nextToken }
  const { items, nextToken } = page(arns, 'task-definitions', request, { fallback: 100, max: 100 })
  return { taskDefinitionArns: items, nextToken }
}

function registerTaskDefinition (call: Call<Record<string, unknown>>) {
  const { input, region, caller, now } = call
  // AWS checks permissions before the arguments.
  for (const key of ['taskRoleArn', 'executionRoleArn']) {
    const role = input[key]
    if (typeof role === 'string' && role !== '') {
      authorize(call, 'iam:PassRole', role, { 'iam:passedtoservice': 'ecs-tasks.amazonaws.com' })
    }
  }
  if (Array.isArray(input['tags']) && input['tags'].length > 0) {
    authorize(call, 'ecs:TagResource', ecsArn(region, `task-definition/${String(input['family'])}:*`))
  }
  requireValid(input)
  const definition = addTaskDefinition(region, input, { at: now, by: caller.arn })
  return { taskDefinition: definition.body, tags: definition.tags }
}

function deregisterTaskDefinition ({ region, input, now }: Call<DeregisterTaskDefinitionRequest>) {
  const definition = input.taskDefinition ? findTaskDefinition(region, input.taskDefinition) : undefined
  if (!definition) throw new AwsError('ClientException', 'Unable to describe task definition.')
  Object.assign(definition.body, { status: 'INACTIVE', deregisteredAt: seconds(now) })
  return { taskDefinition: definition.body }
}

function requireValid (input: Record<string, unknown>): void {
  if (typeof input['family'] !== 'string' || !/^[\w-]{1,255}$/.test(input['family'])) {
    throw new AwsError('ClientException', 'Family contains invalid characters.')
  }
  const containers = input['containerDefinitions']
  if (!Array.isArray(containers) || containers.length === 0) {
    throw new AwsError('ClientException', 'Container list cannot be empty.')
  }
  for (const container of containers) requireContainer(container, input)
}

function requireContainer (container: unknown, input: Record<string, unknown>): void {
  if (!isRecord(container)) throw invalid('containerDefinitions must be a list of objects.')
  if (!container['name']) throw new AwsError('ClientException', 'Container.name should not be null or empty.')
  if (!container['image']) throw new AwsError('ClientException', 'Container.image should not be null or empty.')
  const fargate =
    Array.isArray(input['requiresCompatibilities']) && input['requiresCompatibilities'].includes('FARGATE')
  if (fargate && (!input['cpu'] || !input['memory'])) {
    throw new AwsError('ClientException', "Fargate requires that 'cpu' and 'memory' be defined at the task level.")
  }
  if (!fargate && !input['memory'] && !container['memory'] && !container['memoryReservation']) {
    const text = `Invalid setting for container '${String(container['name'])}'.`
    throw new AwsError(
      'ClientException',
      `${text} At least one of 'memory' or 'memoryReservation' must be specified.`
    )
  }
}

function body (
  input: Record<string, unknown>,
  added: { arn: string; revision: number; at: number; by: string }
): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(input).filter(([key]) => !READ_ONLY.has(key)))
  const containers = Array.isArray(input['containerDefinitions'])
    ? input['containerDefinitions'].filter(isRecord)
    : []
  return {
    taskDefinitionArn: added.arn,
    volumes: [],
    placementConstraints: [],
    ...kept,
    containerDefinitions: containers.map((one) => ({ ...CONTAINER_DEFAULTS, ...one })),
    revision: added.revision,
    status: 'ACTIVE',
    requiresAttributes: [{ name: 'com.amazonaws.ecs.capability.docker-remote-api.1.18' }],
    compatibilities: ['EC2', 'FARGATE'],
    registeredAt: seconds(added.at),
    registeredBy: added.by
  }
}

function tagsOf (input: Record<string, unknown>): Tag[] {
  const tags = Array.isArray(input['tags']) ? input['tags'].filter(isRecord) : []
  return tags.map((tag) => ({ key: String(tag['key']), value: String(tag['value'] ?? '') }))
}
