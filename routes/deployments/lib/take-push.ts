import { isOutdated } from '../../../db/codehost/pushes.js'
import { listAutoDeployed } from '../../../db/deployments/apps.js'
import { findPerson } from '../../../db/account/principals.js'
import { ApiError } from '../../../schemas/errors.js'
import type { Deps } from './call-route.js'
import { startBuild } from './start-build.js'

/** The job's name, and what it carries: a push as the code host's area tells it. */
export const pushJob = 'deployments.push'

export interface Push {
  workspace_id: string
  repo: string
  /** The code host's id of the repository. */
  repo_id?: string
  branch: string
  commit: string
  message: string | null
  /** Files that it touches; null = not known, so every app is concerned. */
  paths: string[] | null
}

const toPattern = (glob: string): RegExp => {
  const body = glob.replace(/[.+^$()|[\]{}\\?]/g, '\\$&').replace(/\*\*\/?|\*/g, (stars) => stars === '*' ? '[^/]*' : '.*')
  return new RegExp(`^${body}${glob.endsWith('/') ? '.*' : '(/.*)?'}$`)
}

/** @returns whether one of the files is one of the paths, or lies in it */
export const touches = (paths: string[], files: string[] | null): boolean => {
  if (paths.length === 0 || files === null) return true
  const patterns = paths.map(toPattern)
  return files.some((file) => patterns.some((pattern) => pattern.test(file)))
}

/** Starts a build of every app that asks for one on this push, as the person who set that up. */
export const takePush = async (deps: Pick<Deps, 'db' | 'jobs' | 'log'>, push: Push): Promise<void> => {
  const { workspace_id, repo, repo_id: repoId, branch, commit, message, paths } = push
  // The newest wins, in whatever order pushes are told.
  if (repoId !== undefined && await isOutdated(deps.db, workspace_id, repoId, branch, commit)) return
  for (const { id, auto_deploy, auto_deploy_by } of await listAutoDeployed(deps.db, workspace_id, [repo, repoId])) {
    if (auto_deploy.branch !== branch || !touches(auto_deploy.paths, paths)) continue
    const person = await findPerson(deps.db, workspace_id, auto_deploy_by)
    if (!person) continue
    const asker = { user_id: person.id, name: person.name, via: 'browser', via_id: null, scopes: null } as const
    const wish = { ref: branch, commit, commit_message: message, trigger: 'push' } as const
    await startBuild(deps, workspace_id, id, asker, wish).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      deps.log.warn({ app: id, code: error.code }, 'a push starts no build')
    })
  }
}
