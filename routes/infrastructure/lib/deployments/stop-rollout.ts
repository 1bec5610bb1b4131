import type { ECS, Service } from '@aws-sdk/client-ecs'
import type { DeploymentRow } from '../../../../db/infrastructure/service-deployments.js'
import type { AwsLocation } from '../../../../plugins/aws.js'
import { ApiError } from '../../../../schemas/errors.js'
import { DeploymentNotCancellable } from '../errors.js'
import { describeService, isPrimary, readRecord, recordArn } from './read-rollout.js'
import { stopStatements, updateStatements, type WriteEcs } from '../write-ecs.js'

export interface Rollout { row: DeploymentRow, location: AwsLocation, reader: ECS, write: WriteEcs }

const stoppable = new Set(['PENDING', 'IN_PROGRESS'])

const codeOf = (error: unknown) => error instanceof ApiError ? error.code : undefined

/** For a deployment of which ECS keeps no record: deploys the previous revision, if ours is still the primary. */
const deployPrevious = async ({ row, location, write }: Rollout, service: Service): Promise<void> => {
  if (!isPrimary(row, service)) return
  if (row.previous_task_definition === service.taskDefinition) {
    throw DeploymentNotCancellable('ECS cannot stop this deployment, and it runs the same revision as before: there ' +
      'is nothing to go back to. Deploy another revision with `force` to supersede it')
  }
  await write(updateStatements(location, row, service), (ecs) => ecs.updateService({
    cluster: row.cluster, service: row.service, taskDefinition: row.previous_task_definition
  }))
}

const isStoppable = async ({ reader, row }: Rollout, service: Service, arn: string): Promise<boolean> =>
  stoppable.has(String((await readRecord(reader, row, service, arn))?.status))

/**
 * Stops a rollout of ECS, which then goes back to the previous revision by itself. Idempotent.
 * @throws deployment_not_cancellable, and what AWS answers
 */
export const stopRollout = async (rollout: Rollout): Promise<void> => {
  const { row, location, reader, write } = rollout
  const service = await describeService(reader, row)
  const arn = recordArn(row, service)
  if (arn === null) return deployPrevious(rollout, service)
  try {
    await write(stopStatements(location, row, service, arn), (ecs) =>
      ecs.stopServiceDeployment({ serviceDeploymentArn: arn, stopType: 'ROLLBACK' }))
  } catch (error) {
    if (codeOf(error) === 'unsupported') return deployPrevious(rollout, service)
    // ECS refuses since the rollout has ended or is going back already: the next poll shows which.
    if (codeOf(error) === 'aws_conflict' && !await isStoppable(rollout, service, arn)) return
    throw error
  }
}
