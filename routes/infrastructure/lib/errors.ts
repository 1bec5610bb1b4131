import type { FastifyInstance } from 'fastify'
import { requireAccess, resourceOfAccount, visibleAccounts } from '../../../lib/access/require-access.js'
import { findAccount, keyOfAccount, listAccounts, type AccountRow } from '../../../lib/aws/accounts.js'
import { awsDetailOf } from '../../../lib/aws/errors.js'
import { actorOf } from '../../../lib/aws/sessions.js'
import type { Principal } from '../../../lib/security/principal.js'
import type { ActingAws } from '../../../lib/aws/account-clients.js'
import { whyUnusable } from '../../../schemas/cloud/accounts.js'
import { AccountUnusable, AwsThrottled, AwsTimeout, CloudAccountNotFound } from '../../../schemas/cloud/errors.js'
import type { SourceError } from '../../../schemas/common.js'
import { defineError, StateChanged, TargetBusy, ApiError } from '../../../schemas/errors.js'
import { itemAt } from '../../../schemas/unknown.js'

export { awsErrors, CloudAccountNotFound, ImageNotFound, NameUnresolved } from '../../../schemas/cloud/errors.js'

/** What every write answers that compares its target with what was approved, as the only one that changes it. */
export const writeErrors = [StateChanged, TargetBusy]

export const ClusterNotFound = defineError('cluster_not_found', 'There is no such cluster', 404)
export const ServiceNotFound = defineError('service_not_found', 'There is no such service', 404)
export const TaskNotFound = defineError('task_not_found', 'There is no such task of the service', 404)
export const TaskNotRunning = defineError('task_not_running', 'The task does not run any more', 409)
export const AmbiguousIdentifier = defineError('ambiguous_identifier', 'More than one resource has this name', 409)
export const AutoscalingConflict = defineError('autoscaling_conflict', 'Autoscaling manages this count', 409)
export const AutoscalingUnknown = defineError('autoscaling_unknown',
  'Whether autoscaling manages this count could not be read; say autoscaling: ignore to set it all the same', 409)
export const NotScalable = defineError('not_scalable', 'The service has no count to set', 409)
export const NotDeployable = defineError('not_deployable', 'The service cannot be deployed through ECS', 409)
export const DeploymentConflict = defineError('deployment_conflict', 'The service does not run what was expected', 409)
export const DeploymentInProgress = defineError('deployment_in_progress', 'A deployment of the service is live', 409)
export const DeploymentNotFound = defineError('deployment_not_found', 'There is no such deployment of the service', 404)
export const DeploymentFinished = defineError('deployment_finished', 'The deployment has ended', 409)
export const DeploymentNotCancellable = defineError('deployment_not_cancellable',
  'ECS has no way to stop this deployment', 409)
export const NothingToDeploy = defineError('nothing_to_deploy', 'This runs already', 409)
export const ContainerUnknown = defineError('container_unknown', 'It is not clear which container is meant', 422)
export const NoRollbackTarget = defineError('no_rollback_target', 'There is nothing to go back to', 409)
export const FunctionNotFound = defineError('function_not_found', 'There is no such function', 404)
export const FunctionNotDeployable = defineError('function_not_deployable',
  'The function is made of an archive, not of a container image', 409)
export const FunctionUpdateInProgress = defineError('function_update_in_progress',
  'Another change of the function is in progress', 409)
export const FunctionChanged = defineError('function_changed', 'The function is at another revision by now', 409)
export const AliasNotFound = defineError('alias_not_found', 'The function has no such alias', 404)
export const AliasDivided = defineError('alias_divided', 'The alias divides its calls between versions', 409)
export const QualifierInName = defineError('qualifier_in_name', 'A version or alias goes into `qualifier`', 422)
export const InvocationUnknown = defineError('invocation_outcome_unknown',
  'The function may still be running; it was not invoked again', 504)
export const InvocationLimited = defineError('invocation_limited',
  'The function is at its limit of concurrent runs', 429)
export const RangeInvalid = defineError('range_invalid', 'The range of time cannot be asked for', 422)

export type Deps =
  Pick<FastifyInstance, 'db' | 'config'> & { aws: Pick<FastifyInstance['aws'], 'client' | 'askRegistry' | 'inventory' | 'waitMs'> }

/** The same, for what writes. */
export type ActingDeps = Omit<Deps, 'aws'> & { aws: ActingAws }

/** @returns the same, with writes that AWS's own log shows as done for the principal */
export const actingFor = ({ db, config, aws }: Pick<FastifyInstance, 'db' | 'config' | 'aws'>, principal: Principal):
ActingDeps => ({ db, config, aws: aws.actingFor(actorOf(principal)) })

/** An account in one region: AWS is asked once for each. */
export interface Source { account: AccountRow, region: string }

export interface Filter { account_id?: string, region?: string }

/**
 * @returns every account and region that the principal sees and the filter leaves, without disabled and incomplete
 *   accounts
 * @throws cloud_account_not_found, cloud_account_unusable when the filter names an unusable one
 */
export const listSources = async ({ db }: Deps, principal: Principal, filter: Filter): Promise<Source[]> => {
  const accounts = filter.account_id === undefined
    ? visibleAccounts(principal, await listAccounts(db, principal.workspace_id))
      .filter((account) => whyUnusable(account) === undefined)
    : [await requireUsable(db, principal, filter.account_id)]
  return accounts.flatMap((account) => account.regions
    .filter((region) => filter.region === undefined || region === filter.region)
    .map((region) => ({ account, region })))
}

const requireUsable = async (db: Deps['db'], principal: Principal, id: string): Promise<AccountRow> => {
  const account = await findAccount(db, principal.workspace_id, id)
  if (!account) throw CloudAccountNotFound()
  requireAccess(principal, resourceOfAccount(account), CloudAccountNotFound)
  const refusal = whyUnusable(account)
  if (refusal !== undefined) throw AccountUnusable(refusal, { account_id: id })
  return account
}

export const toSourceError = ({ account, region }: Source, error: ApiError): SourceError => {
  // lib/aws/errors.ts gives every error of AWS this member.
  const aws = awsDetailOf(error)
  const { code, message: detail } = error
  return { account_id: account.id, region, code, detail, aws_request_id: aws.request_id ?? null }
}

/** What a list is made of: one read of each source, remembered under the name. */
export interface SourceRead<T> { name: string, ttlMs: number, read: (source: Source) => Promise<T[]> }

/** @returns the key of what was read, which a write forgets */
export const keyFor = ({ account, region }: Source, name: string): string =>
  `${keyOfAccount(account)}|${region}|${name}`

/** The source may be well: what has not been sent yet, AWS cannot have answered. */
const waitsForItsTurn = ({ account, region }: Source, waitMs: number) => {
  const retry_after = Math.ceil(waitMs / 1_000)
  return AwsThrottled(`Calls to ${region} wait for their turn below AWS's limits; ask again in ${retry_after} s`,
    { account_id: account.id, region, retry_after }).withHeaders({ 'retry-after': String(retry_after) })
}

const late = ({ account, region }: Source) =>
  AwsTimeout(`${region} did not answer in time; ask again later`, { account_id: account.id, region })

/** Stops waiting, not the work: a late answer is there for the next request, and who comes then waits no longer for it. */
const recall = async <T>({ aws, config }: Pick<Deps, 'aws' | 'config'>, source: Source,
  { name, ttlMs, read }: SourceRead<T>): Promise<T[]> => {
  const key = keyFor(source, name)
  const work = aws.inventory.recall(key, ttlMs, () => read(source))
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const waitMs = aws.waitMs(source)
      reject(waitMs > 0 ? waitsForItsTurn(source, waitMs) : late(source))
    }, Math.max(0, config.limits.source_patience_ms - aws.inventory.pendingMs(key)))
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** `age`: seconds since the oldest part was read from AWS. */
export interface Gathered<T> { found: T[], errors: SourceError[], partial: boolean, age: number }

/**
 * Asks all sources at once; each has its own time-out, so a dead region costs the others nothing.
 * @throws the first source's error when none answered
 */
export const gather = async <T>(deps: Pick<Deps, 'aws' | 'config'>, sources: Source[], what: SourceRead<T>):
Promise<Gathered<T>> => {
  const answers = await Promise.allSettled(sources.map((source) => recall(deps, source, what)))
  const found: T[] = []
  const errors: SourceError[] = []
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') found.push(...answer.value)
    else if (!(answer.reason instanceof ApiError) || errors.length === sources.length - 1) throw answer.reason
    else errors.push(toSourceError(itemAt(sources, index), answer.reason))
  }
  const age = Math.max(0, ...sources.map((source) => deps.aws.inventory.age(keyFor(source, what.name))))
  return { found, errors, partial: errors.length > 0, age }
}
