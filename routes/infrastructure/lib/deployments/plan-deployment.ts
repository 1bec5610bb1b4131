import type { ECS, Service } from '@aws-sdk/client-ecs'
import type { Db } from '../../../../db/index.js'
import type { ServiceKey } from '../../../../db/infrastructure/service-deployments.js'
import { describeUnchecked, requireImage } from '../../../../lib/aws/images.js'
import { requireExpected } from '../../../../lib/tools/digest.js'
import type { ImageCheck } from '../../../../schemas/cloud/errors.js'
import { InvalidRequest } from '../../../../schemas/errors.js'
import type {
  Change, DeploymentKind, DeploymentPlan, DeployService, ServiceState
} from '../../../../schemas/infrastructure/service-deployments.js'
import { diffDefinitions } from './diff-definitions.js'
import { ContainerUnknown, DeploymentConflict, NotDeployable, NothingToDeploy } from '../errors.js'
import { findRollbackTarget } from './find-rollback-target.js'
import { describeState, stateOf } from './stop-rollout.js'
import { readRawDefinition, toRegistration, type Json, type RawDefinition } from '../write-ecs.js'

export interface Planned {
  kind: DeploymentKind
  /** What the service runs now: on another state the deployment is not sent. */
  expected: ServiceState
  previous_task_definition: string
  target_task_definition: string | null
  plan: DeploymentPlan
  changes: Change[]
  /** What the registries say of the images that would run. */
  registry: ImageCheck[]
  warnings: string[]
}

const modes = ['image', 'images', 'task_definition', 'rollback_to', 'force_new_deployment'] as const

const requireOneMode = (input: DeployService) => {
  const given = modes.filter((mode) => input[mode] !== undefined && input[mode] !== false)
  if (given.length === 1) return
  const message = given.length === 0
    ? `one of ${modes.join(', ')} is needed`
    : `${given.join(' and ')} exclude each other`
  const errors = given.slice(1).map((mode) => ({ pointer: `/${mode}`, code: 'exclusive', message }))
  throw InvalidRequest(message, { errors })
}

const requireDeployable = (service: Service, input: DeployService) => {
  const controller = service.deploymentController?.type ?? 'ECS'
  if (controller !== 'ECS') throw NotDeployable(`The service is deployed by ${controller}, not by ECS`, { controller })
  if (service.status !== 'ACTIVE') throw NotDeployable(`The service is ${service.status}`)
  const { expected_task_definition: revision, expected } = input
  const now = stateOf(service)
  if (revision !== undefined && revision !== now.task_definition) {
    throw DeploymentConflict(`The service runs ${describeState(now)}`, { ...now })
  }
  const { task_definition, deployment_id, scaled_to_zero } = expected ?? {}
  requireExpected({ task_definition, deployment_id, scaled_to_zero },
    { ...now, scaled_to_zero: (service.desiredCount ?? 0) === 0 })
}

const containersOf = (definition: Json): Json[] =>
  Array.isArray(definition.containerDefinitions) ? definition.containerDefinitions as Json[] : []

/** @throws container_unknown, naming the containers, when the image's container is not clear */
const imagesOf = (input: DeployService, definition: Json): Map<string, string> => {
  const names = containersOf(definition).map(({ name }) => String(name))
  const unknownContainer = (message: string) =>
    ContainerUnknown(`${message}; the task has ${names.join(', ')}`, { containers: names })
  const only = input.container ?? (names.length === 1 ? names[0] : undefined)
  if (input.image !== undefined && only === undefined) throw unknownContainer('Say which `container` gets the image')
  const list = input.images ?? [{ container: only ?? '', image: input.image ?? '' }]
  const missing = list.find(({ container }) => !names.includes(container))
  if (missing) throw unknownContainer(`There is no container ${missing.container}`)
  return new Map(list.map(({ container, image }) => [container, image]))
}

/** @returns the registration with other images; all else stays as AWS wrote it */
const withImages = (registration: Json, images: Map<string, string>): Json => ({
  ...registration,
  containerDefinitions: containersOf(registration).map((container) => {
    const image = images.get(String(container.name))
    return image === undefined ? container : { ...container, image }
  })
})

interface Target {
  kind: DeploymentKind
  target: string | null
  register: Json | null
  changes: Change[]
  /** The registration of what would run. */
  runs: Json
}

const toExisting = async (ecs: ECS, kind: DeploymentKind, now: RawDefinition, reference: string): Promise<Target> => {
  const raw = await readRawDefinition(ecs, reference)
  const runs = toRegistration(raw)
  const changes = diffDefinitions(toRegistration(now), runs)
  return { kind, target: String(raw.definition.taskDefinitionArn), register: null, changes, runs }
}

const choose = async (db: Db, key: ServiceKey, ecs: ECS, service: Service, input: DeployService): Promise<Target> => {
  const current = service.taskDefinition ?? ''
  const now = await readRawDefinition(ecs, current)
  const before = toRegistration(now)
  // What runs is restarted, whatever it is: the target is what it is expected to be.
  if (input.force_new_deployment) return { kind: 'force', target: current, register: null, changes: [], runs: before }
  if (input.task_definition !== undefined) return toExisting(ecs, 'deploy', now, input.task_definition)
  if (input.rollback_to !== undefined) {
    const { task_definition: target } = await findRollbackTarget(db, key, ecs, service, input.rollback_to)
    return toExisting(ecs, 'rollback', now, target)
  }
  const register = withImages(before, imagesOf(input, now.definition))
  return { kind: 'deploy', target: null, register, changes: diffDefinitions(before, register), runs: register }
}

const isByDigest = (image: unknown): boolean => typeof image === 'string' && image.includes('@sha256:')

/** @throws nothing_to_deploy for what runs already and cannot be another thing by now, as a tag can */
const requireDifference = (input: DeployService, { kind, target, register, changes }: Target, present: string) => {
  if (kind === 'force' || changes.length > 0) return
  const images = register && [...imagesOf(input, register).values()]
  if (images ? !images.every(isByDigest) : target !== present) return
  throw NothingToDeploy(`The service runs ${images ? 'these images, by their digests,' : target} already. To replace ` +
    'its tasks by new ones, say force_new_deployment', { task_definition: present })
}

/** Asks the registry of an image, as the account that pulls it. */
export type CheckImage = (image: string) => Promise<ImageCheck>

const brokenUse: Record<DeploymentKind, string> = {
  deploy: 'cannot run', force: 'cannot be started again', rollback: 'cannot run again'
}

/** @throws image_not_found for what no task could pull */
const checkImages = async ({ kind, runs }: Target, check: CheckImage): Promise<ImageCheck[]> => {
  const images = new Set(containersOf(runs).flatMap(({ image }) => typeof image === 'string' ? [image] : []))
  const found = await Promise.all([...images].map(check))
  for (const one of found) requireImage(one, brokenUse[kind])
  return found
}

const namesLatest = ({ image, images = [] }: DeployService): boolean =>
  [image, ...images.map((one) => one.image)].some((name) => name?.endsWith(':latest'))

/** Of an image that runs already and stays, nobody asks. */
const uncheckedOf = ({ kind, changes }: Target, registry: ImageCheck[]): string[] => {
  const isNew = ({ image }: ImageCheck) => kind !== 'force' && changes.some(({ after }) => after === image)
  return registry.filter(isNew).flatMap((check) => describeUnchecked(check) ?? [])
}

const warningsOf = (service: Service, input: DeployService, { kind, changes }: Target): string[] => [
  ...((service.deployments ?? []).length > 1 ? ['AWS has a deployment in progress, which this one supersedes'] : []),
  ...(kind === 'force' ? ['The same revision: what runs changes only where a tag has moved'] : []),
  ...(kind !== 'force' && changes.length === 0
    ? ['Nothing differs from what runs but what its tags stand for: all tasks are replaced, and the tags are pulled again']
    : []),
  ...(service.desiredCount === 0 ? ['The service is scaled to 0: no task will show whether it works'] : []),
  ...(namesLatest(input) ? ['The tag latest may name another image tomorrow'] : [])
]

export interface PlanDeps { db: Db, ecs: ECS, check: CheckImage }

/**
 * Decides what a deployment will do, and changes nothing.
 * @throws not_deployable, deployment_conflict, state_changed, container_unknown, no_rollback_target, nothing_to_deploy,
 *   image_not_found, and what AWS answers
 */
export const planDeployment = async ({ db, ecs, check }: PlanDeps, key: ServiceKey, service: Service, input: DeployService):
Promise<Planned> => {
  requireOneMode(input)
  requireDeployable(service, input)
  const chosen = await choose(db, key, ecs, service, input)
  requireDifference(input, chosen, service.taskDefinition ?? '')
  const registry = await checkImages(chosen, check)
  return {
    kind: chosen.kind,
    expected: stateOf(service),
    previous_task_definition: service.taskDefinition ?? '',
    target_task_definition: chosen.target,
    plan: {
      register: chosen.register,
      force: chosen.kind === 'force',
      circuit_breaker: input.circuit_breaker ?? null
    },
    changes: chosen.changes,
    registry,
    warnings: [...warningsOf(service, input, chosen), ...uncheckedOf(chosen, registry)]
  }
}
