import type { Service, Task } from '@aws-sdk/client-ecs'

/** The digest of each container's image, by the container's name. */
export type Digests = ReadonlyMap<string, string>

const isOf = (service: Service) => ({ taskDefinitionArn, lastStatus }: Task): boolean =>
  taskDefinitionArn === service.taskDefinition && lastStatus === 'RUNNING'

/**
 * What a tag stood for when the running tasks were started.
 * @returns the digests that all tasks of the service's revision agree on: after a tag has moved they may differ
 */
export const readDigests = (service: Service, tasks: readonly Task[]): Digests => {
  const byName = new Map<string, Set<string>>()
  for (const { name = '', imageDigest } of tasks.filter(isOf(service)).flatMap((task) => task.containers ?? [])) {
    if (imageDigest) byName.set(name, new Set([...byName.get(name) ?? [], imageDigest]))
  }
  const agreed = [...byName].filter(([, digests]) => digests.size === 1)
  return new Map(agreed.map(([name, digests]) => [name, [...digests].join()]))
}
