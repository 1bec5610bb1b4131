import { sql, type RawBuilder, type Updateable } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { v7 as uuid } from 'uuid'
import type { AppBuilder } from '../../schemas/deployments/builders.js'
import type { AppSource, AppTarget, AutoDeploy } from '../../schemas/deployments/apps.js'
import { liveStatuses, type BuildStatus } from '../../schemas/deployments/builds.js'
import type { Actor } from '../audit.js'
import { daysAgo, now } from '../clock.js'
import { next, anyOf, type Slice } from '../columns.js'
import { duplicateOf } from '../connection-errors.js'
import { byWorkspace } from '../durable/leases.js'
import type { Db } from '../index.js'
import { sweep } from '../workers.js'
import type { DeploymentAppTable, StoredRefusedPush } from './tables.js'

/** Keeps why the last push built nothing. Its time is the database's. */
export const recordRefusedPush = async (db: Db, workspaceId: string, appId: string,
  { commit, code, detail }: Omit<StoredRefusedPush, 'at'>): Promise<void> => {
  const refused_push = sql<string>`json_build_object(
    'commit', ${commit}::text, 'code', ${code}::text, 'detail', ${detail}::text, 'at', now())`
  await db.updateTable('deployment_app').set({ refused_push })
    .where('workspace_id', '=', workspaceId).where('id', '=', appId).execute()
}

export const clearRefusedPush = async (db: Db, workspaceId: string, appId: string): Promise<void> => {
  await db.updateTable('deployment_app').set({ refused_push: null })
    .where('workspace_id', '=', workspaceId).where('id', '=', appId).where('refused_push', 'is not', null).execute()
}

const columns = ['workspace_id', 'id', 'name', 'source', 'target', 'cloud_account_id', 'image',
  'builder', 'auto_deploy', 'auto_deploy_principal', 'refused_push', 'revision', 'created_by', 'created_at', 'updated_at'] as const

const ofOuterApp = (workspaceId: string) => sql<boolean>`b.workspace_id = ${workspaceId} and b.app_id = a.id`

const newest = (db: Db, workspaceId: string, statuses?: readonly BuildStatus[]) => {
  const builds = db.selectFrom('deployment_build as b')
    .select(['b.id', 'b.number', 'b.status', 'b.commit', 'b.finished_at']).where(ofOuterApp(workspaceId))
  return jsonObjectFrom((statuses ? builds.where('b.status', 'in', statuses) : builds)
    .orderBy('b.number', 'desc').limit(1))
}

const countOf = (workspaceId: string, statuses: readonly BuildStatus[]) => sql<number>`(
  select count(*)::integer from deployment_build b where ${ofOuterApp(workspaceId)}
    and b.status = any(${[...statuses]}))`

/** Apps with what their builds say about them. */
const seen = (db: Db, workspaceId: string) => db.selectFrom('deployment_app as a')
  .select(columns.map((column) => `a.${column}` as const))
  .select([
    newest(db, workspaceId).as('latest_build'),
    newest(db, workspaceId, ['succeeded']).as('live_build'),
    newest(db, workspaceId, ['succeeded', 'failed', 'timed_out']).as('last_outcome'),
    countOf(workspaceId, ['queued']).as('queue_length'),
    countOf(workspaceId, liveStatuses).as('live_builds')
  ])
  .where('a.workspace_id', '=', workspaceId).where('a.deleted_at', 'is', null)

export interface AppScope { cloud_accounts: string[], environments: string[] }

/** @param only the cloud accounts and environments of which the caller sees apps; null = all */
export const listApps = (db: Db, workspaceId: string, only: AppScope | null, { before, limit }: Slice) =>
  seen(db, workspaceId)
    .$if(only !== null, (query) => query.where(sql<boolean>`exists (select from cloud_account c
      where c.workspace_id = ${workspaceId} and c.id = a.cloud_account_id
        and (c.id = any(${only?.cloud_accounts}::uuid[]) or c.environment = any(${only?.environments}::text[])))`))
    .$if(before !== undefined, (query) => query.where('a.id', '<', String(before)))
    .orderBy('a.id', 'desc').limit(limit).execute()

export const findApp = (db: Db, workspaceId: string, id: string) =>
  seen(db, workspaceId).where('a.id', '=', id).executeTakeFirst()

export type AppRow = NonNullable<Awaited<ReturnType<typeof findApp>>>

/** @returns the app's row, locked: until this transaction ends no other changes it or adds builds */
export const lockApp = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('deployment_app').select(columns).where('workspace_id', '=', workspaceId).where('id', '=', id)
    .where('deleted_at', 'is', null).forUpdate().executeTakeFirst()

export type LockedApp = NonNullable<Awaited<ReturnType<typeof lockApp>>>

export interface AppFields {
  name: string
  source: AppSource
  target: AppTarget
  cloud_account_id: string
  image: string | null
  builder: AppBuilder | null
  auto_deploy: AutoDeploy
}

type Columns = Omit<Updateable<DeploymentAppTable>, 'workspace_id' | 'id'>

const toColumns = ({ source, target, builder, auto_deploy, ...rest }: Partial<AppFields>): Columns => ({
  ...rest,
  ...(source && { source: JSON.stringify(source) }),
  ...(target && { target: JSON.stringify(target) }),
  ...(builder !== undefined && { builder: builder && JSON.stringify(builder) }),
  ...(auto_deploy && { auto_deploy: JSON.stringify(auto_deploy) })
})

/** Pushes are built as this actor from now on; an earlier refusal is cleared. */
const actsAs = (actor: Actor) =>
  ({ auto_deploy_by: actor.user_id, auto_deploy_principal: JSON.stringify(actor), refused_push: null })

/** @returns whether an error says that an app of the workspace has the name */
export const isDuplicateAppName = duplicateOf('deployment_app_name')

/** @returns the new app's id. @throws as isDuplicateAppName */
export const insertApp = async (db: Db, workspaceId: string, actor: Actor, fields: AppFields): Promise<string> => {
  const { source, target, builder, auto_deploy, ...rest } = fields
  const row = await db.insertInto('deployment_app').values({
    ...rest,
    workspace_id: workspaceId,
    id: uuid(),
    source: JSON.stringify(source),
    target: JSON.stringify(target),
    builder: builder && JSON.stringify(builder),
    auto_deploy: JSON.stringify(auto_deploy),
    ...actsAs(actor),
    created_by: actor.user_id
  }).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/**
 * @param actor as whom pushes are built from now on; undefined = as before
 * @returns whether there was one at one of these revisions
 * @throws as isDuplicateAppName
 */
export const updateApp = async (db: Db, workspaceId: string, id: string, actor: Actor | undefined,
  fields: Partial<AppFields>, revisions?: number[]): Promise<boolean> => {
  const update = db.updateTable('deployment_app').set({
    ...toColumns(fields),
    ...(actor && actsAs(actor)),
    revision: next('revision'),
    updated_at: now
  }).where('workspace_id', '=', workspaceId).where('id', '=', id).where('deleted_at', 'is', null)
  const { numUpdatedRows } = await (revisions
    ? update.where('revision', '=', anyOf(revisions))
    : update).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Hides the app. In a transaction, under its lock. */
export const setAppDeleted = async (db: Db, workspaceId: string, id: string): Promise<void> => {
  await db.updateTable('deployment_app').set({ deleted_at: now, revision: next('revision') })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

const canComeBack = sql<boolean>`deleted_at > now() - interval '30 days'`

/** @returns an app that was deleted and can still be brought back */
export const findDeletedApp = (db: Db, workspaceId: string, id: string) =>
  db.selectFrom('deployment_app').select(['id', 'created_by']).where('workspace_id', '=', workspaceId)
    .where('id', '=', id).where(canComeBack).executeTakeFirst()

/** @returns whether there was one to bring back. @throws as isDuplicateAppName */
export const undeleteApp = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  const { numUpdatedRows } = await db.updateTable('deployment_app')
    .set({ deleted_at: null, revision: next('revision'), updated_at: now })
    .where('workspace_id', '=', workspaceId).where('id', '=', id).where(canComeBack).executeTakeFirst()
  return numUpdatedRows > 0n
}

const purge = async (db: Db, workspaceId: string, which: RawBuilder<unknown>): Promise<{ id: string }[]> => {
  const { rows } = await sql<{ id: string }>`
    with apps as (select id from deployment_app where workspace_id = ${workspaceId} and ${which}),
    events as (delete from stream_event e using deployment_build b, apps where b.workspace_id = ${workspaceId}
      and b.app_id = apps.id and e.workspace_id = ${workspaceId} and e.stream_id = b.id),
    gone as (delete from deployment_app a using apps
      where a.workspace_id = ${workspaceId} and a.id = apps.id returning a.id)
    select id from gone`.execute(db)
  return rows
}

/** Deletes apps that can no longer be brought back, with their builds and logs. */
export const purgeApps = async (db: Db, limit: number): Promise<number> => {
  const found = await sweep(db, (reach) => db.selectFrom('deployment_app').select(['workspace_id', 'id'])
    .where(reach(sql`deleted_at <= now() - interval '30 days'`)).limit(limit).execute())
  const gone = await byWorkspace(found, (workspaceId, ids) =>
    purge(db, workspaceId, sql`id = any(${ids}::uuid[]) and not ${canComeBack}`))
  return gone.length
}

/** The same of one workspace, of those that were deleted more than so many days ago. @returns how many */
export const purgeOldApps = async (db: Db, workspaceId: string, days: number, limit: number): Promise<number> =>
  (await purge(db, workspaceId, sql`deleted_at < ${daysAgo(days)} and id in (select id from deployment_app
      where workspace_id = ${workspaceId} and deleted_at < ${daysAgo(days)} limit ${limit})`)).length

/** Deletes the hidden apps of a cloud account that is to be removed. @returns how many */
export const purgeAppsOf = async (db: Db, workspaceId: string, accountId: string): Promise<number> =>
  (await purge(db, workspaceId, sql`cloud_account_id = ${accountId} and deleted_at is not null`)).length

const withAccount = (db: Db, workspaceId: string) => db.selectFrom('deployment_app as a')
  .innerJoin('cloud_account as c', (join) => join
    .onRef('c.workspace_id', '=', 'a.workspace_id').onRef('c.id', '=', 'a.cloud_account_id'))
  .where('a.workspace_id', '=', workspaceId)

/** @returns apps that a push may concern. @param names of its repository, in any case: its name, its id */
export const listAutoDeployed = (db: Db, workspaceId: string, names: (string | undefined)[]) =>
  withAccount(db, workspaceId)
    .select(['a.id', 'a.auto_deploy', 'a.auto_deploy_principal', 'a.source', 'a.cloud_account_id', 'c.environment'])
    .where('a.deleted_at', 'is', null)
    .where(sql<boolean>`lower(a.source->>'repo') = any(${names.flatMap((name) => name?.toLowerCase() ?? [])}::text[])`)
    .where(sql<boolean>`a.auto_deploy->>'enabled' = 'true'`).execute()

/** @returns what an app is reached through, deleted or not: its environment is that of its account as it is now */
export const findAppResource = (db: Db, workspaceId: string, id: string) =>
  withAccount(db, workspaceId).select(['a.cloud_account_id', 'c.environment']).where('a.id', '=', id)
    .executeTakeFirst()
