import type { ECS, Service, ServiceDeployment } from '@aws-sdk/client-ecs'
import type { FastifyInstance } from 'fastify'
import { findAccount } from '../../../db/cloud/accounts.js'
import {
  changeDeployment, claimDeployment, releaseDeployment, type DeploymentChange, type DeploymentRow
} from '../../../db/cloud/service-deployments.js'
import { ApiError } from '../../../schemas/errors.js'
import {
  liveStatuses, type DeploymentStatus, type Progress
} from '../../../schemas/infrastructure/service-deployments.js'
import { isSameDefinition } from './diff-definitions.js'
import { judgeRollout, type Verdict } from './judge-rollout.js'
import { readRawDefinition, registerRawDefinition, toRegistration } from './raw-definition.js'
import { readFailures } from './read-failures.js'
import { servicesKey } from './read-services.js'

export type AdvanceDeps = Pick<FastifyInstance, 'db' | 'aws' | 'log'>

/** Longer than any one step; a worker that died frees the row after it. */
const leaseSeconds = 60
const failureEvery = 3

interface Work { deps: AdvanceDeps, row: DeploymentRow, reader: ECS, writer: ECS }

/** Somebody else holds the row by now; what this worker still wants to write no longer counts. */
class Fenced extends Error {}

const keep = async ({ deps, row }: Work, change: DeploymentChange): Promise<DeploymentRow> => {
  const changed = await changeDeployment(deps.db, row, change)
  if (!changed) throw new Fenced()
  return changed
}

/** After a crash in mid-call the revision may be there already: it is taken instead of being registered twice. */
const register = async (work: Work): Promise<string> => {
  const { plan, target_task_definition: target } = work.row
  if (plan.register === null) return target ?? work.row.previous_task_definition
  const newest = await readRawDefinition(work.reader, String(plan.register.family))
  if (isSameDefinition(toRegistration(newest), plan.register)) return String(newest.definition.taskDefinitionArn)
  return registerRawDefinition(work.writer, plan.register)
}

const describe = async (work: Work): Promise<Service> => {
  const { cluster, service } = work.row
  const { services } = await work.reader.describeServices({ cluster, services: [service] })
  if (!services?.[0]) throw new Error(`The service ${service} is gone`)
  return services[0]
}

/** @returns the deployment that an UpdateService of ours, whose answer was lost, has started */
const alreadyStarted = (row: DeploymentRow, target: string, service: Service) => {
  const primary = service.deployments?.find(({ status }) => status === 'PRIMARY')
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
const update = async (work: Work, target: string, resumed: boolean): Promise<DeploymentChange> => {
  const { row, writer } = work
  const before = await describe(work)
  const started = resumed ? alreadyStarted(row, target, before) : undefined
  const after = started
    ? before
    : (await writer.updateService({
        cluster: row.cluster,
        service: row.service,
        taskDefinition: target,
        ...(row.plan.force && { forceNewDeployment: true }),
        ...breakerOf(row, before)
      })).service
  const primary = after?.deployments?.find(({ status }) => status === 'PRIMARY')
  return { status: 'in_progress', aws_deployment_id: primary?.id ?? null }
}

/** Takes the steps that are left before AWS rolls out; each is written down before the next begins. */
const begin = async (work: Work): Promise<void> => {
  const resumed = work.row.status === 'updating'
  if (work.row.status === 'queued') work.row = await keep(work, { status: 'registering' })
  if (work.row.status === 'registering') {
    work.row = await keep(work, { status: 'updating', target_task_definition: await register(work) })
  }
  if (work.row.status === 'updating') {
    work.row = await keep(work, await update(work, work.row.target_task_definition ?? '', resumed))
  }
}

/** While our deployment is the primary one, the service's current record is ours. */
const recordArn = (row: DeploymentRow, service: Service): string | null => {
  const primary = service.deployments?.find(({ status }) => status === 'PRIMARY')
  const ours = primary?.id === row.aws_deployment_id ? service.currentServiceDeployment : undefined
  return row.aws_service_deployment_arn ?? ours ?? null
}

const slackMs = 5_000

const recordOf = async ({ reader, row }: Work, arn: string | null): Promise<ServiceDeployment | undefined> => {
  if (!arn) return undefined
  // Only adds to what the service says; accounts may not allow it.
  const answer = await reader.describeServiceDeployments({ serviceDeploymentArns: [arn] }).catch(() => undefined)
  const record = answer?.serviceDeployments?.[0]
  // A stale read may still name the record of the deployment before ours.
  const began = (row.started_at?.getTime() ?? 0) - slackMs
  return (record?.createdAt?.getTime() ?? 0) >= began ? record : undefined
}

const progressOf = (service: Service, id: string | null): Progress => {
  const ours = service.deployments?.find((deployment) => deployment.id === id)
  return {
    desired: ours?.desiredCount ?? service.desiredCount ?? 0,
    running: ours?.runningCount ?? 0,
    pending: ours?.pendingCount ?? 0,
    failed: ours?.failedTasks ?? 0
  }
}

const isLive = (status: DeploymentStatus): boolean => (liveStatuses as readonly string[]).includes(status)

const look = async (work: Work): Promise<DeploymentChange & { status: DeploymentStatus }> => {
  const { row, reader } = work
  const service = await describe(work)
  const arn = recordArn(row, service)
  const seen: Verdict = judgeRollout(row, service, await recordOf(work, arn))
  // Two looks must agree: AWS's reads may be older than its writes.
  const ends = !isLive(seen.status) && row.verdict === seen.status
  const status = isLive(seen.status) || ends ? seen.status : row.status
  const wantsFailures = row.looks % failureEvery === 0 || (seen.status !== 'in_progress' && seen.status !== 'succeeded')
  const failures = wantsFailures && row.aws_deployment_id
    ? await readFailures(reader, row.cluster, row.service, row.aws_deployment_id).catch(() => [])
    : []
  return {
    status,
    status_reason: seen.reason,
    verdict: seen.status,
    aws_service_deployment_arn: arn,
    progress: progressOf(service, row.aws_deployment_id),
    // AWS forgets stopped tasks; the record keeps what it saw.
    ...(failures.length > 0 && { failures })
  }
}

const repeatable = (error: ApiError): boolean => error.statusCode >= 502

/** What a failed step means: AWS's trouble is tried again, its refusal ends the deployment. */
const onError = (error: unknown, row: DeploymentRow): DeploymentChange => {
  if (!(error instanceof ApiError) || repeatable(error)) throw error
  const watching = row.status === 'in_progress' || row.status === 'rolling_back'
  if (watching && error.code !== 'aws_resource_not_found') throw error
  return { status: 'failed', status_reason: error.message }
}

const lateEnd: DeploymentChange =
  { status: 'timed_out', status_reason: 'Not finished before its deadline; AWS may go on' }

/** @returns whether it is to be looked at again, and after how many seconds; undefined = it has ended or is held */
export const advanceDeployment = async (deps: AdvanceDeps, workspaceId: string, id: string):
Promise<number | undefined> => {
  const claimed = await claimDeployment(deps.db, workspaceId, id, leaseSeconds)
  if (!claimed) return undefined
  const { late, ...row } = claimed
  const account = await findAccount(deps.db, workspaceId, row.account_id)
  if (!account) return undefined
  const reader = await deps.aws.client('ecs', account, row.region)
  const work: Work = { deps, row, reader, writer: await deps.aws.client('ecs', account, row.region, 'write') }
  try {
    await begin(work)
    const change = await look(work).catch((error: unknown) => onError(error, work.row))
    return await finish(work, change, late)
  } catch (error) {
    if (error instanceof Fenced) return undefined
    return finish(work, await failedStep(error, work), late)
  } finally {
    deps.aws.inventory.forget(servicesKey({ account, region: row.region }, row.cluster))
  }
}

const failedStep = async (error: unknown, { row, deps }: Work): Promise<DeploymentChange> => {
  try {
    return onError(error, row)
  } catch (unclear) {
    const reason = unclear instanceof Error ? unclear.message : String(unclear)
    deps.log.warn({ deployment: row.id, reason }, 'a look at a deployment failed; it is repeated')
    return { status_reason: `The last look failed: ${reason}` }
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
