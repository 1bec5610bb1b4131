import type { ECS, Service, ServiceDeployment } from '@aws-sdk/client-ecs'
import type { DeploymentRow } from '../../../../db/infrastructure/service-deployments.js'
import type { Db } from '../../../../db/index.js'
import type { Statement } from '../../../../lib/aws/sessions.js'
import { withTarget } from '../../../../lib/durable/target-claim.js'
import { requireExpected } from '../../../../lib/tools/digest.js'
import type { AwsLocation } from '../../../../lib/aws/account-clients.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { ServiceState } from '../../../../schemas/infrastructure/service-deployments.js'
import { DeploymentNotCancellable } from '../errors.js'
import {
  describeStatements, stopStatements, targetOfService, updateStatements, type WriteEcs
} from '../write-ecs.js'

/** How far the clocks of AWS and of this instance may be apart. */
const slackMs = 60_000
/** AWS writes the record and the deployment of one update a moment apart. */
const roundingMs = 5_000

export const primaryOf = (service: Service) => service.deployments?.find(({ status }) => status === 'PRIMARY')

/** @returns whether the service's primary deployment is the one that this row began */
const isPrimary = (row: DeploymentRow, service: Service): boolean =>
  row.aws_deployment_id !== null && primaryOf(service)?.id === row.aws_deployment_id

/** @throws when AWS does not answer with the service */
export const describeService = async (ecs: ECS, { cluster, service: name }: DeploymentRow): Promise<Service> => {
  const { services } = await ecs.describeServices({ cluster, services: [name] })
  if (!services?.[0]) throw new Error(`The service ${name} is gone`)
  return services[0]
}

/** While our deployment is the primary one, the service's current record is ours. */
export const recordArn = (row: DeploymentRow, service: Service): string | null => {
  const ours = isPrimary(row, service) ? service.currentServiceDeployment : undefined
  return row.aws_service_deployment_arn ?? ours ?? null
}

/** @returns AWS's record of the row's deployment; undefined where there is none. @throws what AWS answers */
export const readRecord = async (ecs: ECS, row: DeploymentRow, service: Service, arn: string | null):
Promise<ServiceDeployment | undefined> => {
  if (!arn) return undefined
  const { serviceDeployments } = await ecs.describeServiceDeployments({ serviceDeploymentArns: [arn] })
  const record = serviceDeployments?.[0]
  // A stale read may still name the record of the deployment before ours: AWS's own clock tells, while it lists ours.
  const ours = service.deployments?.find(({ id }) => id === row.aws_deployment_id)
  const began = ours?.createdAt?.getTime() ?? (row.started_at?.getTime() ?? 0) - slackMs
  return (record?.createdAt?.getTime() ?? 0) >= began - roundingMs ? record : undefined
}

/** @returns what the service runs, by the names that AWS gives */
export const stateOf = (service: Service): ServiceState => ({
  task_definition: service.taskDefinition ?? null, deployment_id: primaryOf(service)?.id ?? null
})

export const isSameState = (a: ServiceState, b: ServiceState): boolean =>
  a.task_definition === b.task_definition && a.deployment_id === b.deployment_id

const nameOf = (arn: string | null): string => arn?.split('/').at(-1) ?? 'no revision'

/** @returns such as "web:3 (deployment ecs-svc/123)" */
export const describeState = ({ task_definition, deployment_id }: ServiceState): string =>
  `${nameOf(task_definition)}${deployment_id === null ? '' : ` (deployment ${deployment_id})`}`

export interface Rollout {
  db: Db
  row: DeploymentRow
  location: AwsLocation
  reader: ECS
  write: WriteEcs
}

const stoppable = new Set(['PENDING', 'IN_PROGRESS'])

const codeOf = (error: unknown) => error instanceof ApiError ? error.code : undefined

/** Until AWS has named our deployment, its revision tells. */
const isOurs = (row: DeploymentRow, service: Service): boolean => row.aws_deployment_id === null
  ? service.taskDefinition === row.target_task_definition
  : isPrimary(row, service)

/**
 * Compares what runs with what ran when the cancel was approved. A cancel that was approved while ECS was being asked
 * may find the revision of the deployment that it is to stop.
 * @throws state_changed
 */
const requireApproved = ({ cancel_expected: approved, target_task_definition: target }: DeploymentRow,
  service: Service): void => {
  if (approved === null || (approved.status !== 'in_progress' && service.taskDefinition === target)) return
  requireExpected({ task_definition: approved.task_definition }, { task_definition: service.taskDefinition ?? null })
}

/**
 * Reads the service once more as the only one that changes it, compares it, and sends. What is not ours any more is not
 * touched: another deployment took over, which the next poll shows.
 * @throws state_changed, target_busy
 */
const sendWhereOurs = (rollout: Rollout, statements: readonly Statement[], send: (ecs: ECS) => Promise<unknown>) => {
  const { db, row, location, write } = rollout
  return withTarget({ db }, targetOfService(location, row), (claim) =>
    write([...describeStatements(location, row), ...statements], async (ecs) => {
      const now = await describeService(ecs, row)
      requireApproved(row, now)
      if (!isOurs(row, now)) return
      claim.requireHeld()
      await send(ecs)
    }))
}

/** For a deployment of which ECS keeps no record: deploys the previous revision, if ours is still the primary. */
const deployPrevious = async (rollout: Rollout, service: Service): Promise<void> => {
  const { row, location } = rollout
  if (!isPrimary(row, service)) return
  if (row.previous_task_definition === service.taskDefinition) {
    throw DeploymentNotCancellable('ECS cannot stop this deployment, and it runs the same revision as before: there ' +
      'is nothing to go back to. Deploy another revision with `force` to supersede it')
  }
  await sendWhereOurs(rollout, updateStatements(location, row, service), (ecs) => ecs.updateService({
    cluster: row.cluster, service: row.service, taskDefinition: row.previous_task_definition
  }))
}

const isStoppable = async ({ reader, row }: Rollout, service: Service, arn: string): Promise<boolean> =>
  stoppable.has(String((await readRecord(reader, row, service, arn))?.status))

/**
 * Stops a rollout of ECS, which then goes back to the previous revision by itself. Idempotent.
 * @throws deployment_not_cancellable, state_changed, target_busy, and what AWS answers
 */
export const stopRollout = async (rollout: Rollout): Promise<void> => {
  const { row, location, reader } = rollout
  const service = await describeService(reader, row)
  const arn = recordArn(row, service)
  if (arn === null) return deployPrevious(rollout, service)
  try {
    await sendWhereOurs(rollout, stopStatements(location, row, service, arn), (ecs) =>
      ecs.stopServiceDeployment({ serviceDeploymentArn: arn, stopType: 'ROLLBACK' }))
  } catch (error) {
    if (codeOf(error) === 'unsupported') return deployPrevious(rollout, service)
    // ECS refuses since the rollout has ended or is going back already: the next poll shows which.
    if (codeOf(error) === 'aws_conflict' && !await isStoppable(rollout, service, arn)) return
    throw error
  }
}
