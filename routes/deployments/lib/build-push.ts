import { clearRefusedPush, recordRefusedPush } from '../../../db/deployments/pushes.js'
import type { Actor } from '../../../db/actor.js'
import { ApiError } from '../../../schemas/errors.js'
import type { Deps } from './call-route.js'
import { pushActorOf } from './push-actor.js'
import { startBuild } from './start-build.js'

interface PushedCommit { workspace_id: string, branch: string, commit: string, message: string | null }

/** Builds what was pushed, as whoever set auto_deploy up; where that cannot be, the app says why. */
export const buildPush = async (deps: Pick<Deps, 'db' | 'jobs' | 'log'>, push: PushedCommit, appId: string,
  owner: Actor | null): Promise<void> => {
  const { workspace_id, branch: ref, commit, message: commit_message } = push
  try {
    const actor = await pushActorOf(deps, workspace_id, owner)
    await startBuild(deps, workspace_id, appId, actor, { ref, commit, commit_message, trigger: 'push' })
    await clearRefusedPush(deps.db, workspace_id, appId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    deps.log.warn({ app: appId, code: error.code }, 'a push starts no build')
    await recordRefusedPush(deps.db, workspace_id, appId, { commit, code: error.code, detail: error.message })
  }
}
