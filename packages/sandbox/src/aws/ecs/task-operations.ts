import type {
  DescribeTasksRequest, DescribeTasksResponse, ListTasksRequest, ListTasksResponse, StopTaskRequest, StopTaskResponse
} from '@aws-sdk/client-ecs'
import { invalid } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { page } from '../core/paging.js'
import type { Wire } from '../core/wire.js'
import { clusterArn, ecsArn, lastPart, requireCluster, requireService } from './lookup.js'
import { wake } from './scheduler.js'
import type { ClusterState, TaskState } from './state.js'
import { isAlive, stop } from './tasks.js'

export const taskOperations = {
  ListTasks: operation('ecs:ListTasks', listTasks, ({ region, input }) => clusterArn(region, input.cluster)),
  DescribeTasks: operation('ecs:DescribeTasks', describeTasks, ({ region, input }) =>
    ecsArn(region, `task/${lastPart(input.cluster ?? 'default')}/${lastPart(input.tasks?.[0] ?? '')}`)
  ),
  StopTask: operation('ecs:StopTask', stopTask, ({ region, input }) =>
    ecsArn(region, `task/${lastPart(input.cluster ?? 'default')}/${lastPart(input.task ?? '')}`)
  )
}

function listTasks ({ region, input }: Call<ListTasksRequest>): Wire<ListTasksResponse> {
  const cluster = requireCluster(region, input.cluster)
  if (input.serviceName && input.startedBy) throw invalid('Cannot specify both serviceName and startedBy.')
  const arns = tasksOf(cluster, input.serviceName)
    .filter((task) => task.wire.desiredStatus === (input.desiredStatus ?? 'RUNNING'))
    .filter((task) => !input.startedBy || task.deploymentId === input.startedBy)
    .filter((task) => !input.family || lastPart(task.wire.taskDefinitionArn ?? '').split(':')[0] === input.family)
    .filter((task) => !input.launchType || task.wire.launchType === input.launchType)
    .map((task) => task.wire.taskArn ?? '')
  const request = { size: input.maxResults, token: input.nextToken }
  const { items, nextToken } = page(arns, `tasks/${cluster.name}`, request, { fallback: 100, max: 100 })
  return { taskArns: items, nextToken }
}

function describeTasks ({ region, input }: Call<DescribeTasksRequest>): Wire<DescribeTasksResponse> {
  const names = input.tasks ?? []
  if (names.length === 0) throw invalid('Tasks cannot be empty.')
  if (names.length > 100) throw invalid('Tasks cannot have more than 100 elements.')
  const cluster = requireCluster(region, input.cluster)
  const byId = new Map(tasksOf(cluster, undefined).map((task) => [task.id, task]))
  const found = names.map((name) => ({ name, task: byId.get(lastPart(name)) }))
  return {
    tasks: found.flatMap(({ task }) => (task ? [task.wire] : [])),
    failures: found
      .filter(({ task }) => !task)
      .map(({ name }) => ({ arn: ecsArn(region, `task/${cluster.name}/${lastPart(name)}`), reason: 'MISSING' }))
  }
}

/** The service starts another in its place; a task that has stopped stays as it is. */
function stopTask ({ world, account, region, input }: Call<StopTaskRequest>): Wire<StopTaskResponse> {
  const cluster = requireCluster(region, input.cluster)
  const id = lastPart(input.task ?? '')
  const service = [...cluster.services.values()].find(({ tasks }) => tasks.some((task) => task.id === id))
  const task = service?.tasks.find((one) => one.id === id)
  if (!service || !task) throw invalid('The referenced task was not found.')
  if (isAlive(task)) {
    const context = { world, account, region, cluster, service }
    stop(context, task, input.reason ?? 'Task stopped by user')
    task.wire.stopCode = 'UserInitiated'
    wake(context)
  }
  return { task: task.wire }
}

function tasksOf (cluster: ClusterState, service: string | undefined): TaskState[] {
  if (service !== undefined) return requireService(cluster, service).tasks
  return [...cluster.services.values()].flatMap((one) => one.tasks)
}
