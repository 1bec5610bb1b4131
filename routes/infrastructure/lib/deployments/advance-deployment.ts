import type { Deployment, ECS, Service, ServiceDeployment, UpdateServiceRequest } from '@aws-sdk/client-ecs'
import type { FastifyInstance } from 'fastify'
import { findAccount } from '../../../../lib/aws/accounts.js'
import {
  changeDeployment, clearCancel, dueDeployments, extendDeadline, releaseDeployment, type ClaimedDeployment,
  type DeploymentChange, type DeploymentRow
} from '../../../../db/infrastructure/service-deployments.js'
import type { Actor } from '../../../../schemas/cloud/accounts.js'
import type { AwsLocation } from '../../../../lib/aws/account-clients.js'
import type { DueDeps, DueKind } from '../../../../lib/durable/due-jobs.js'
import { LostLease } from '../../../../lib/durable/kind.js'
import { withTarget } from '../../../../lib/durable/target-claim.js'
import { ApiError, TargetBusy } from '../../../../schemas/errors.js'
import {
  liveStatuses, type DeploymentStatus, type Progress
} from '../../../../schemas/infrastructure/service-deployments.js'
import { isSameDefinition } from './diff-definitions.js'
import { judgeRollout, type Verdict } from './judge-rollout.js'
import {
  readRawDefinition, registerRawDefinition, toRegistration, describeStatements, registerStatements, targetOfService,
  updateStatements, writeEcs, type WriteEcs
} from '../write-ecs.js'
import { readFailures } from '../services/read-failures.js'
import {
  describeService, primaryOf, readRecord, recordArn, describeState, isSameState, stateOf, stopRollout
} from './stop-rollout.js'
import { servicesKey } from '../services/read-services.js'
import { isOneOf } from '../../../../schemas/unknown.js'

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

/** The service is not any more in the state on which the deployment was asked for. */
class Drifted extends Error {}

/**
 * Compares what runs with what ran when this was asked for; a row of an earlier release names nothing to compare.
 * @throws Drifted
 */
const requireExpected = ({ expected }: DeploymentRow, service: Service, mayBeSent = false): void => {
  const now = stateOf(service)
  if (expected === null || isSameState(expected, now)) return
  throw new Drifted(`The service runs ${describeState(now)} by now, not ${describeState(expected)}, which it ran when ` +
    `this was asked for. ${mayBeSent ? 'ECS may have been asked before that' : 'Nothing was sent'}`)
}

/**
 * Reads the service before anything is registered. After a crash in mid-call AWS may have the revision already: it is
 * used instead of registering it twice. @throws Drifted
 */
const register = async (work: Work): Promise<string> => {
  const { plan, target_task_definition: target } = work.row
  requireExpected(work.row, await describeService(work.reader, work.row))
  if (plan.register === null) return target ?? work.row.previous_task_definition
  const newest = await readRawDefinition(work.reader, String(plan.register.family))
  if (isSameDefinition(toRegistration(newest), plan.register)) return String(newest.definition.taskDefinitionArn)
  const definition = plan.register
  return work.write(registerStatements(work.location, definition), (ecs) => registerRawDefinition(ecs, definition))
}

/** How far the clocks of AWS and of this instance may be apart. */
const clockSlackMs = 60_000

/** @returns when the deployment began that AWS had as the primary one before ours, by AWS's clock */
const timeBefore = ({ expected, started_at: began }: DeploymentRow, service: Service): number => {
  const before = expected?.deployment_id && service.deployments?.find(({ id }) => id === expected.deployment_id)
  return before ? before.createdAt?.getTime() ?? 0 : (began?.getTime() ?? Infinity) - clockSlackMs
}

/**
 * A deployment of ours is known by its revision and an id that the service did not have before, and by being newer than
 * what it replaces; this instance's clock is asked only where AWS lists that no more.
 * @returns the deployment that an UpdateService of ours, whose answer was lost, has started
 */
const findStarted = (row: DeploymentRow, target: string, service: Service): Deployment | undefined => {
  const since = timeBefore(row, service)
  return service.deployments?.filter(({ id, taskDefinition, createdAt }) =>
    taskDefinition === target && id !== row.expected?.deployment_id && (createdAt?.getTime() ?? 0) >= since)
    .sort((a, b) => (a.createdAt?.getTime() ?? 0) - (b.createdAt?.getTime() ?? 0))[0]
}

const breakerOf = ({ plan }: DeploymentRow, service: Service) => plan.circuit_breaker && {
  deploymentConfiguration: {
    ...service.deploymentConfiguration,
    deploymentCircuitBreaker: { enable: plan.circuit_breaker.enabled, rollback: plan.circuit_breaker.rollback }
  }
}

/**
 * The desired count is left out: AWS keeps it, and autoscaling may have moved it. A restart names no revision: what runs
 * is restarted. A revision that runs already is named with force: AWS would start nothing, though its tag may have moved.
 */
const toUpdate = (row: DeploymentRow, target: string, before: Service): UpdateServiceRequest => ({
  cluster: row.cluster,
  service: row.service,
  ...(row.kind !== 'force' && { taskDefinition: target }),
  ...((row.plan.force || target === before.taskDefinition) && { forceNewDeployment: true }),
  ...breakerOf(row, before)
})

/** Reads the service, compares it with what was approved, and sends, as the only one that changes it. @throws Drifted */
const sendUpdate = ({ deps, row, location, write }: Work, target: string, resumed: boolean):
Promise<Service | undefined> => withTarget(deps, targetOfService(location, row), (claim) =>
  write([...describeStatements(location, row), ...updateStatements(location, row)], async (ecs) => {
    const before = await describeService(ecs, row)
    requireExpected(row, before, resumed)
    claim.requireHeld()
    return (await ecs.updateService(toUpdate(row, target, before))).service
  }))

/** Cancelled while it is unknown whether UpdateService was sent: two polls must agree that it was not. */
const endUnsent = ({ row }: Work): DeploymentChange => ({
  verdict: 'stopped',
  ...(row.verdict === 'stopped' && {
    status: 'stopped', status_reason: `Cancelled by ${row.cancel_actor} before ECS was asked to change the service`
  })
})

/** AWS's reads may be older than its writes: what may have been sent is sent only after two reads that do not show it. */
const lookAgain: DeploymentChange = { verdict: 'updating', status_reason: 'Whether ECS was asked is looked up again' }

const began = (ours: Deployment | undefined, target: string): DeploymentChange => ({
  status: 'in_progress',
  status_reason: null,
  verdict: null,
  aws_deployment_id: ours?.id ?? null,
  // A restart takes the revision that ran.
  target_task_definition: ours?.taskDefinition ?? target
})

const update = async (work: Work, resumed: boolean): Promise<DeploymentChange> => {
  const { row } = work
  const target = row.target_task_definition ?? ''
  if (resumed) {
    const before = await describeService(work.reader, row)
    const ours = findStarted(row, target, before)
    if (ours) return began(ours, target)
    if (row.cancel_requested_at !== null) return endUnsent(work)
    requireExpected(row, before, resumed)
    if (row.verdict !== 'updating') return lookAgain
  } else if (row.cancel_requested_at !== null) return endUnsent(work)
  const after = await sendUpdate(work, target, resumed)
  return began(after && primaryOf(after), target)
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
const recordOf = ({ reader, row }: Work, service: Service, arn: string | null): Promise<ServiceDeployment | undefined> =>
  readRecord(reader, row, service, arn).catch(() => undefined)

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
    await stopRollout({ ...work, db: deps.db, write: writerFor(deps, work.location, row.cancel_for ?? starterOf(row)) })
    await extendDeadline(deps.db, row)
    return `Cancelled by ${row.cancel_actor}: ECS goes back to ${row.previous_task_definition}`
  } catch (error) {
    // A conflict may come from a read that is older than the stop: the next poll shows.
    if (!(error instanceof ApiError) || repeatable(error) || error.code === 'aws_conflict') throw error
    await clearCancel(deps.db, row)
    return `The cancel was refused, so the deployment goes on: ${error.message}`
  }
}

const poll = async (work: Work): Promise<DeploymentChange & { status: DeploymentStatus }> => {
  const { row, reader } = work
  const service = await describeService(reader, row)
  const arn = recordArn(row, service)
  const judged: Verdict = judgeRollout(row, service, await recordOf(work, service, arn))
  // What AWS says of our id is final. Else two polls must agree: AWS's reads may be older than its writes.
  const ends = !isLive(judged.status) && (judged.isFinal || row.verdict === judged.status)
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

/** Another change of the service is waited for. */
const repeatable = (error: ApiError): boolean => error.statusCode >= 502 || error.code === TargetBusy.code

/** What a failed step means: an error of AWS is retried, a refusal ends the deployment. */
const onError = (error: unknown, row: DeploymentRow): DeploymentChange => {
  if (error instanceof Drifted) return { status: 'superseded', status_reason: error.message }
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
