import type { ECS, Service } from '@aws-sdk/client-ecs'
import type { DeploymentRow } from '../../../db/infrastructure/service-deployments.js'
import { ApiError } from '../../../schemas/errors.js'
import { DeploymentNotCancellable } from './errors.js'
import { describeService, isPrimary, readRecord, recordArn } from './read-rollout.js'

export interface Rollout { row: DeploymentRow, reader: ECS, writer: ECS }

const stoppable = new Set(['PENDING', 'IN_PROGRESS'])

const codeOf = (error: unknown) => error instanceof ApiError ? error.code : undefined

/** ECS keeps no record of this deployment: what remains is to deploy the revision before, if ours is still on. */
const deployPrevious = async ({ row, writer }: Rollout, service: Service): Promise<void> => {
  if (!isPrimary(row, service)) return
  if (row.previous_task_definition === service.taskDefinition) {
    throw DeploymentNotCancellable('ECS cannot stop this deployment, and it runs the same revision as before: there ' +
      'is nothing to go back to. Deploy another revision with `force` to supersede it')
  }
  await writer.updateService({
    cluster: row.cluster, service: row.service, taskDefinition: row.previous_task_definition
  })
}

const isStoppable = async ({ reader, row }: Rollout, arn: string): Promise<boolean> =>
  stoppable.has(String((await readRecord(reader, row, arn))?.status))

/**
 * Ends a rollout that ECS carries out: ECS goes back to the revision before by itself. Repeated, it does nothing more.
 * @throws deployment_not_cancellable, and what AWS answers
 */
export const stopRollout = async (rollout: Rollout): Promise<void> => {
  const { row, reader, writer } = rollout
  const service = await describeService(reader, row)
  const arn = recordArn(row, service)
  if (arn === null) return deployPrevious(rollout, service)
  try {
    await writer.stopServiceDeployment({ serviceDeploymentArn: arn, stopType: 'ROLLBACK' })
  } catch (error) {
    if (codeOf(error) === 'unsupported') return deployPrevious(rollout, service)
    // Refused because it has ended or goes back already: that is what was wanted, and the next look tells which.
    if (codeOf(error) === 'aws_conflict' && !await isStoppable(rollout, arn)) return
    throw error
  }
}
