import { isOutdated } from '../../../../lib/codehost/pushes.js'
import type { Actor } from '../../../../db/actor.js'
import { listAutoDeployed } from '../../../../db/deployments/apps.js'
import { clearRefusedPush, recordRefusedPush } from '../../../../db/deployments/pushes.js'
import type { Resource } from '../../../../lib/access/role-on.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { PushNotice } from '../../../../schemas/deployments/pushes.js'
import { currentPrincipal } from '../../../../lib/security/actor.js'
import type { Deps } from '../call-route.js'
import { touches } from './match-paths.js'
import { pushActorOf } from './push-actor.js'
import { startBuild } from '../builds/start-build.js'

/** @returns the folder as files are named under it: no slash at either end; empty = the whole repository */
const bare = (folder: string): string => folder.split('/').filter((part) => part !== '' && part !== '.').join('/')

/**
 * @param files null = not known, so the folder may be among them
 * @returns whether one of the files lies in the folder
 */
const isInFolder = (folder: string, files: string[] | null): boolean => {
  const path = bare(folder)
  return path === '' || files === null || files.some((file) => file.startsWith(`${path}/`))
}

type PushDeps = Pick<Deps, 'db' | 'jobs' | 'log' | 'policies' | 'tools' | 'requireAllowed'>

/**
 * A push is asked for when it comes: policies judge it as a deployment by the person who set auto_deploy up. The steps
 * of the build are not judged again.
 * @throws forbidden_by_policy, approval_required, policies_unavailable, and the error of a read of the plan
 */
const requireAllowedPush = async (deps: PushDeps, workspaceId: string, actor: Actor, args: Record<string, unknown>) => {
  const tool = deps.tools.find('deployApp')
  if (!tool || !await deps.policies.of(workspaceId)) return
  await deps.requireAllowed(await currentPrincipal(deps, workspaceId, actor), tool, args)
}

/** Builds the pushed commit as the person who set auto_deploy up; when that is refused, the app keeps the reason. */
const buildPush = async (deps: PushDeps, push: PushNotice, appId: string, resource: Resource,
  owner: Actor | null): Promise<void> => {
  const { workspace_id, branch: ref, commit, message: commit_message } = push
  try {
    const actor = await pushActorOf(deps, workspace_id, resource, owner)
    await requireAllowedPush(deps, workspace_id, actor, { app_id: appId, ref, commit })
    await startBuild(deps, workspace_id, appId, actor, { ref, commit, commit_message, trigger: 'push' })
    await clearRefusedPush(deps.db, workspace_id, appId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    deps.log.warn({ app: appId, code: error.code }, 'a push starts no build')
    await recordRefusedPush(deps.db, workspace_id, appId, { commit, code: error.code, detail: error.message })
  }
}

/** Starts a build of every app that asks for one on this push, as the person who set that up. */
export const takePush = async (deps: PushDeps, push: PushNotice): Promise<void> => {
  const { workspace_id, repo, repo_id: repoId, branch, commit, paths } = push
  // The newest push wins, in whatever order they are delivered.
  if (repoId !== undefined && await isOutdated(deps.db, workspace_id, repoId, branch, commit)) return
  const apps = await listAutoDeployed(deps.db, workspace_id, [repo, repoId])
  for (const { id, auto_deploy, auto_deploy_principal: actor, source, ...resource } of apps) {
    if (!isInFolder(source.path, paths)) continue
    if (auto_deploy.branch !== branch || !touches(auto_deploy.paths, paths)) continue
    await buildPush(deps, push, id, resource, actor)
  }
}
