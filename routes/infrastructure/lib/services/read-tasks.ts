import type { ECS, Service, Task } from '@aws-sdk/client-ecs'
import type { ServiceTask } from '../../../../schemas/infrastructure/service-detail.js'
import { nameOf } from '../identity.js'

/** AWS describes no more at once. */
const most = 100

/** @returns at most 100 tasks of the service that run or are to run */
export const readTasks = async (ecs: ECS, cluster: string, service: Service): Promise<Task[]> => {
  const { taskArns: tasks = [] } = await ecs.listTasks({
    cluster, serviceName: service.serviceName, desiredStatus: 'RUNNING', maxResults: most
  })
  return tasks.length === 0 ? [] : (await ecs.describeTasks({ cluster, tasks })).tasks ?? []
}

const health = { HEALTHY: 'healthy', UNHEALTHY: 'unhealthy', UNKNOWN: 'unknown' } as const

export const describeTask = (task: Task): ServiceTask => ({
  id: nameOf(task.taskArn),
  status: (task.lastStatus ?? 'unknown').toLowerCase(),
  health: health[task.healthStatus ?? 'UNKNOWN'],
  task_definition: nameOf(task.taskDefinitionArn),
  availability_zone: task.availabilityZone ?? null,
  private_address: task.containers?.flatMap(({ networkInterfaces = [] }) => networkInterfaces)[0]?.privateIpv4Address ??
    null,
  started_at: task.startedAt ?? null
})
