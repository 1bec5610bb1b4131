import type { ECS, Service, Task } from '@aws-sdk/client-ecs'

/** The digest of each container's image, by the container's name. */
export type Digests = ReadonlyMap<string, string>

const isOf = (service: Service) => ({ taskDefinitionArn, lastStatus }: Task): boolean =>
  taskDefinitionArn === service.taskDefinition && lastStatus === 'RUNNING'

/**
 * What a tag stood for when the running tasks were started, from at most 100 of them.
 * @returns the digests that all tasks of the service's revision agree on: after a tag has moved they may differ
 */
export const readDigests = async (ecs: ECS, cluster: string, service: Service): Promise<Digests> => {
  const { taskArns: tasks = [] } = await ecs.listTasks({
    cluster, serviceName: service.serviceName, desiredStatus: 'RUNNING', maxResults: 100
  })
  if (tasks.length === 0) return new Map()
  const answer = await ecs.describeTasks({ cluster, tasks })
  const byName = new Map<string, Set<string>>()
  for (const { name = '', imageDigest } of (answer.tasks ?? []).filter(isOf(service)).flatMap((task) =>
    task.containers ?? [])) {
    if (imageDigest) byName.set(name, new Set([...byName.get(name) ?? [], imageDigest]))
  }
  const agreed = [...byName].filter(([, digests]) => digests.size === 1)
  return new Map(agreed.map(([name, digests]) => [name, [...digests].join()]))
}
