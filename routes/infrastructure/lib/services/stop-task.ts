import type { ECS } from '@aws-sdk/client-ecs'
import { requireWritable } from '../../../../lib/aws/accounts.js'
import { allow, ecsArn, type Statement } from '../../../../lib/aws/sessions.js'
import { withTarget } from '../../../../lib/durable/target-claim.js'
import { requireExpected } from '../../../../lib/tools/digest.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { ContainerTask, StopTask, TaskFacts, TaskStop } from '../../../../schemas/infrastructure/tasks.js'
import { TaskNotFound, TaskNotRunning, keyFor, type ActingDeps, type Deps } from '../errors.js'
import { makeId } from '../identity.js'
import { targetOfService } from '../write-ecs.js'
import { describeTask } from './list-tasks.js'
import { servicesKey } from './read-services.js'
import type { ServiceRef } from './resolve.js'

/** @throws task_not_found for one that ECS does not list, or that another service has started; what AWS answers */
const readTaskNow = async (ecs: ECS, { cluster, service }: ServiceRef, id: string): Promise<ContainerTask> => {
  const { tasks: [task] = [] } = await ecs.describeTasks({ cluster, tasks: [id] }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'aws_resource_not_found') throw TaskNotFound()
    throw error
  })
  if (!task || task.group !== `service:${service}`) throw TaskNotFound()
  return describeTask(task)
}

export const readTask = async ({ aws }: Deps, ref: ServiceRef, id: string): Promise<ContainerTask> =>
  readTaskNow(await aws.client('ecs', ref.account, ref.region), ref, id)

/** @returns what of a task its end is approved on */
export const taskFacts = ({ status, desired_status, task_definition, deployment_id }: ContainerTask): TaskFacts =>
  ({ status, desired_status, task_definition, deployment_id })

/** @throws task_not_running */
export const requireRunning = ({ id, desired_status: desired, status }: ContainerTask): void => {
  if (desired !== 'running') throw TaskNotRunning(`Task ${id} is ${status}, and is to be ${desired}`)
}

/** An old ARN of a task has no cluster. */
const taskStatements = (ref: ServiceRef, id: string): Statement[] =>
  [allow(['ecs:DescribeTasks', 'ecs:StopTask'], ecsArn(ref, 'task', ref.cluster, id), ecsArn(ref, 'task', id))]

/**
 * Ends one task; the service starts another as long as it wants as many.
 * @throws cloud_account_read_only, task_not_found, task_not_running, state_changed, target_busy, and what AWS answers
 */
export const stopTask = async (deps: ActingDeps, ref: ServiceRef, id: string, { expected, reason }: StopTask): Promise<TaskStop> => {
  requireWritable(ref.account)
  try {
    return await withTarget(deps, targetOfService(ref, ref), (claim) =>
      deps.aws.write('ecs', ref, taskStatements(ref, id), async (ecs) => {
        const task = await readTaskNow(ecs, ref, id)
        requireExpected(expected, taskFacts(task))
        requireRunning(task)
        claim.requireHeld()
        const requested = new Date()
        const { task: stopped } = await ecs.stopTask({ cluster: ref.cluster, task: id, reason: reason ?? 'Stopped through Steward' })
        return {
          service_id: makeId(ref.account.id, ref.region, ref.cluster, ref.service),
          task: stopped ? describeTask(stopped) : task,
          requested_at: requested
        }
      }))
  } finally {
    deps.aws.inventory.forget(servicesKey(ref, ref.cluster))
    deps.aws.inventory.forget(keyFor(ref, 'clusters'))
  }
}
