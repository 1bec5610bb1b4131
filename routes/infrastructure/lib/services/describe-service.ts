import type { ScalableTarget } from '@aws-sdk/client-application-auto-scaling'
import type { Deployment, Service, Task } from '@aws-sdk/client-ecs'
import { consoleOf } from '../../../../schemas/cloud/accounts.js'
import type {
  Autoscaling, AwsDeployment, ContainerService, Health, TaskFailure
} from '../../../../schemas/infrastructure/services.js'
import type { Source } from '../errors.js'
import { makeId, nameOf } from '../identity.js'

interface NamedImage { name?: string, image?: string }

/** Containers that AWS adds to a task (Service Connect, GuardDuty); its definition has none of them. */
const isAdded = ({ name = '' }: NamedImage): boolean => /^(ecs-service-connect|aws-guardduty-agent)-/.test(name)

/** @returns the containers of the service's revision as a task of it has them; undefined where no task says them */
export const readTaskImages = ({ taskDefinition }: Service, tasks: readonly Task[]): NamedImage[] | undefined => {
  const task = tasks.find(({ taskDefinitionArn, containers = [] }) => taskDefinitionArn === taskDefinition &&
    containers.length > 0 && containers.every(({ name, image }) => name !== undefined && image !== undefined))
  return task?.containers?.filter((container) => !isAdded(container)).map(({ name, image }) => ({ name, image }))
}

/** The digest of each container's image, by the container's name. */
type Digests = ReadonlyMap<string, string>

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

export interface Judgement { health: Health, health_reason: string | null }

const recentMs = 600_000
const restless = 3

/** What AWS says in an event of ECS that reports a problem. */
export const complaint = /unable to|unhealthy|failed|was stopped|not able|throttled|insufficient/i

/** @returns the newest event of the last ten minutes that reports a problem */
const complaintOf = (service: Service): string | null => {
  const since = Date.now() - recentMs
  const event = service.events?.find(({ createdAt, message }) =>
    (createdAt?.getTime() ?? 0) > since && complaint.test(message ?? ''))
  return event?.message ?? null
}

const judgement = (health: Health, ...reasons: (string | null | undefined)[]): Judgement =>
  ({ health, health_reason: reasons.find((reason) => reason) ?? null })

const shortfall = (service: Service): Judgement => {
  const { desiredCount: desired = 0, runningCount: running = 0 } = service
  const counts = `${running} of ${desired} tasks run`
  const why = complaintOf(service)
  const reason = why ? `${counts}: ${why}` : counts
  return running === 0 ? judgement('down', reason) : judgement('degraded', reason)
}

/** `failedTasks` is 0 again once one task ran, so a crash loop shows in the stopped tasks only. */
const restlessness = (failures: TaskFailure[]): Judgement | undefined => {
  const count = failures.filter(({ stopped_at: at }) => at && new Date(at).getTime() > Date.now() - recentMs)
    .reduce((sum, failure) => sum + failure.count, 0)
  return count < restless ? undefined : judgement('degraded', `Tasks keep stopping: ${failures[0]?.reason}`)
}

/** What the health checks of the running tasks say; a task without one says nothing. */
const sickness = (tasks: readonly Task[]): Judgement | undefined => {
  const running = tasks.filter(({ lastStatus }) => lastStatus === 'RUNNING')
  const unhealthy = running.filter(({ healthStatus }) => healthStatus === 'UNHEALTHY').length
  if (unhealthy === 0) return undefined
  const reason = `${unhealthy} of ${running.length} tasks are unhealthy by their health check`
  return judgement(unhealthy === running.length ? 'down' : 'degraded', reason)
}

/** Judges the service by its counts, its rollout, its events, its stopped tasks and the health checks of its tasks. */
export const judgeHealth = (service: Service, failures: TaskFailure[] = [], tasks: readonly Task[] = []): Judgement => {
  const { desiredCount: desired = 0, runningCount: running = 0, status, deployments = [] } = service
  if (status === 'INACTIVE') return judgement('stopped', 'The service was deleted')
  if (status === 'DRAINING') return judgement('stopped', 'The service is being deleted')
  if (status !== 'ACTIVE') return judgement('unknown', 'AWS does not say how the service is')
  if (desired === 0 && running === 0 && service.schedulingStrategy !== 'DAEMON') {
    return judgement('stopped', 'The service is scaled to 0')
  }
  const primary = deployments.find((deployment) => deployment.status === 'PRIMARY')
  const failing = primary?.rolloutState === 'FAILED' || (primary?.failedTasks ?? 0) > 0
  if (primary?.rolloutState === 'FAILED' && running >= desired) {
    return judgement('degraded', primary.rolloutStateReason, 'The last deployment failed')
  }
  const rolling = primary?.rolloutState === 'IN_PROGRESS' || deployments.length > 1
  const sick = sickness(tasks)
  if (sick?.health === 'down') return sick
  if (rolling && !failing) return judgement('deploying', primary?.rolloutStateReason, 'A deployment is in progress')
  if (running < desired) return withFailure(shortfall(service), failures)
  if (rolling) return judgement('degraded', 'Tasks of the newest deployment fail', failures[0]?.reason)
  return sick ?? restlessness(failures) ?? judgement('healthy')
}

const withFailure = (found: Judgement, [newest]: TaskFailure[]): Judgement =>
  newest ? { ...found, health_reason: `${found.health_reason?.replace(/\.$/, '')}. Last stop: ${newest.reason}` } : found

/** What three APIs of AWS return for one service. */
export interface Known {
  service: Service
  /** Of its task definition; null = it could not be read. */
  containers: readonly NamedImage[] | null
  /** null = there is none; undefined = it could not be read. */
  target: ScalableTarget | null | undefined
  /** Of running tasks, where they were read. */
  digests?: Digests | null
}

export const describeTarget = (target: ScalableTarget | null): Autoscaling | null => target && {
  min: target.MinCapacity ?? 0,
  max: target.MaxCapacity ?? 0,
  suspended: Object.values(target.SuspendedState ?? {}).some((suspended) => suspended === true)
}

const describeDefinition = (arn: string | undefined) => {
  const match = /task-definition\/([^:/]+):(\d+)$/.exec(arn ?? '')
  return match?.[1] ? { arn: arn ?? '', family: match[1], revision: Number(match[2]) } : null
}

const imagesOf = ({ containers, digests }: Known): ContainerService['images'] =>
  containers && containers.map(({ name = '', image = '' }) => {
    const pinned = /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1]
    return { container: name, image, digest: pinned ?? digests?.get(name) ?? null }
  })

export const describeDeployment = (deployment: Deployment): AwsDeployment => ({
  id: deployment.id ?? '',
  status: deployment.status ?? '',
  task_definition: deployment.taskDefinition ?? '',
  rollout_state: deployment.rolloutState ?? null,
  rollout_reason: deployment.rolloutStateReason ?? null,
  desired: deployment.desiredCount ?? 0,
  running: deployment.runningCount ?? 0,
  pending: deployment.pendingCount ?? 0,
  failed: deployment.failedTasks ?? 0,
  created_at: deployment.createdAt ?? null
})

const identify = ({ account, region }: Source, service: Service) => {
  const name = service.serviceName ?? nameOf(service.serviceArn)
  const cluster = nameOf(service.clusterArn)
  return {
    id: makeId(account.id, region, cluster, name),
    arn: service.serviceArn ?? '',
    name,
    cluster,
    cluster_id: makeId(account.id, region, cluster),
    account_id: account.id,
    account_name: account.name,
    environment: account.environment,
    read_only: account.read_only,
    region,
    console_url: `${consoleOf(account.partition, region)}/ecs/v2/clusters/${cluster}/services/${name}?region=${region}`
  }
}

/** The target groups of a service, as dimensions of CloudWatch name them. */
export const targetGroupsOf = ({ loadBalancers = [] }: Service): string[] =>
  [...new Set(loadBalancers.flatMap(({ targetGroupArn }) => /targetgroup\/.+$/.exec(targetGroupArn ?? '')?.[0] ?? []))]

/** AWS may extend its enums: a value that our contract does not have becomes the default. */
const oneOf = <T extends string>(words: readonly T[], word: string | undefined, other: T): T =>
  words.find((known) => known === word) ?? other

/** @returns the service as the API returns it, in a list or as the head of a single read */
export const describeService = (source: Source, known: Known): ContainerService => {
  const { service, target } = known
  const controller = oneOf(['ECS', 'CODE_DEPLOY', 'EXTERNAL'], service.deploymentController?.type, 'ECS')
  const breaker = service.deploymentConfiguration?.deploymentCircuitBreaker
  return {
    ...identify(source, service),
    status: oneOf(['ACTIVE', 'DRAINING', 'INACTIVE'], service.status, 'INACTIVE'),
    ...judgeHealth(service),
    desired_count: service.desiredCount ?? 0,
    running_count: service.runningCount ?? 0,
    pending_count: service.pendingCount ?? 0,
    scheduling: oneOf(['REPLICA', 'DAEMON'], service.schedulingStrategy, 'REPLICA'),
    launch_type: service.launchType ?? null,
    controller,
    strategy: service.deploymentConfiguration?.strategy ?? null,
    task_definition: describeDefinition(service.taskDefinition),
    images: imagesOf(known),
    circuit_breaker: { enabled: breaker?.enable ?? false, rollback: breaker?.rollback ?? false },
    autoscaling: describeTarget(target ?? null),
    autoscaling_known: target !== undefined,
    deployable: controller === 'ECS' && service.status === 'ACTIVE'
  }
}
