import type { ECS, Task } from '@aws-sdk/client-ecs'
import type { DeploymentRow } from '../../../../db/infrastructure/service-deployments.js'
import type { ServiceDeployment } from '../../../../schemas/infrastructure/service-deployments.js'
import type { TaskFailure } from '../../../../schemas/infrastructure/services.js'
import { nameOf, makeId } from '../identity.js'
import { chunked } from './read-clusters.js'

/** @returns the row as the API returns it */
export const describeDeploymentRow = (row: DeploymentRow): ServiceDeployment => ({
  id: row.id,
  service_id: makeId(row.account_id, row.region, row.cluster, row.service),
  kind: row.kind,
  status: row.status,
  status_reason: row.status_reason,
  expected: row.expected,
  previous_task_definition: row.previous_task_definition,
  target_task_definition: row.target_task_definition,
  changes: row.changes,
  aws_deployment_id: row.aws_deployment_id,
  aws_service_deployment_arn: row.aws_service_deployment_arn,
  progress: row.progress,
  failures: row.failures,
  actor: row.actor,
  comment: row.comment,
  cancel_requested_at: row.cancel_requested_at,
  cancelled_by: row.cancel_actor,
  created_at: row.created_at,
  started_at: row.started_at,
  finished_at: row.finished_at,
  deadline_at: row.deadline_at,
  dry_run: false
})

/** Stops that a person, scaling or a deployment requested are no failures. */
const expectedStop = /^Scaling activity initiated by|deployment ecs-svc\/\d+ (was|is)? ?(replaced|complete)/i
const isFailure = (task: Task): boolean =>
  task.stopCode !== 'UserInitiated' && !expectedStop.test(task.stoppedReason ?? '')

const containersOf = (task: Task): TaskFailure['containers'] => (task.containers ?? []).map((container) =>
  ({ name: container.name ?? '', exit_code: container.exitCode ?? null, reason: container.reason ?? null }))

const failureOf = (task: Task): TaskFailure => {
  const containers = containersOf(task)
  const worst = containers.find(({ exit_code: code, reason }) => reason !== null || (code !== null && code !== 0))
  const end = worst?.exit_code == null ? '' : ` (${worst.name} ended with exit code ${worst.exit_code})`
  const reason = `${worst?.reason ?? task.stoppedReason ?? 'AWS gives no reason'}${end}`
  return {
    task_id: nameOf(task.taskArn),
    stopped_at: task.stoppedAt ?? null,
    stop_code: task.stopCode ?? null,
    reason,
    containers,
    count: 1
  }
}

/** One line for each reason: crash loops stop for the same one again and again. */
const grouped = (failures: TaskFailure[]): TaskFailure[] => {
  const byReason = new Map<string, TaskFailure>()
  for (const failure of failures) {
    const held = byReason.get(failure.reason)
    if (held) held.count++
    else byReason.set(failure.reason, failure)
  }
  return [...byReason.values()].slice(0, 10)
}

/**
 * @param startedBy only the tasks of this deployment
 * @returns why tasks stopped in the last hour or so (AWS keeps no longer), newest first, grouped by reason
 */
export const readFailures = async (ecs: ECS, cluster: string, serviceName: string, startedBy?: string):
Promise<TaskFailure[]> => {
  const { taskArns = [] } = await ecs.listTasks({ cluster, serviceName, desiredStatus: 'STOPPED', maxResults: 100 })
  const pages = await Promise.all(chunked(taskArns, 100).map((tasks) => ecs.describeTasks({ cluster, tasks })))
  const tasks = pages.flatMap((page) => page.tasks ?? [])
    .filter((task) => isFailure(task) && (startedBy === undefined || task.startedBy === startedBy))
    .sort((a, b) => (b.stoppedAt?.getTime() ?? 0) - (a.stoppedAt?.getTime() ?? 0))
  return grouped(tasks.map(failureOf))
}
