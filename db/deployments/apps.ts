import { sql, type Updateable } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { v7 as uuid } from 'uuid'
import type { AppSource, AppTarget, AutoDeploy, EnvironmentReference } from '../../schemas/deployments/apps.js'
import { liveStatuses, type BuildStatus } from '../../schemas/deployments/builds.js'
import type { Db } from '../index.js'
import type { DeploymentAppTable } from './tables.js'

const columns = ['workspace_id', 'id', 'name', 'source', 'target', 'cloud_account_id', 'image', 'environment',
  'auto_deploy', 'auto_deploy_by', 'revision', 'created_by', 'created_at', 'updated_at'] as const

const ofOuterApp = sql<boolean>`b.workspace_id = a.workspace_id and b.app_id = a.id`

const newest = (db: Db, statuses?: readonly BuildStatus[]) => {
  const builds = db.selectFrom('deployment_build as b')
    .select(['b.id', 'b.number', 'b.status', 'b.commit', 'b.finished_at']).where(ofOuterApp)
  return jsonObjectFrom((statuses ? builds.where('b.status', 'in', statuses) : builds)
    .orderBy('b.number', 'desc').limit(1))
}

const countOf = (statuses: readonly BuildStatus[]) => sql<number>`(
  select count(*)::integer from deployment_build b where ${ofOuterApp} and b.status = any(${[...statuses]}))`

/** Apps with what their builds say about them. */
const seen = (db: Db, workspaceId: string) => db.selectFrom('deployment_app as a')
  .select(columns.map((column) => `a.${column}` as const))
  .select([
    newest(db).as('latest_build'),
    newest(db, ['succeeded']).as('live_build'),
    newest(db, ['succeeded', 'failed', 'timed_out']).as('last_outcome'),
    countOf(['queued']).as('queue_length'),
    countOf(liveStatuses).as('live_builds')
  ])
  .where('a.workspace_id', '=', workspaceId)

export const listApps = (db: Db, workspaceId: string, { before, limit }: { before?: string, limit: number }) =>
  seen(db, workspaceId).$if(before !== undefined, (query) => query.where('a.id', '<', String(before)))
    .orderBy('a.id', 'desc').limit(limit).execute()

export const findApp = (db: Db, workspaceId: string, id: string) =>
  seen(db, workspaceId).where('a.id', '=', id).executeTakeFirst()

export type AppRow = NonNullable<Awaited<ReturnType<typeof findApp>>>

/** @returns the app's row, which nobody else may change or add builds to before this transaction ends */
export const lockApp = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('deployment_app').select(columns).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .forUpdate().executeTakeFirst()

export type LockedApp = NonNullable<Awaited<ReturnType<typeof lockApp>>>

export interface AppFields {
  name: string
  source: AppSource
  target: AppTarget
  cloud_account_id: string
  image: string | null
  environment: EnvironmentReference[]
  auto_deploy: AutoDeploy
}

type Columns = Omit<Updateable<DeploymentAppTable>, 'workspace_id' | 'id'>

const toColumns = ({ source, target, environment, auto_deploy, ...rest }: Partial<AppFields>): Columns => ({
  ...rest,
  ...(source && { source: JSON.stringify(source) }),
  ...(target && { target: JSON.stringify(target) }),
  ...(environment && { environment: JSON.stringify(environment) }),
  ...(auto_deploy && { auto_deploy: JSON.stringify(auto_deploy) })
})

/** @returns the new app's id. @throws a unique violation of deployment_app_name */
export const insertApp = async (db: Db, workspaceId: string, userId: string, fields: AppFields): Promise<string> => {
  const { source, target, environment, auto_deploy, ...rest } = fields
  const row = await db.insertInto('deployment_app').values({
    ...rest,
    workspace_id: workspaceId,
    id: uuid(),
    source: JSON.stringify(source),
    target: JSON.stringify(target),
    environment: JSON.stringify(environment),
    auto_deploy: JSON.stringify(auto_deploy),
    auto_deploy_by: userId,
    created_by: userId
  }).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/** @returns whether there was one at one of these revisions. @throws a unique violation of deployment_app_name */
export const updateApp = async (db: Db, workspaceId: string, id: string, userId: string, fields: Partial<AppFields>,
  revisions?: number[]): Promise<boolean> => {
  const update = db.updateTable('deployment_app').set({
    ...toColumns(fields),
    ...(fields.auto_deploy && { auto_deploy_by: userId }),
    revision: sql`revision + 1`,
    updated_at: sql`now()`
  }).where('workspace_id', '=', workspaceId).where('id', '=', id)
  const { numUpdatedRows } = await (revisions
    ? update.where(sql<boolean>`revision = any(${revisions}::integer[])`)
    : update).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes the app, its builds and their records. In a transaction, under the app's lock. */
export const deleteApp = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.deleteFrom('stream_event').where('workspace_id', '=', workspaceId)
    .where('stream_id', 'in', (query) => query.selectFrom('deployment_build').select('deployment_build.id')
      .where('workspace_id', '=', workspaceId).where('app_id', '=', id))
    .execute()
  await db.deleteFrom('deployment_app').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** @returns apps that a push may concern. @param names of its repository, in any case: its name, its id */
export const listAutoDeployed = (db: Db, workspaceId: string, names: (string | undefined)[]) =>
  db.selectFrom('deployment_app').select(['id', 'auto_deploy', 'auto_deploy_by', 'source'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`lower(source->>'repo') = any(${names.flatMap((name) => name?.toLowerCase() ?? [])}::text[])`)
    .where(sql<boolean>`auto_deploy->>'enabled' = 'true'`).execute()
