import { sql, type Updateable } from 'kysely'
import {
  liveStatuses, type Change, type DeploymentKind, type DeploymentPlan, type DeploymentStatus, type Progress
} from '../../schemas/infrastructure/service-deployments.js'
import type { TaskFailure } from '../../schemas/infrastructure/services.js'
import type { Db } from '../index.js'
import type { ServiceDeploymentTable } from './tables.js'
import { isOneOf } from '../statement.js'

const columns = ['workspace_id', 'id', 'account_id', 'region', 'cluster', 'service', 'kind', 'status', 'status_reason',
  'previous_task_definition', 'target_task_definition', 'plan', 'changes', 'aws_deployment_id',
  'aws_service_deployment_arn', 'progress', 'failures', 'verdict', 'looks', 'actor', 'user_id', 'comment',
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
  previous_task_definition: string
  target_task_definition: string | null
  plan: DeploymentPlan
  changes: Change[]
  actor: string
  user_id: string
  comment: string | null
  timeout_seconds: number
}

/** @throws a unique violation (23505) while another deployment of the service is live */
export const insertDeployment = (db: Db, { timeout_seconds: seconds, ...deployment }: NewDeployment) =>
  db.insertInto('service_deployment').values({
    ...deployment,
    status: 'queued',
    plan: JSON.stringify(deployment.plan),
    changes: JSON.stringify(deployment.changes),
    failures: '[]',
    deadline_at: sql`now() + make_interval(secs => ${seconds})`
  }).returning(columns).executeTakeFirstOrThrow()

/** Ends what is live of the service, for a deployment that was told to go ahead. */
export const supersedeLive = (db: Db, key: ServiceKey, reason: string) =>
  db.updateTable('service_deployment')
    .set({ status: 'superseded', status_reason: reason, finished_at: sql`now()`, lease_epoch: sql`lease_epoch + 1` })
    .where('workspace_id', '=', key.workspace_id).where('account_id', '=', key.account_id)
    .where('region', '=', key.region).where('cluster', '=', key.cluster).where('service', '=', key.service)
    .where(isOneOf('status', liveStatuses)).execute()

/** @returns the row, if it is live and nobody holds it; the epoch fences every later write of this holder */
export const claimDeployment = (db: Db, workspaceId: string, id: string, leaseSeconds: number) =>
  db.updateTable('service_deployment')
    .set({
      lease_epoch: sql`lease_epoch + 1`,
      lease_until: sql`now() + make_interval(secs => ${leaseSeconds})`,
      looked_at: sql`now()`,
      looks: sql`looks + 1`,
      started_at: sql`coalesce(started_at, now())`
    })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where(isOneOf('status', liveStatuses))
    .where(sql<boolean>`coalesce(lease_until < now(), true)`)
    .returning(columns).returning(sql<boolean>`deadline_at < now()`.as('late')).executeTakeFirst()

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

type Held = Pick<DeploymentRow, 'workspace_id' | 'id' | 'lease_epoch'>

const ofHolder = (db: Db, row: Held) => db.updateTable('service_deployment')
  .where('workspace_id', '=', row.workspace_id).where('id', '=', row.id).where('lease_epoch', '=', row.lease_epoch)
  .where(isOneOf('status', liveStatuses))

/** @returns the changed row; undefined when somebody else holds it by now, or it has ended */
export const changeDeployment = (db: Db, row: Held, change: DeploymentChange) =>
  ofHolder(db, row).set(toColumns(change)).returning(columns).executeTakeFirst()

/** The same, and lets go of the row. */
export const releaseDeployment = (db: Db, row: Held, change: DeploymentChange, ended: boolean) =>
  ofHolder(db, row).set({ ...toColumns(change), lease_until: null, ...(ended && { finished_at: sql`now()` }) })
    .returning(columns).executeTakeFirst()

/** @returns live deployments that nobody has looked at for a while: their job was lost */
export const listStaleDeployments = (db: Db, seconds: number) =>
  db.selectFrom('service_deployment').select(['workspace_id', 'id'])
    .where(isOneOf('status', liveStatuses))
    .where('looked_at', '<', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .orderBy('looked_at').limit(200).execute()

/** @returns whether a live deployment needs the account */
export const hasLiveDeployment = async (db: Db, workspaceId: string, accountId: string): Promise<boolean> => {
  const found = await db.selectFrom('service_deployment').select('id')
    .where('workspace_id', '=', workspaceId).where('account_id', '=', accountId)
    .where(isOneOf('status', liveStatuses)).executeTakeFirst()
  return found !== undefined
}
