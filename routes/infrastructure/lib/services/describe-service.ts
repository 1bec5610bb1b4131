import type { ScalableTarget } from '@aws-sdk/client-application-auto-scaling'
import type { Deployment, Service } from '@aws-sdk/client-ecs'
import { consoleOf } from '../../../../schemas/cloud/regions.js'
import type { Autoscaling, AwsDeployment, ContainerService } from '../../../../schemas/infrastructure/services.js'
import { makeId, nameOf } from '../identity.js'
import { judgeHealth } from './judge-health.js'
import type { Digests, NamedImage } from './read-digests.js'
import type { Source } from '../sources.js'

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
