import type { Requirement, SpecDocument } from 'steward-spec-engine/schemas'
import {
  ancestorsOf, closedIn, namedIn, namedInBranch, withoutReverted, withoutRevertedPulls
} from 'steward-spec-engine/trace'
import type { Static, TSchema } from '@sinclair/typebox'
import { listInputs } from '../../../../db/pse/inputs.js'
import { readRoute } from '../../../../lib/http/call-route.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { type Commit, CommitPage } from '../../../../schemas/codehost/commits.js'
import { type PullRequest, PullPage } from '../../../../schemas/codehost/pulls.js'
import { Repository } from '../../../../schemas/codehost/repositories.js'
import { type App, AppPage } from '../../../../schemas/deployments/apps.js'
import { ApiError } from '../../../../schemas/errors.js'
import { maxInputs } from '../../../../schemas/pse/inputs.js'
import type { TracedIssue } from '../../../../schemas/pse/issues.js'
import type {
  SpecTrace, TracedDeployment, TracedPull, TracedRequirement, TraceQuery
} from '../../../../schemas/pse/trace.js'
import { fieldsOf } from '../../../../schemas/unknown.js'
import type { Deps } from '../errors.js'
import { issuesOfTasks } from '../issues/open-issues.js'
import { readSession, readVersion } from '../sessions/read-version.js'

interface Found {
  repo_id: string
  full_name: string
  default_branch: string
  pulls: PullRequest[]
  commits: Commit[]
  complete: boolean
}

/** Pages of 100 of each list that one trace reads. */
const maxPages = 3

interface List { items: unknown[], next_cursor: string | null }

const readPages = async <T extends TSchema>(deps: Deps, principal: Principal, url: string, shape: T):
Promise<{ items: (Static<T> & List)['items'], complete: boolean }> => {
  const items: unknown[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages && (page === 0 || cursor !== null); page++) {
    const query: URLSearchParams = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) })
    // Every page of our lists has these two fields.
    const next = await readRoute(deps, principal, { url: `${url}${url.includes('?') ? '&' : '?'}${query}` }, shape) as
      List
    items.push(...next.items)
    cursor = next.next_cursor
  }
  // The route's own items, as its schema has them.
  return { items: items as (Static<T> & List)['items'], complete: cursor === null }
}

/** @returns the newest pull requests and commits of a repository, as the person sees them */
const lookUpRepository = async (deps: Deps, principal: Principal, id: string): Promise<Found> => {
  const url = `/codehost/repos/${encodeURIComponent(id)}`
  const { full_name, default_branch } = await readRoute(deps, principal, { url }, Repository)
  const pulls = await readPages(deps, principal, `${url}/pulls?state=all`, PullPage)
  const commits = await readPages(deps, principal, `${url}/commits`, CommitPage)
  return {
    repo_id: id,
    full_name,
    default_branch,
    pulls: pulls.items,
    commits: commits.items,
    complete: pulls.complete && commits.complete
  }
}

/** @returns the apps that the person may see */
const lookUpApps = async (deps: Deps, principal: Principal): Promise<App[]> =>
  (await readPages(deps, principal, '/deployments/apps', AppPage)).items

/** Repositories of inputs and issues that one trace looks at. */
const maxRepositories = 3

const repositoriesOf = async ({ db }: Deps, workspaceId: string, sessionId: string): Promise<string[]> => {
  const inputs = await listInputs(db, workspaceId, sessionId, 0, maxInputs)
  const ids = inputs.flatMap(({ source }) => fieldsOf(source).repo_id ?? [])
  return ids.map(String)
}

const whereNamed = (pull: PullRequest, id: string, title: string): TracedPull['named_in'] | undefined => {
  if (namedIn(pull.title, title).has(id)) return 'title'
  if (namedIn(pull.body_excerpt ?? '', title).has(id)) return 'text'
  return namedIn(pull.head.ref, title).has(id) || namedInBranch(pull.head.ref, title).has(id) ? 'branch' : undefined
}

/** @returns whether a text closes an issue that was made from a task of the requirement */
const closesOne = (text: string, repository: string, issues: readonly TracedIssue[]): boolean => {
  const closed = closedIn(text)
  return issues.some(({ repo_id: id, number }) => id === repository && number !== null && closed.has(number))
}

/** Where a pull request names the requirement, or closes an issue of its tasks. */
const whereLinked = (pull: PullRequest, id: string, title: string, issues: readonly TracedIssue[]):
TracedPull['named_in'] | undefined => whereNamed(pull, id, title) ??
  (closesOne(pull.title, pull.repo_id, issues)
    ? 'title'
    : closesOne(pull.body_excerpt ?? '', pull.repo_id, issues) ? 'text' : undefined)

const toPull = (pull: PullRequest, namedAt: TracedPull['named_in']): TracedPull => {
  const { repo_id, number, title, state, checks, merged_at, html_url } = pull
  return { repo_id, number, title, state, checks, named_in: namedAt, merged_at, html_url }
}

interface Running { app: App, commit: string, contains: Set<string> }

/** @returns what runs now of the repository, with the commits that it contains */
const runningOf = (apps: readonly App[], { repo_id: id, full_name: name, commits }: Found): Running[] => {
  const known = new Map(commits.map((commit) => [commit.sha, commit]))
  const isOf = ({ source: { repo } }: App) => repo === id || repo.toLowerCase() === name.toLowerCase()
  return apps.filter(isOf).flatMap((app) => {
    const commit = app.live_build?.commit
    return commit ? [{ app, commit, contains: ancestorsOf(commit, known) }] : []
  })
}

const toDeployment = ({ app, commit }: Running): TracedDeployment[] => app.live_build
  ? [{
      app_id: app.id,
      app: app.name,
      environment: app.environment,
      build_number: app.live_build.number,
      commit,
      finished_at: app.live_build.finished_at
    }]
  : []

interface Evidence {
  found: Found[]
  running: Map<string, Running[]>
  document: SpecDocument
  issues: TracedIssue[]
}

/** What was merged into another branch is on its way to the default one, and so is only proposed. */
const progressOf = ({ pulls, commits, deployments }: Pick<TracedRequirement, 'commits' | 'deployments'> & {
  pulls: readonly Linked[]
}) => {
  if (deployments.length > 0) return 'deployed'
  if (commits.length > 0 || pulls.some(({ isIn }) => isIn)) return 'merged'
  return pulls.some(({ pull: { state } }) => state !== 'closed') ? 'proposed' : 'none'
}

/** A pull request that names the requirement, and whether the default branch has it. */
interface Linked { pull: PullRequest, namedAt: TracedPull['named_in'], isIn: boolean }

const linkedIn = ({ pulls, default_branch: main }: Found, id: string, title: string, issues: readonly TracedIssue[]):
Linked[] => pulls.flatMap((pull) => {
  const namedAt = whereLinked(pull, id, title, issues)
  const isIn = pull.state === 'merged' && pull.base.ref === main
  return namedAt ? [{ pull, namedAt, isIn }] : []
})

/** Those that name the requirement, and as which a pull request was merged that does. */
const commitsFor = ({ commits }: Found, id: string, title: string, issues: readonly TracedIssue[],
  merged: ReadonlySet<string | null>): Commit[] => commits.filter(({ message, sha, repo_id: repository }) =>
  merged.has(sha) || namedIn(message, title).has(id) || closesOne(message, repository, issues))

const traceOne = ({ found, running, document, issues }: Evidence, item: Requirement): TracedRequirement => {
  const { id, title, statement, status, citations } = item
  const tasks = document.tasks.filter(({ requirement_ids: ids }) => ids.includes(id)).map((task) => task.id)
  const own = issues.filter(({ task_id: task }) => tasks.includes(task))
  const pulls = found.flatMap((repository) => linkedIn(repository, id, document.title, own))
  const merged = new Set(pulls.map(({ pull }) => pull.merge_commit_sha))
  const commits = found.flatMap((repository) => commitsFor(repository, id, document.title, own, merged))
  const shas = new Set(commits.map(({ sha }) => sha))
  const deployments = [...running.values()].flat()
    .filter(({ contains }) => [...shas].some((sha) => contains.has(sha))).flatMap(toDeployment)
  const links = {
    pulls: pulls.map(({ pull, namedAt }) => toPull(pull, namedAt)),
    commits: commits.map(({ repo_id, sha, headline, html_url }) => ({ repo_id, sha, headline, html_url })),
    deployments
  }
  return {
    id,
    title,
    statement,
    status,
    citations,
    task_ids: tasks,
    issues: own,
    ...links,
    progress: progressOf({ ...links, pulls })
  }
}

/** What was reverted shows no requirement as done. */
const standing = (found: Found): Found => {
  const { standing: commits, pulls: gone } = withoutReverted(found.commits)
  return { ...found, pulls: withoutRevertedPulls(found.pulls).filter(({ number }) => !gone.has(number)), commits }
}

/** A person without the right to deployments sees the rest. */
const appsOrNone = (error: unknown): App[] => {
  if (error instanceof ApiError && error.statusCode === 403) return []
  throw error
}

/**
 * Links each requirement with the pull requests and commits that name its id, and with what runs of them. The code
 * host and the deployments are read now, as the person; nothing is guessed.
 * @throws not_found, no_version, and what the code host's routes answer
 */
export const traceSpec = async (deps: Deps, principal: Principal, sessionId: string, query: TraceQuery):
Promise<SpecTrace> => {
  const { workspace_id: workspaceId } = principal
  await readSession(deps.db, workspaceId, sessionId)
  const { document, version } = await readVersion(deps.db, workspaceId, sessionId, query.version)
  const issues = await issuesOfTasks(deps, principal, sessionId, document.tasks)
  const named = query.repo_id === undefined
    ? [...issues.map(({ repo_id: id }) => id), ...await repositoriesOf(deps, workspaceId, sessionId)]
    : [query.repo_id]
  const ids = [...new Set(named)].slice(0, maxRepositories)
  const found: Found[] = []
  for (const id of ids) found.push(await lookUpRepository(deps, principal, id))
  const evidence = { found: found.map(standing), document, issues }
  const apps = found.length > 0 ? await lookUpApps(deps, principal).catch(appsOrNone) : []
  const running = new Map(found.map((repository) => [repository.repo_id, runningOf(apps, repository)]))
  return {
    session_id: sessionId,
    version,
    repositories: found.map(({ repo_id, pulls, commits, complete }) =>
      ({ repo_id, pulls: pulls.length, commits: commits.length, complete })),
    requirements: document.requirements.map((item) => traceOne({ ...evidence, running }, item))
  }
}
