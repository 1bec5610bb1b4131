import type { FastifyInstance } from 'fastify'
import {
  cancelUnsent, clearCancel, extendDeadline, lockDeployment, requestCancel, type DeploymentRow, type ServiceKey
} from '../../../../db/infrastructure/service-deployments.js'
import { actorOf, type Actor } from '../../../../lib/aws/sessions.js'
import { enqueueDue } from '../../../../lib/durable/due-jobs.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { requireExpected } from '../../../../lib/tools/digest.js'
import { ApiError } from '../../../../schemas/errors.js'
import { liveStatuses, type CancelDeployment } from '../../../../schemas/infrastructure/service-deployments.js'
import { isOneOf, messageOf } from '../../../../schemas/unknown.js'
import { DeploymentFinished, DeploymentNotFound } from '../errors.js'
import { keyOf, type ServiceRef } from '../services/resolve.js'
import { writeEcs } from '../write-ecs.js'
import { deploymentKind } from './advance-deployment.js'
import { stopRollout } from './stop-rollout.js'

export type CancelDeps = Pick<FastifyInstance, 'db' | 'jobs' | 'log' | 'aws'>

/** Before `updating` nothing was sent that touches the service; a registered revision runs nowhere. */
const unsent = new Set(['queued', 'registering'])

const isLive = ({ status }: DeploymentRow) => isOneOf(liveStatuses, status)

type Expectation = CancelDeployment['expected']

const mark = (deps: CancelDeps, key: ServiceKey, id: string, principal: Principal, expected: Expectation):
Promise<DeploymentRow> =>
  deps.db.transaction().execute(async (trx) => {
    const row = await lockDeployment(trx, key, id)
    if (!row) throw DeploymentNotFound()
    if (row.cancel_requested_at !== null) return row
    requireExpected(expected && { status: expected.status }, { status: row.status })
    if (!isLive(row)) {
      throw DeploymentFinished(`Deployment ${id} is ${row.status}: there is nothing left to cancel. To run another ` +
        'revision, deploy with rollback_to', { deployment_status: row.status })
    }
    if (unsent.has(row.status)) {
      const { name } = principal
      return cancelUnsent(trx, row, name, `Cancelled by ${name} before ECS was asked to change the service`)
    }
    return requestCancel(trx, row, principal.name, actorOf(principal), expected)
  })

/** The worker retries after an error of AWS; a refusal, or another state, is the caller's answer, and is not retried. */
const isTransient = (error: unknown): boolean => !(error instanceof ApiError) || error.statusCode >= 500

const stop = async (deps: CancelDeps, location: ServiceRef, row: DeploymentRow, actor: Actor): Promise<void> => {
  const reader = await deps.aws.client('ecs', location.account, location.region)
  try {
    await stopRollout({ db: deps.db, row, location, reader, write: writeEcs(deps.aws.actingFor(actor), location) })
    await extendDeadline(deps.db, row)
  } catch (error) {
    if (!isTransient(error)) {
      await clearCancel(deps.db, row)
      throw error
    }
    deps.log.warn({ deployment: row.id, reason: messageOf(error) }, 'stopping a deployment failed; it is retried')
  }
}

/**
 * Ends a deployment. While nothing was sent that touches the service, its row is enough; later ECS stops it and goes
 * back to the previous revision. The request is stored first, so that a worker continues it after a crash. Idempotent.
 * @returns the deployment: `stopped`, or live until the service is back
 * @throws deployment_not_found, deployment_finished, deployment_not_cancellable, state_changed, target_busy, and what AWS
 *   answers
 */
export const cancelDeployment = async (deps: CancelDeps, ref: ServiceRef, id: string, principal: Principal,
  { expected }: CancelDeployment = {}): Promise<DeploymentRow> => {
  const row = await mark(deps, keyOf(ref), id, principal, expected)
  if (!isLive(row)) return row
  // While it is `updating` a worker may be sending: that worker, or its successor, stops the deployment.
  if (row.status === 'in_progress') await stop(deps, ref, row, actorOf(principal))
  await enqueueDue(deps, deploymentKind, row)
  return row
}
