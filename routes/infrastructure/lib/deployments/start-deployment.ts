import type { FastifyInstance } from 'fastify'
import { v7 as uuid } from 'uuid'
import {
  findLiveDeployment, insertDeployment, isServiceBusy, supersedeLive, type DeploymentRow, type ServiceKey
} from '../../../../db/infrastructure/service-deployments.js'
import { requireWritable } from '../../../../lib/aws/accounts.js'
import { actorOf } from '../../../../lib/aws/sessions.js'
import { checkImage } from '../../../../lib/aws/images.js'
import { enqueueDue } from '../../../../lib/durable/due-jobs.js'
import type { Principal } from '../../../../lib/security/principal.js'
import {
  type DeployService, type DryRun, type RollbackTarget
} from '../../../../schemas/infrastructure/service-deployments.js'
import { DeploymentInProgress } from '../errors.js'
import { makeId } from '../identity.js'
import { loadService } from '../services/read-service.js'
import { keyOf, type ServiceRef } from '../services/resolve.js'
import { deploymentKind } from './advance-deployment.js'
import { findRollbackTarget } from './find-rollback-target.js'
import { planDeployment, type Planned } from './plan-deployment.js'

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
