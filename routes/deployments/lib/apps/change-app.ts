import type { Actor } from '../../../../db/audit.js'
import {
  findApp, findAppResource, findDeletedApp, insertApp, isDuplicateAppName, lockApp, setAppDeleted, undeleteApp,
  updateApp, type AppFields, type AppRow
} from '../../../../db/deployments/apps.js'
import { countLive } from '../../../../db/deployments/builds.js'
import type { Db } from '../../../../db/index.js'
import { requireAccess, lacksRole, hasRoleOn, type Resource } from '../../../../lib/access/require-access.js'
import { listMarks } from '../../../../lib/aws/accounts.js'
import {
  requireOwner, type Principal, actorOf, hasScope, currentPrincipal
} from '../../../../lib/security/principal.js'
import type { App, AppTarget, AutoDeploy, CreateApp, UpdateApp } from '../../../../schemas/deployments/apps.js'
import { NotFound, InsufficientScope } from '../../../../schemas/errors.js'
import { explainMiss } from '../../../../schemas/revisions.js'
import { itemAt } from '../../../../schemas/unknown.js'
import { type Deps, AppBusy, AppNameTaken } from '../errors.js'
import { requireBuilderTemplate, requireTemplate, resolveTarget, type ResolvedTarget } from './resolve-target.js'

const statusOf = ({ live_builds: live, last_outcome: last }: AppRow): App['status'] => {
  if (live > 0) return 'building'
  if (!last) return 'never_deployed'
  return last.status === 'succeeded' ? 'idle' : 'failed'
}

/** The database writes times inside JSON with its own zone and digits. */
const inUtc = (build: AppRow['latest_build']): App['latest_build'] => build &&
  { ...build, finished_at: build.finished_at === null ? null : new Date(build.finished_at) }

const describePushActor = ({ auto_deploy, auto_deploy_principal: actor }: AppRow): App['auto_deploy_as'] =>
  auto_deploy.enabled && actor ? { user_id: actor.user_id, name: actor.name, scopes: actor.scopes } : null

type Marks = Pick<App, 'environment' | 'read_only'>

const describe = (row: AppRow, { environment, read_only }: Marks): App => ({
  id: row.id,
  name: row.name,
  source: row.source,
  target: row.target,
  environment,
  read_only,
  image: row.image,
  builder: row.builder,
  auto_deploy: row.auto_deploy,
  auto_deploy_as: describePushActor(row),
  refused_push: row.refused_push && { ...row.refused_push, at: new Date(row.refused_push.at) },
  status: statusOf(row),
  live_build: inUtc(row.live_build),
  latest_build: inUtc(row.latest_build),
  queue_length: row.queue_length,
  revision: row.revision,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at
})

/** An app refers to its account by a foreign key: there always is one. */
const unmarked: Marks = { environment: null, read_only: false }

/** @returns the apps of a workspace as the API returns them, with what their accounts are for */
export const describeApps = async (db: Db, workspaceId: string, rows: readonly AppRow[]): Promise<App[]> => {
  const accounts = [...new Set(rows.map(({ cloud_account_id: id }) => id))]
  const marks = new Map((await listMarks(db, workspaceId, accounts)).map((account) => [account.id, account]))
  return rows.map((row) => describe(row, marks.get(row.cloud_account_id) ?? unmarked))
}

/** @returns one of them */
export const describeApp = async (db: Db, row: AppRow): Promise<App> =>
  itemAt(await describeApps(db, row.workspace_id, [row]), 0)

/** The scopes of the routes that a build calls, to deploy and to read the outcome. */
const requiredScopes = ['deployments:write', 'infrastructure:read', 'infrastructure:write']

const decidingFields = ['source', 'target', 'image', 'builder', 'auto_deploy'] as const

/** @returns whether the change decides what a push deploys, or where: whoever makes it is who deploys from then on */
export const decidesPushes = (change: UpdateApp): boolean => decidingFields.some((field) => change[field] !== undefined)

/**
 * A push deploys without an approval, as the person who set it up, who must have the right to deploy unasked: on the
 * account of the app, whoever has approved that it is set up.
 * @throws insufficient_role, insufficient_scope
 */
export const requireDeployRights = (principal: Principal, resource: Resource): void => {
  if (!hasRoleOn(principal, 'approver', resource)) throw lacksRole('approver', resource)
  const missing = requiredScopes.find((scope) => !hasScope(principal, scope))
  if (missing === undefined) return
  const detail = `auto_deploy deploys as who sets it up, and ${principal.name} lacks the scope ${missing} here`
  throw InsufficientScope(detail, { scope: missing })
}

/**
 * @param resource what the app is reached through
 * @param actor who set auto_deploy up, with the scopes of then; null = unknown
 * @returns the same, if they may still deploy
 * @throws insufficient_role, insufficient_scope
 */
export const pushActorOf = async (deps: Pick<Deps, 'db'>, workspaceId: string, resource: Resource,
  actor: Actor | null): Promise<Actor> => {
  if (!actor) throw InsufficientScope('It is not known with whose rights pushes are built: set auto_deploy again')
  const principal = await currentPrincipal(deps, workspaceId, actor)
  requireDeployRights(principal, resource)
  return actorOf(principal)
}

const named = async <T>(write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    throw isDuplicateAppName(error) ? AppNameTaken() : error
  }
}

const noAutoDeploy = (branch: string): AutoDeploy => ({ enabled: false, branch, paths: [] })

/** @throws not_found for an app that is not there or not the workspace's */
export const readApp = async (deps: Pick<Deps, 'db'>, workspaceId: string, id: string): Promise<AppRow> => {
  const row = await findApp(deps.db, workspaceId, id)
  if (!row) throw NotFound()
  return row
}

/** @throws app_name_taken, insufficient_scope, and what resolveTarget and requireTemplate throw */
export const createApp = async (deps: Deps, principal: Principal, input: CreateApp): Promise<App> => {
  requireTemplate(input.image)
  requireBuilderTemplate(input.builder ?? null, input.image ?? null)
  const { workspace_id } = principal
  const { environment, ...resolved } = await resolveTarget(deps, principal, input.target)
  const resource = { cloud_account_id: resolved.cloud_account_id, environment }
  requireAccess(principal, resource, NotFound)
  if (input.auto_deploy?.enabled) requireDeployRights(principal, resource)
  const id = await named(insertApp(deps.db, workspace_id, pusherOf(principal), {
    name: input.name,
    source: input.source,
    ...resolved,
    image: input.image ?? null,
    builder: input.builder ?? null,
    auto_deploy: input.auto_deploy ?? noAutoDeploy(input.source.default_branch)
  }))
  return describeApp(deps.db, await readApp(deps, workspace_id, id))
}

/** What was approved once does not deploy unasked from then on. */
const pusherOf = (principal: Principal) => actorOf({ ...principal, admitted: false })

/** @returns the new target with its account, on which the principal has the role; without one the account of now */
const moveTarget = async (deps: Deps, principal: Principal, id: string, target: AppTarget | undefined):
Promise<Partial<ResolvedTarget>> => {
  if (!target) return await findAppResource(deps.db, principal.workspace_id, id) ?? {}
  const resolved = await resolveTarget(deps, principal, target)
  requireAccess(principal, { cloud_account_id: resolved.cloud_account_id, environment: resolved.environment }, NotFound)
  return resolved
}

/** @throws app_name_taken, stale_revision, insufficient_scope, and what resolveTarget and requireTemplate throw */
export const changeApp = async (deps: Deps, principal: Principal, id: string, input: UpdateApp,
  revisions?: number[]): Promise<App> => {
  requireTemplate(input.image)
  const { workspace_id } = principal
  const { auto_deploy: before, ...held } = await readApp(deps, workspace_id, id)
  const { builder = held.builder, image = held.image } = input
  requireBuilderTemplate(builder, image)
  const decides = decidesPushes(input)
  const { target, ...rest } = input
  const { environment, ...resolved } = await moveTarget(deps, principal, id, target)
  if (decides && (input.auto_deploy ?? before).enabled) {
    requireDeployRights(principal, { cloud_account_id: resolved.cloud_account_id, environment })
  }
  const fields: Partial<AppFields> = { ...rest, ...(target && resolved) }
  const actor = decides ? pusherOf(principal) : undefined
  const changed = await named(updateApp(deps.db, workspace_id, id, actor, fields, revisions))
  const now = await describeApp(deps.db, await readApp(deps, workspace_id, id))
  if (!changed) throw explainMiss(now)
  return now
}

/** Hides the app; for 30 days it can be brought back. @throws app_busy while a build is queued or runs; not_owner */
export const removeApp = ({ db }: Pick<Deps, 'db'>, principal: Principal, id: string, revisions?: number[]) =>
  db.transaction().execute(async (trx) => {
    const { workspace_id: workspaceId } = principal
    const row = await lockApp(trx, workspaceId, id)
    if (!row) throw NotFound()
    if (revisions && !revisions.includes(row.revision)) {
      const now = await findApp(trx, workspaceId, id)
      throw explainMiss(now && await describeApp(trx, now))
    }
    requireOwner(principal, row)
    if (await countLive(trx, workspaceId, id) > 0) throw AppBusy()
    await setAppDeleted(trx, workspaceId, id)
  })

/** Brings an app back as it was; pushes build it again if set so. @throws not_found, not_owner, app_name_taken */
export const bringBackApp = async (deps: Pick<Deps, 'db'>, principal: Principal, id: string): Promise<App> => {
  const { workspace_id: workspaceId } = principal
  const row = await findDeletedApp(deps.db, workspaceId, id)
  if (!row) throw NotFound()
  requireOwner(principal, row)
  if (!await named(undeleteApp(deps.db, workspaceId, id))) throw NotFound()
  return describeApp(deps.db, await readApp(deps, workspaceId, id))
}
