import {
  deleteApp, findApp, insertApp, lockApp, updateApp, type AppFields, type AppRow
} from '../../../db/deployments/apps.js'
import { countLive } from '../../../db/deployments/builds.js'
import type { Principal } from '../../../plugins/principal.js'
import { NotFound } from '../../../schemas/errors.js'
import type { App, AutoDeploy, CreateApp, UpdateApp } from '../../../schemas/deployments/apps.js'
import type { Deps } from './call-route.js'
import { describeApp } from './describe-app.js'
import { AppBusy, AppNameTaken } from './errors.js'
import { checkTemplate } from './images.js'
import { resolveTarget } from './resolve-target.js'
import { explainMiss } from '../../../schemas/revisions.js'

const named = async <T>(write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    // A driver's error; what is not one has neither field.
    const { code, constraint } = error as { code?: string, constraint?: string }
    throw code === '23505' && constraint === 'deployment_app_name' ? AppNameTaken() : error
  }
}

const noAutoDeploy = (branch: string): AutoDeploy => ({ enabled: false, branch, paths: [] })

/** @throws not_found for an app that is not there or not the workspace's */
export const readApp = async (deps: Pick<Deps, 'db'>, workspaceId: string, id: string): Promise<AppRow> => {
  const row = await findApp(deps.db, workspaceId, id)
  if (!row) throw NotFound()
  return row
}

/** @throws app_name_taken, and what resolveTarget and checkTemplate throw */
export const createApp = async (deps: Deps, principal: Principal, wish: CreateApp): Promise<App> => {
  checkTemplate(wish.image)
  const { workspace_id, user_id } = principal
  const resolved = await resolveTarget(deps, principal, wish.target)
  const id = await named(insertApp(deps.db, workspace_id, user_id, {
    name: wish.name,
    source: wish.source,
    ...resolved,
    image: wish.image ?? null,
    environment: wish.environment ?? [],
    auto_deploy: wish.auto_deploy ?? noAutoDeploy(wish.source.default_branch)
  }))
  return describeApp(await readApp(deps, workspace_id, id))
}

/** @throws app_name_taken, stale_revision, and what resolveTarget and checkTemplate throw */
export const changeApp = async (deps: Deps, principal: Principal, id: string, wish: UpdateApp,
  revisions?: number[]): Promise<App> => {
  checkTemplate(wish.image)
  const { workspace_id, user_id } = principal
  await readApp(deps, workspace_id, id)
  const { target, ...rest } = wish
  const fields: Partial<AppFields> = { ...rest, ...(target && await resolveTarget(deps, principal, target)) }
  const changed = await named(updateApp(deps.db, workspace_id, id, user_id, fields, revisions))
  const now = describeApp(await readApp(deps, workspace_id, id))
  if (!changed) throw explainMiss(now)
  return now
}

/** @throws app_busy while a build is queued or runs; stale_revision */
export const removeApp = ({ db }: Pick<Deps, 'db'>, workspaceId: string, id: string, revisions?: number[]) =>
  db.transaction().execute(async (trx) => {
    const row = await lockApp(trx, workspaceId, id)
    if (!row) throw NotFound()
    if (revisions && !revisions.includes(row.revision)) {
      const now = await findApp(trx, workspaceId, id)
      throw explainMiss(now && describeApp(now))
    }
    if (await countLive(trx, workspaceId, id) > 0) throw AppBusy()
    await deleteApp(trx, workspaceId, id)
  })
