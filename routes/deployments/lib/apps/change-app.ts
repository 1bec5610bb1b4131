import {
  findApp, findAppResource, findDeletedApp, insertApp, isDuplicateAppName, lockApp, setAppDeleted, undeleteApp,
  updateApp, type AppFields, type AppRow
} from '../../../../db/deployments/apps.js'
import { countLive } from '../../../../db/deployments/builds.js'
import { requireAccess } from '../../../../lib/access/require-access.js'
import { requireOwner, type Principal } from '../../../../lib/security/principal.js'
import { NotFound } from '../../../../schemas/errors.js'
import type { App, AppTarget, AutoDeploy, CreateApp, UpdateApp } from '../../../../schemas/deployments/apps.js'
import { actorOf } from '../../../../lib/security/actor.js'
import type { Deps } from '../call-route.js'
import { describeApp } from './describe-app.js'
import { AppBusy, AppNameTaken } from '../errors.js'
import { requireTemplate } from './images.js'
import { decidesPushes, requireDeployRights } from './push-actor.js'
import { resolveTarget, type ResolvedTarget } from './resolve-target.js'
import { explainMiss } from '../../../../schemas/revisions.js'

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
  const { auto_deploy: before } = await readApp(deps, workspace_id, id)
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
