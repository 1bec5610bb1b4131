import type { Actor } from '../../../../db/audit.js'
import { listAutoDeployed, clearRefusedPush, recordRefusedPush } from '../../../../db/deployments/apps.js'
import type { Resource } from '../../../../lib/access/require-access.js'
import { isOutdated } from '../../../../lib/codehost/pushes.js'
import { currentPrincipal } from '../../../../lib/security/principal.js'
import type { PushNotice } from '../../../../schemas/deployments/apps.js'
import { ApiError } from '../../../../schemas/errors.js'
import { startBuild } from '../builds/start-build.js'
import type { Deps } from '../errors.js'
import { pushActorOf } from './change-app.js'

/** What stands for several characters: `*` for those of a name, `**` for those of folders too. */
type Token = { literal: string } | { any: 'name' | 'path' }

interface Glob { tokens: Token[], isFolder: boolean }

const tokenPattern = /\*\*\/?|\*|[^*]/gsu

const parseGlob = (glob: string): Glob => {
  const tokens = (glob.match(tokenPattern) ?? []).map((text): Token =>
    text === '*' ? { any: 'name' } : text.startsWith('*') ? { any: 'path' } : { literal: text })
  return { tokens, isFolder: glob.endsWith('/') }
}

/** Adds a state and those that follow it without a character: a wildcard may stand for none. */
const enter = (tokens: Token[], state: number, states: Set<number>): void => {
  for (let at = state; !states.has(at); at++) {
    states.add(at)
    const token = tokens[at]
    if (token === undefined || 'literal' in token) return
  }
}

const step = (tokens: Token[], states: Set<number>, char: string): Set<number> => {
  const next = new Set<number>()
  for (const state of states) {
    const token = tokens[state]
    if (token === undefined) continue
    if ('literal' in token) {
      if (token.literal === char) enter(tokens, state + 1, next)
    } else if (token.any === 'path' || char !== '/') enter(tokens, state, next)
  }
  return next
}

/** Counts states that were looked at, over all files and globs. */
interface Budget { left: number }

/** Follows all states of the glob at once, so that no character is read twice. */
const matches = ({ tokens, isFolder }: Glob, file: string, budget: Budget): boolean => {
  let states = new Set<number>()
  enter(tokens, 0, states)
  for (const char of file) {
    // Below what the glob names, or in a folder that it names by its slash.
    if (states.has(tokens.length) && (isFolder || char === '/')) return true
    budget.left -= states.size
    states = step(tokens, states, char)
    if (states.size === 0) return false
  }
  return states.has(tokens.length)
}

/** About 0.2 s; a push of a thousand files and an app of ten paths take a fiftieth of it. */
const maxSteps = 5_000_000

/**
 * @param paths globs as `auto_deploy.paths` has them
 * @param files null = not known
 * @returns whether one of the files is one of the paths, or lies in it; true too where that is not known, or takes too
 *   long to find out: a build that was not needed does less harm than one that is missing
 */
export const touches = (paths: string[], files: string[] | null, limit = maxSteps): boolean => {
  if (paths.length === 0 || files === null) return true
  const globs = paths.map(parseGlob)
  const budget: Budget = { left: limit }
  return files.some((file) => globs.some((glob) => budget.left < 0 || matches(glob, file, budget)))
}

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
