import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import {
  findLiveDeployment, insertDeployment, isServiceBusy, supersedeLive, type DeploymentRow, type ServiceKey,
  cancelUnsent, clearCancel, extendDeadline, lockDeployment, requestCancel
} from '../../../../db/infrastructure/service-deployments.js'
import { requireWritable } from '../../../../lib/aws/accounts.js'
import { actorOf, type Actor } from '../../../../lib/aws/sessions.js'
import { checkImage } from '../../../../lib/aws/images.js'
import { enqueueDue } from '../../../../lib/durable/due-jobs.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { requireExpected } from '../../../../lib/tools/digest.js'
import { ApiError } from '../../../../schemas/errors.js'
import {
  type DeployService, type DryRun, type RollbackTarget, liveStatuses, type CancelDeployment
} from '../../../../schemas/infrastructure/service-deployments.js'
import { messageOf, isOneOf } from '../../../../schemas/unknown.js'
import { DeploymentInProgress, DeploymentFinished, DeploymentNotFound } from '../errors.js'
import { makeId } from '../identity.js'
import { loadService } from '../services/read-service.js'
import { keyOf, type ServiceRef } from '../services/resolve.js'
import { writeEcs } from '../write-ecs.js'
import { deploymentKind } from './advance-deployment.js'
import { findRollbackTarget } from './find-rollback-target.js'
import { planDeployment, type Planned } from './plan-deployment.js'
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
    return requestCancel(trx, row, principal.name, actorOf(principal))
  })

/** The worker retries after an error of AWS; a refusal, or another state, is the caller's answer, and is not retried. */
const isTransient = (error: unknown): boolean => !(error instanceof ApiError) || error.statusCode >= 500

const stop = async (deps: CancelDeps, location: ServiceRef, row: DeploymentRow, actor: Actor, expected: Expectation):
Promise<void> => {
  const reader = await deps.aws.client('ecs', location.account, location.region)
  try {
    const { task_definition } = expected ?? {}
    await stopRollout({
      db: deps.db,
      row,
      location,
      reader,
      write: writeEcs(deps.aws.actingFor(actor), location),
      ...(task_definition !== undefined && { expected: { task_definition } })
    })
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
  if (row.status === 'in_progress') await stop(deps, ref, row, actorOf(principal), expected)
  await enqueueDue(deps, deploymentKind, row)
  return row
}

export type DeployDeps = Pick<FastifyInstance, 'db' | 'aws' | 'config' | 'jobs' | 'log'>

/** @throws what planDeployment throws */
export const plan = async ({ db, aws, config }: DeployDeps, ref: ServiceRef, input: DeployService):
Promise<Planned> => {
  const ecs = await aws.client('ecs', ref.account, ref.region)
  const check = (image: string) => checkImage(aws, ref.account, image)
  return planDeployment({ db, ecs, check }, keyOf(ref), await loadService({ db, aws, config }, ref), input)
}

/** @returns the exact revision that `rollback_to` leads to now. @throws what findRollbackTarget throws */
export const readRollbackTarget = async ({ db, aws, config }: Pick<DeployDeps, 'db' | 'aws' | 'config'>,
  ref: ServiceRef, rollbackTo: string): Promise<RollbackTarget> => {
  const ecs = await aws.client('ecs', ref.account, ref.region)
  return findRollbackTarget(db, keyOf(ref), ecs, await loadService({ db, aws, config }, ref), rollbackTo)
}

/** @returns what a deployment would do; nothing is written, here or in AWS */
export const dryRun = async (deps: DeployDeps, ref: ServiceRef, input: DeployService): Promise<DryRun> => {
  const { plan: _plan, expected: _expected, ...planned } = await plan(deps, ref, input)
  const { account, region, cluster, service } = ref
  return { service_id: makeId(account.id, region, cluster, service), ...planned, dry_run: true }
}

const inProgress = async ({ db }: DeployDeps, key: ServiceKey) => {
  const live = await findLiveDeployment(db, key)
  return DeploymentInProgress('Another deployment of this service is under way; wait for it, cancel it, or use force',
    { deployment_id: live?.id ?? null })
}

const record = (deps: DeployDeps, key: ServiceKey, planned: Omit<Planned, 'warnings' | 'registry'>, input: DeployService,
  actor: Principal) => deps.db.transaction().execute(async (trx) => {
  const id = uuid()
  if (input.force) await supersedeLive(trx, key, `Superseded by deployment ${id}`)
  return insertDeployment(trx, {
    ...key,
    ...planned,
    id,
    actor: actor.name,
    user_id: actor.user_id,
    acting_for: actorOf(actor),
    comment: input.comment ?? null,
    timeout_seconds: input.timeout_seconds
  })
})

/**
 * Stores the deployment, then enqueues its job.
 * @throws cloud_account_read_only, deployment_in_progress with its id while another one of ours is live, unless forced
 */
export const startDeployment = async (deps: DeployDeps, ref: ServiceRef, input: DeployService,
  actor: Principal): Promise<DeploymentRow> => {
  requireWritable(ref.account)
  const key = keyOf(ref)
  if (!input.force && await findLiveDeployment(deps.db, key)) throw await inProgress(deps, key)
  const { warnings: _warnings, registry: _registry, ...planned } = await plan(deps, ref, input)
  const row = await record(deps, key, planned, input, actor).catch(async (error: unknown) => {
    throw isServiceBusy(error) ? await inProgress(deps, key) : error
  })
  // Not inside the transaction: the queue may read through a second connection, and the embedded database has one.
  await enqueueDue(deps, deploymentKind, row)
  return row
}
