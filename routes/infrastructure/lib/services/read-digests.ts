import type { Service, Task } from '@aws-sdk/client-ecs'

export interface NamedImage { name?: string, image?: string }

/** Containers that AWS adds to a task (Service Connect, GuardDuty); its definition has none of them. */
const isAdded = ({ name = '' }: NamedImage): boolean => /^(ecs-service-connect|aws-guardduty-agent)-/.test(name)

/** @returns the containers of the service's revision as a task of it has them; undefined where no task says them */
export const readTaskImages = ({ taskDefinition }: Service, tasks: readonly Task[]): NamedImage[] | undefined => {
  const task = tasks.find(({ taskDefinitionArn, containers = [] }) => taskDefinitionArn === taskDefinition &&
    containers.length > 0 && containers.every(({ name, image }) => name !== undefined && image !== undefined))
  return task?.containers?.filter((container) => !isAdded(container)).map(({ name, image }) => ({ name, image }))
}

/** The digest of each container's image, by the container's name. */
export type Digests = ReadonlyMap<string, string>

const isRunning = ({ lastStatus }: Task): boolean => lastStatus === 'RUNNING'

/** A task names the deployment that started it; by its revision it is known only where an endpoint leaves that out. */
const isOf = ({ deployments = [], taskDefinition }: Service) => {
  const ids = deployments.map(({ id }) => id)
  const primary = deployments.find(({ status }) => status === 'PRIMARY')?.id
  return ({ startedBy, taskDefinitionArn }: Task): boolean =>
    ids.includes(startedBy) ? startedBy === primary : taskDefinitionArn === taskDefinition
}

/**
 * What a tag stood for when the tasks of the primary deployment were started.
 * @returns the digests that all of them agree on: after a tag has moved they may differ
 */
export const readDigests = (service: Service, tasks: readonly Task[]): Digests => {
  const byName = new Map<string, Set<string>>()
  for (const { name = '', imageDigest } of tasks.filter(isRunning).filter(isOf(service)).flatMap((task) => task.containers ?? [])) {
    if (imageDigest) byName.set(name, new Set([...byName.get(name) ?? [], imageDigest]))
  }
  const agreed = [...byName].filter(([, digests]) => digests.size === 1)
  return new Map(agreed.map(([name, digests]) => [name, [...digests].join()]))
}
