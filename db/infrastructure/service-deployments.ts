import { sql, type Updateable } from 'kysely'
import type { Actor } from '../../schemas/cloud/accounts.js'
import {
  liveStatuses, type CancelFacts, type Change, type DeploymentKind, type DeploymentPlan, type DeploymentStatus, type Progress,
  type ServiceState
} from '../../schemas/infrastructure/service-deployments.js'
import type { TaskFailure } from '../../schemas/infrastructure/services.js'
import { ago, now, nowPlus, setOnce } from '../clock.js'
import { next, anyOf } from '../columns.js'
import { duplicateOf } from '../connection-errors.js'
import { dueRowsOf, leaseFor } from '../durable/due-rows.js'
import { isHeld, type LeasedRow } from '../durable/leases.js'
import type { Db } from '../index.js'
import { isOneOf } from '../statement.js'
import type { ServiceDeploymentTable } from './tables.js'

/** @returns deployments of services that these people began and that have failed since, the oldest first */
export const listFailedDeployments = (db: Db, workspaceId: string, people: readonly string[], since: Date) =>
  db.selectFrom('service_deployment')
    .select(['id', 'user_id', 'account_id', 'region', 'cluster', 'service', 'status', 'status_reason',
      sql<Date>`finished_at`.as('finished_at')])
    .where('workspace_id', '=', workspaceId).where('user_id', '=', anyOf(people))
    .where('status', 'in', ['failed', 'rolled_back', 'rollback_failed']).where('finished_at', '>=', since)
    .orderBy('finished_at').limit(500).execute()

const columns = ['workspace_id', 'id', 'account_id', 'region', 'cluster', 'service', 'kind', 'status', 'status_reason',
  'expected', 'previous_task_definition', 'target_task_definition', 'plan', 'changes', 'aws_deployment_id',
  'aws_service_deployment_arn', 'progress', 'failures', 'verdict', 'looks', 'actor', 'user_id',
  'acting_for', 'comment', 'cancel_requested_at', 'cancel_actor', 'cancel_for', 'cancel_expected',
  'lease_epoch', 'created_at', 'started_at', 'finished_at', 'deadline_at'] as const

export interface ServiceKey {
  workspace_id: string
  account_id: string
  region: string
  cluster: string
  service: string
}

const ofService = (db: Db, key: ServiceKey) => db.selectFrom('service_deployment').select(columns)
  .where('workspace_id', '=', key.workspace_id).where('account_id', '=', key.account_id)
  .where('region', '=', key.region).where('cluster', '=', key.cluster).where('service', '=', key.service)

/** @returns the service's deployments, newest first */
export const listDeployments = (db: Db, key: ServiceKey, limit: number, after?: string) => {
  const all = ofService(db, key)
  return (after === undefined ? all : all.where('id', '<', after)).orderBy('id', 'desc').limit(limit).execute()
}

/** @returns those whose revision ran successfully, the last to do so first */
export const listSucceeded = (db: Db, key: ServiceKey, limit: number) =>
  ofService(db, key).where('status', '=', 'succeeded').where('target_task_definition', 'is not', null)
    .orderBy('finished_at', 'desc').orderBy('id', 'desc').limit(limit).execute()

export const findLiveDeployment = (db: Db, key: ServiceKey) =>
  ofService(db, key).where(isOneOf('status', liveStatuses)).executeTakeFirst()

export const findServiceDeployment = (db: Db, key: ServiceKey, id: string) =>
  ofService(db, key).where('id', '=', id).executeTakeFirst()

export const findDeployment = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('service_deployment').select(columns)
    .where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

export type DeploymentRow = NonNullable<Awaited<ReturnType<typeof findDeployment>>>

export interface NewDeployment extends ServiceKey {
  id: string
  kind: DeploymentKind
  expected: ServiceState
  previous_task_definition: string
  target_task_definition: string | null
  plan: DeploymentPlan
  changes: Change[]
  actor: string
  user_id: string
  acting_for: Actor
  comment: string | null
  timeout_seconds: number
}

/** @returns whether an error says that another deployment of the service is live */
export const isServiceBusy = duplicateOf('service_deployment_live')

/** @throws as isServiceBusy */
export const insertDeployment = (db: Db, { timeout_seconds: seconds, ...deployment }: NewDeployment) =>
  db.insertInto('service_deployment').values({
    ...deployment,
    status: 'queued',
    expected: JSON.stringify(deployment.expected),
    plan: JSON.stringify(deployment.plan),
    changes: JSON.stringify(deployment.changes),
    acting_for: JSON.stringify(deployment.acting_for),
    failures: '[]',
    deadline_at: nowPlus(seconds)
  }).returning(columns).executeTakeFirstOrThrow()

/** @returns the deployment, locked until the transaction ends */
export const lockDeployment = (trx: Db, key: ServiceKey, id: string) =>
  ofService(trx, key).where('id', '=', id).forUpdate().executeTakeFirst()

const ofRow = (db: Db, { workspace_id, id }: Pick<DeploymentRow, 'workspace_id' | 'id'>) =>
  db.updateTable('service_deployment').where('workspace_id', '=', workspace_id).where('id', '=', id)

/** Ends a deployment that has sent nothing; a worker that holds it can write no more, and so sends nothing. */
export const cancelUnsent = (trx: Db, row: DeploymentRow, actor: string, reason: string) =>
  ofRow(trx, row).set({
    status: 'stopped',
    status_reason: reason,
    cancel_requested_at: now,
    cancel_actor: actor,
    finished_at: now,
    lease_epoch: next('lease_epoch')
  }).returning(columns).executeTakeFirstOrThrow()

/** Stores that it is to be stopped, for whom, and on what state; the holder of the row sees it at its next write. */
export const requestCancel = (trx: Db, row: DeploymentRow, actor: string, actingFor: Actor,
  expected?: Partial<CancelFacts>) =>
  ofRow(trx, row).set({
    cancel_requested_at: now,
    cancel_actor: actor,
    cancel_for: JSON.stringify(actingFor),
    cancel_expected: expected ? JSON.stringify(expected) : null
  }).returning(columns).executeTakeFirstOrThrow()

/** Withdraws a cancel that AWS refused: the deployment goes on. */
export const clearCancel = (db: Db, row: DeploymentRow) =>
  ofRow(db, row).set({ cancel_requested_at: null, cancel_actor: null, cancel_for: null, cancel_expected: null })
    .execute()

const backSeconds = 1_800

/** Going back takes as long as going forward: the deadline counts anew. */
export const extendDeadline = (db: Db, row: DeploymentRow) =>
  ofRow(db, row).set({ deadline_at: nowPlus(backSeconds) }).execute()

/** Ends the live deployment of the service, for one that was started with `force`. */
export const supersedeLive = (db: Db, key: ServiceKey, reason: string) =>
  db.updateTable('service_deployment')
    .set({ status: 'superseded', status_reason: reason, finished_at: now, lease_epoch: next('lease_epoch') })
    .where('workspace_id', '=', key.workspace_id).where('account_id', '=', key.account_id)
    .where('region', '=', key.region).where('cluster', '=', key.cluster).where('service', '=', key.service)
    .where(isOneOf('status', liveStatuses)).execute()

/** Longer than any single step that changes something; a look that is done twice does no harm. */
const leaseSeconds = sql<number>`case when status in ('in_progress', 'rolling_back') then 15 else 60 end`

/** One that a job has claimed, and whether its deadline has passed. */
export type ClaimedDeployment = DeploymentRow & { late: boolean }

/** A live one may be advanced at any time; the queue has the time of the next poll. */
export const dueDeployments = dueRowsOf<ClaimedDeployment>({
  name: 'service_deployment',
  state: 'status',
  columns,
  computed: sql`deadline_at < ${now} as late`,
  isDue: sql<boolean>`${isOneOf('status', liveStatuses)} and (lease_until is null or lease_until < ${now})`,
  isLate: sql<boolean>`${isOneOf('status', liveStatuses)}
    and (looked_at < ${ago('45 seconds')} or lease_until < ${now})`,
  onClaim: sql`${leaseFor(leaseSeconds)}, looked_at = ${now}, looks = ${next('looks')},
    started_at = ${setOnce('started_at', now)}`,
  orderBy: 'looked_at'
})

export interface DeploymentChange {
  status?: DeploymentStatus
  status_reason?: string | null
  target_task_definition?: string
  aws_deployment_id?: string | null
  aws_service_deployment_arn?: string | null
  progress?: Progress
  failures?: TaskFailure[]
  verdict?: DeploymentStatus | null
}

const toColumns = ({ progress, failures, ...rest }: DeploymentChange): Updateable<ServiceDeploymentTable> => ({
  ...rest,
  ...(progress && { progress: JSON.stringify(progress) }),
  ...(failures && { failures: JSON.stringify(failures) })
})

const ofHolder = (db: Db, row: LeasedRow) => db.updateTable('service_deployment').where(isHeld(row, liveStatuses))

/** @returns the changed row; undefined when another process holds it by now, or it has ended */
export const changeDeployment = (db: Db, row: LeasedRow, change: DeploymentChange) =>
  ofHolder(db, row).set(toColumns(change)).returning(columns).executeTakeFirst()

/** The same, and releases the row. */
export const releaseDeployment = (db: Db, row: LeasedRow, change: DeploymentChange, ended: boolean) =>
  ofHolder(db, row).set({ ...toColumns(change), lease_until: null, ...(ended && { finished_at: now }) })
    .returning(columns).executeTakeFirst()

/** @returns whether a live deployment needs the account */
export const hasLiveDeployment = async (db: Db, workspaceId: string, accountId: string): Promise<boolean> => {
  const found = await db.selectFrom('service_deployment').select('id')
    .where('workspace_id', '=', workspaceId).where('account_id', '=', accountId)
    .where(isOneOf('status', liveStatuses)).executeTakeFirst()
  return found !== undefined
}
