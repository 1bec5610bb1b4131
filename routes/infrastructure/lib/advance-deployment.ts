import type { ECS, Service, ServiceDeployment } from '@aws-sdk/client-ecs'
import type { FastifyInstance } from 'fastify'
import { findAccount } from '../../../lib/aws/accounts.js'
import {
  changeDeployment, clearCancel, dueDeployments, extendDeadline, releaseDeployment, type ClaimedDeployment,
  type DeploymentChange, type DeploymentRow
} from '../../../db/infrastructure/service-deployments.js'
import type { Actor } from '../../../schemas/cloud/acting.js'
import type { AwsLocation } from '../../../plugins/aws.js'
import type { DueDeps, DueKind } from '../../../lib/durable/due-jobs.js'
import { LostLease } from '../../../lib/durable/errors.js'
import { ApiError } from '../../../schemas/errors.js'
import {
  liveStatuses, type DeploymentStatus, type Progress
} from '../../../schemas/infrastructure/service-deployments.js'
import { isSameDefinition } from './diff-definitions.js'
import { judgeRollout, type Verdict } from './judge-rollout.js'
import { readRawDefinition, registerRawDefinition, toRegistration } from './raw-definition.js'
import { readFailures } from './read-failures.js'
import { describeService, primaryOf, readRecord, recordArn } from './read-rollout.js'
import { servicesKey } from './read-services.js'
import { stopRollout } from './stop-rollout.js'
import { registerStatements, updateStatements, writeEcs, type WriteEcs } from './write-ecs.js'
import { isOneOf } from '../../../schemas/unknown.js'

export type AdvanceDeps = DueDeps & Pick<FastifyInstance, 'aws'>

const failureEvery = 3

/** A row of an earlier release has only the person. */
const starterOf = ({ acting_for, user_id }: DeploymentRow): Actor =>
  acting_for ?? { user_id, run_id: null, confirmation_id: null }

const writerFor = ({ aws }: AdvanceDeps, location: AwsLocation, actor: Actor): WriteEcs =>
  writeEcs(aws.actingFor(actor), location)

/** `write` looks at the account where something is sent: one that became read-only is still watched to the true end. */
interface Work { deps: AdvanceDeps, row: DeploymentRow, location: AwsLocation, reader: ECS, write: WriteEcs }

const saveChange = async ({ deps, row }: Work, change: DeploymentChange): Promise<DeploymentRow> => {
  const changed = await changeDeployment(deps.db, row, change)
  if (!changed) throw new LostLease()
  return changed
}

/** After a crash in mid-call AWS may have the revision already: reuses it instead of registering it twice. */
const register = async (work: Work): Promise<string> => {
  const { plan, target_task_definition: target } = work.row
  if (plan.register === null) return target ?? work.row.previous_task_definition
  const newest = await readRawDefinition(work.reader, String(plan.register.family))
  if (isSameDefinition(toRegistration(newest), plan.register)) return String(newest.definition.taskDefinitionArn)
  const definition = plan.register
  return work.write(registerStatements(work.location, definition), (ecs) => registerRawDefinition(ecs, definition))
}

/** @returns the deployment that an UpdateService of ours, whose answer was lost, has started */
const alreadyStarted = (row: DeploymentRow, target: string, service: Service) => {
  const primary = primaryOf(service)
  const since = row.started_at?.getTime() ?? Infinity
  const ours = primary?.taskDefinition === target && (primary.createdAt?.getTime() ?? 0) >= since
  return ours ? primary : undefined
}

const breakerOf = ({ plan }: DeploymentRow, service: Service) => plan.circuit_breaker && {
  deploymentConfiguration: {
    ...service.deploymentConfiguration,
    deploymentCircuitBreaker: { enable: plan.circuit_breaker.enabled, rollback: plan.circuit_breaker.rollback }
  }
}

/** The desired count is left out: AWS keeps it, and autoscaling may have moved it. */
const sendUpdate = async ({ row, location, write }: Work, target: string, before: Service):
Promise<Service | undefined> => {
  const { service: after } = await write(updateStatements(location, row, before), (ecs) => ecs.updateService({
    cluster: row.cluster,
    service: row.service,
    taskDefinition: target,
    ...(row.plan.force && { forceNewDeployment: true }),
    ...breakerOf(row, before)
  }))
  return after
}

/** Cancelled while it is unknown whether UpdateService was sent: two polls must agree that it was not. */
const endUnsent = ({ row }: Work): DeploymentChange => ({
  verdict: 'stopped',
  ...(row.verdict === 'stopped' && {
    status: 'stopped', status_reason: `Cancelled by ${row.cancel_actor} before ECS was asked to change the service`
  })
})

const update = async (work: Work, resumed: boolean): Promise<DeploymentChange> => {
  const { row } = work
  const target = row.target_task_definition ?? ''
  const before = await describeService(work.reader, row)
  const started = resumed ? alreadyStarted(row, target, before) : undefined
  if (!started && row.cancel_requested_at !== null) return endUnsent(work)
  const after = started ? before : await sendUpdate(work, target, before)
  return { status: 'in_progress', aws_deployment_id: (after && primaryOf(after)?.id) ?? null }
}

/**
 * Takes the steps that are left before AWS rolls out; each is stored before the next begins.
 * @returns undefined once AWS rolls out, else the change that a cancel makes
 */
const begin = async (work: Work): Promise<DeploymentChange | undefined> => {
  const resumed = work.row.status === 'updating'
  if (work.row.status === 'queued') work.row = await saveChange(work, { status: 'registering' })
  if (work.row.status === 'registering') {
    work.row = await saveChange(work, { status: 'updating', target_task_definition: await register(work) })
  }
  if (work.row.status !== 'updating') return undefined
  const change = await update(work, resumed)
  if (change.status !== 'in_progress') return change
  work.row = await saveChange(work, change)
  return undefined
}

/** Reads optional detail: an account may not permit the call. */
const recordOf = ({ reader, row }: Work, arn: string | null): Promise<ServiceDeployment | undefined> =>
  readRecord(reader, row, arn).catch(() => undefined)

const progressOf = (service: Service, id: string | null): Progress => {
  const ours = service.deployments?.find((deployment) => deployment.id === id)
  return {
    desired: ours?.desiredCount ?? service.desiredCount ?? 0,
    running: ours?.runningCount ?? 0,
    pending: ours?.pendingCount ?? 0,
    failed: ours?.failedTasks ?? 0
  }
}

const isLive = (status: DeploymentStatus): boolean => isOneOf(liveStatuses, status)

/**
 * Stops a cancelled deployment, however far the process of the cancel request got. When AWS refuses, it goes on.
 * @returns the reason of the new status
 */
const stop = async (work: Work): Promise<string> => {
  const { row, deps } = work
  try {
    await stopRollout({ ...work, write: writerFor(deps, work.location, row.cancel_for ?? starterOf(row)) })
    await extendDeadline(deps.db, row)
    return `Cancelled by ${row.cancel_actor}: ECS goes back to ${row.previous_task_definition}`
  } catch (error) {
    // A conflict may come from a read that is older than the stop: the next poll shows.
    if (!(error instanceof ApiError) || error.statusCode >= 500 || error.code === 'aws_conflict') throw error
    await clearCancel(deps.db, row)
    return `The cancel was refused, so the deployment goes on: ${error.message}`
  }
}

const poll = async (work: Work): Promise<DeploymentChange & { status: DeploymentStatus }> => {
  const { row, reader } = work
  const service = await describeService(reader, row)
  const arn = recordArn(row, service)
  const judged: Verdict = judgeRollout(row, service, await recordOf(work, arn))
  // Two polls must agree: AWS's reads may be older than its writes.
  const ends = !isLive(judged.status) && row.verdict === judged.status
  const status = isLive(judged.status) || ends ? judged.status : row.status
  const isGood = judged.status === 'in_progress' || judged.status === 'succeeded'
  const failures = (!isGood || row.looks % failureEvery === 0) && row.aws_deployment_id
    ? await readFailures(reader, row.cluster, row.service, row.aws_deployment_id).catch(() => [])
    : []
  const stopping = row.cancel_requested_at !== null && judged.status === 'in_progress'
  return {
    status,
    status_reason: stopping ? await stop(work) : judged.reason,
    verdict: judged.status,
    aws_service_deployment_arn: arn,
    progress: progressOf(service, row.aws_deployment_id),
    // AWS forgets stopped tasks; the record keeps what it saw.
    ...(failures.length > 0 && { failures })
  }
}

const repeatable = (error: ApiError): boolean => error.statusCode >= 502

/** What a failed step means: an error of AWS is retried, a refusal ends the deployment. */
const onError = (error: unknown, row: DeploymentRow): DeploymentChange => {
  if (!(error instanceof ApiError) || repeatable(error)) throw error
  const watching = row.status === 'in_progress' || row.status === 'rolling_back'
  if (watching && error.code !== 'aws_resource_not_found') throw error
  return { status: 'failed', status_reason: error.message }
}

const lateEnd: DeploymentChange =
  { status: 'timed_out', status_reason: 'Not finished before its deadline; AWS may go on' }

/** @returns seconds until the next poll; undefined when it has ended, or another job has claimed it */
const advance = async (deps: AdvanceDeps, { late, ...row }: ClaimedDeployment): Promise<number | undefined> => {
  const account = await findAccount(deps.db, row.workspace_id, row.account_id)
  if (!account) return undefined
  const reader = await deps.aws.client('ecs', account, row.region)
  const location = { account, region: row.region }
  const work: Work = { deps, row, location, reader, write: writerFor(deps, location, starterOf(row)) }
  try {
    const unsent = await begin(work)
    const change = unsent ?? await poll(work).catch((error: unknown) => onError(error, work.row))
    return await finish(work, change, late)
  } catch (error) {
    if (error instanceof LostLease) return undefined
    return finish(work, await failedStep(error, work), late)
  } finally {
    deps.aws.inventory.forget(servicesKey(location, row.cluster))
  }
}

const failedStep = async (error: unknown, { row, deps }: Work): Promise<DeploymentChange> => {
  try {
    return onError(error, row)
  } catch (unclear) {
    const reason = unclear instanceof Error ? unclear.message : String(unclear)
    deps.log.warn({ deployment: row.id, reason }, 'polling a deployment failed; it is retried')
    return { status_reason: `The last poll failed: ${reason}` }
  }
}

const finish = async ({ deps, row }: Work, change: DeploymentChange, late: boolean): Promise<number | undefined> => {
  const ended = change.status !== undefined && !isLive(change.status)
  const final = !ended && late ? { ...change, ...lateEnd } : change
  await releaseDeployment(deps.db, row, final, ended || late)
  if (ended || late) return undefined
  if (change.verdict && !isLive(change.verdict)) return 1
  const sinceMs = Date.now() - (row.started_at?.getTime() ?? Date.now())
  return sinceMs > 120_000 ? 15 : 5
}

/** Jobs poll the deployments of services until they have ended. */
export const deploymentKind: DueKind<ClaimedDeployment, AdvanceDeps> = {
  job: 'infrastructure.deployment',
  sweepJob: 'infrastructure.deployments-sweep',
  idName: 'id',
  rows: dueDeployments,
  // A person waits for it, or a build does.
  sweepMs: 30_000,
  run: advance
}
