import { isOutdated } from '../../../lib/codehost/pushes.js'
import { listAutoDeployed } from '../../../db/deployments/apps.js'
import type { PushNotice } from '../../../schemas/deployments/pushes.js'
import { buildPush } from './build-push.js'
import type { Deps } from './call-route.js'
import { isInFolder } from './in-folder.js'
import { touches } from './match-paths.js'

/** Starts a build of every app that asks for one on this push, as the person who set that up. */
export const takePush = async (deps: Pick<Deps, 'db' | 'jobs' | 'log'>, push: PushNotice): Promise<void> => {
  const { workspace_id, repo, repo_id: repoId, branch, commit, paths } = push
  // The newest wins, in whatever order pushes are told.
  if (repoId !== undefined && await isOutdated(deps.db, workspace_id, repoId, branch, commit)) return
  const apps = await listAutoDeployed(deps.db, workspace_id, [repo, repoId])
  for (const { id, auto_deploy, auto_deploy_principal: actor, source } of apps) {
    if (!isInFolder(source.path, paths)) continue
    if (auto_deploy.branch !== branch || !touches(auto_deploy.paths, paths)) continue
    await buildPush(deps, push, id, actor)
  }
}
