import type { ECS, Failure, Task } from '@aws-sdk/client-ecs'
import { collectPages } from '../../../../lib/aws/pages.js'
import type { ContainerTask, TaskQuery } from '../../../../schemas/infrastructure/tasks.js'
import type { Gathered, Deps } from '../errors.js'
import { nameOf } from '../identity.js'
import { chunked } from './read-clusters.js'
import { addressOf, healthOf, loadService } from './read-service.js'
import type { ServiceRef } from './resolve.js'

/** ECS allows 5,000 tasks of a service; stopped ones come and go within an hour. */
const maxPages = 100
/** DescribeTasks takes no more. */
const chunk = 100

/** @returns the task as the API returns it */
export const describeTask = (task: Task): ContainerTask => ({
  id: nameOf(task.taskArn),
  arn: task.taskArn ?? '',
  status: (task.lastStatus ?? 'unknown').toLowerCase(),
  desired_status: (task.desiredStatus ?? 'unknown').toLowerCase(),
  health: healthOf(task),
  task_definition: nameOf(task.taskDefinitionArn),
  deployment_id: task.startedBy ?? null,
  availability_zone: task.availabilityZone ?? null,
  private_address: addressOf(task),
  created_at: task.createdAt ?? null,
  started_at: task.startedAt ?? null,
  stopped_at: task.stoppedAt ?? null,
  stop_code: task.stopCode ?? null,
  stopped_reason: task.stoppedReason ?? null,
  containers: (task.containers ?? []).map(({ name = '', image, lastStatus, exitCode, reason }) => ({
    name, image: image ?? null, status: lastStatus?.toLowerCase() ?? null, exit_code: exitCode ?? null, reason: reason ?? null
  }))
})

const listOf = (ecs: ECS, { cluster, service: serviceName }: ServiceRef, desiredStatus: 'RUNNING' | 'STOPPED'): Promise<string[]> =>
  collectPages({ what: 'ListTasks', maxPages }, async (nextToken) => {
    const page = await ecs.listTasks({ cluster, serviceName, desiredStatus, maxResults: 100, nextToken })
    return { items: page.taskArns ?? [], next: page.nextToken }
  })

const statuses = { running: ['RUNNING'], stopped: ['STOPPED'], all: ['RUNNING', 'STOPPED'] } as const

/** ECS has forgotten it since it was listed: it is none any more. */
const isGone = ({ reason }: Failure): boolean => reason === 'MISSING'

/**
 * @returns the tasks, and an error where ECS did not describe a task that it listed
 * @throws service_not_found, and what AWS answers
 */
export const listTasks = async (deps: Deps, ref: ServiceRef, { state }: TaskQuery): Promise<Gathered<ContainerTask>> => {
  await loadService(deps, ref)
  const ecs = await deps.aws.client('ecs', ref.account, ref.region)
  const arns = (await Promise.all(statuses[state ?? 'all'].map((status) => listOf(ecs, ref, status)))).flat()
  const pages = await Promise.all(chunked(arns, chunk).map((tasks) => ecs.describeTasks({ cluster: ref.cluster, tasks })))
  const unread = pages.flatMap(({ failures = [] }) => failures).filter((failure) => !isGone(failure))
  const reasons = new Set(unread.map(({ reason }) => reason ?? 'no reason was given'))
  const errors = unread.length === 0
    ? []
    : [{
        account_id: ref.account.id,
        region: ref.region,
        code: 'task_not_described',
        detail: `ECS did not describe ${unread.length} of ${arns.length} tasks: ${[...reasons].join(', ')}`,
        aws_request_id: null
      }]
  return { found: pages.flatMap(({ tasks = [] }) => tasks).map(describeTask), errors, partial: errors.length > 0, age: 0 }
}
