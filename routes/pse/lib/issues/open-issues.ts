import { createHash } from 'node:crypto'
import type { SpecDocument, Requirement } from 'steward-spec-engine/schemas'
import { bullets, inline, join, section, slugOf } from 'steward-spec-engine/export'
import {
  claimIssue, listIssues, releaseIssue, settleIssue, type IssueKey, type IssueRow
} from '../../../../db/pse/issues.js'
import { readRoute } from '../../../../lib/http/call-route.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { CreatedIssue, type CreateIssue, Issue } from '../../../../schemas/codehost/issues.js'
import { Repository } from '../../../../schemas/codehost/repositories.js'
import { ApiError } from '../../../../schemas/errors.js'
import {
  type OpenedSpecIssue, type OpenedSpecIssues, type OpenSpecIssues, maxIssues, type ListSpecIssues, type SpecIssues,
  type TracedIssue
} from '../../../../schemas/pse/issues.js'
import { type Deps, IssueInProgress, NoTasks, TargetUnknown } from '../errors.js'
import { quiet } from '../pull/open-pull.js'
import { readVersion } from '../sessions/read-version.js'

type Task = SpecDocument['tasks'][number]

/**
 * @param hasIssue by the id of a task
 * @returns the tasks that are named, or the first ones without an issue
 * @throws no_tasks, target_unknown
 */
export const chooseTasks = ({ tasks }: Pick<SpecDocument, 'tasks'>, { task_ids: ids }: Pick<OpenSpecIssues, 'task_ids'>,
  hasIssue: (id: string) => boolean): Task[] => {
  if (tasks.length === 0) throw NoTasks()
  if (!ids) return tasks.filter(({ id }) => !hasIssue(id)).slice(0, maxIssues)
  const unknown = ids.find((id) => !tasks.some((task) => task.id === id))
  if (unknown !== undefined) throw TargetUnknown(`The version has no task ${unknown}`)
  return tasks.filter(({ id }) => ids.includes(id))
}

export interface SpecOf { document: SpecDocument, version: number }

const sourceOf = ({ citations }: Requirement): string => {
  const [first] = citations
  return first ? `From ${inline(first.location ?? first.chunk_id)}: “${inline(first.quote)}”` : ''
}

const requirementText = (item: Requirement): string => join([
  `### ${item.id}: ${inline(item.title)}`,
  inline(item.statement),
  sourceOf(item),
  bullets(item.acceptance.map(({ given, when, then }) => `Given ${given}, when ${when}, then ${then}`))
]).trimEnd()

const needs = (task: Task, { tasks }: SpecDocument): string => bullets(
  tasks.filter(({ id }) => task.depends_on.includes(id)).map(({ id, title }) => `${id}: ${title}`))

/** @returns the issue of a task, the same for the same version; its text mentions no one and closes no issue */
export const describeTaskIssue = (task: Task, { document, version }: SpecOf): Pick<CreateIssue, 'title' | 'body'> => {
  const items = document.requirements.filter(({ id }) => task.requirement_ids.includes(id))
  const names = items.map(({ id }) => `\`${slugOf(document.title)}/${id}\``).join(', ')
  const body = join([
    `Task ${task.id} of version ${version} of the spec “${inline(document.title)}”.`,
    names && `Name ${names} in commits and pull requests, so that the spec's trace finds them.`,
    section('Requirements', items.map(requirementText).join('\n\n')),
    section('Depends on', needs(task, document))
  ]).trimEnd()
  return { title: quiet(inline(task.title)).slice(0, 250).toWellFormed().trim(), body: quiet(body).slice(0, 50_000) }
}

/** A task is the same one in a later version when it builds, or verifies, the same requirements. */
const wordsOf = ({ title, requirement_ids: ids }: Task): string =>
  ids.length === 0 ? title : `${/^\w+(?: by \w+)?/.exec(title)?.[0] ?? ''} ${ids.join(' ')}`

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** @returns a key for each task that holds in all versions; tasks of the same words are counted */
const taskKeysOf = (tasks: readonly Task[]): Map<string, string> => {
  const counts = new Map<string, number>()
  return new Map(tasks.map((task) => {
    const words = wordsOf(task)
    const count = (counts.get(words) ?? 0) + 1
    counts.set(words, count)
    return [task.id, digest(count === 1 ? words : `${words} #${count}`)]
  }))
}

const parallel = 4

/** The state of an issue beyond these is `unknown`: each costs a request of the person's limit at the code host. */
const maxRead = 200

type Known = Pick<TracedIssue, 'title' | 'state' | 'html_url'>

const unknown: Known = { title: null, state: 'unknown', html_url: null }

/** Who sees the spec need not see the repository, or be connected. */
const readState = async (deps: Deps, principal: Principal, { repo_id: id, number }: IssueRow): Promise<Known> => {
  if (number === null) return unknown
  const url = `/codehost/repos/${encodeURIComponent(id)}/issues/${number}`
  try {
    const { title, state, html_url } = await readRoute(deps, principal, { url }, Issue)
    return { title, state, html_url }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.statusCode === 404 ? { ...unknown, state: 'missing' } : unknown
  }
}

/** @returns the issues of a version's tasks with their states, in the order of the tasks, then of the repositories */
export const issuesOfTasks = async (deps: Deps, principal: Principal, sessionId: string,
  tasks: SpecDocument['tasks'], repoId?: string): Promise<TracedIssue[]> => {
  const rows = await listIssues(deps.db, principal.workspace_id, sessionId, repoId)
  const keys = taskKeysOf(tasks)
  const wanted = tasks.flatMap(({ id }) =>
    rows.filter(({ task_key: key }) => key === keys.get(id)).map((row) => ({ id, row })))
  const states: Known[] = wanted.map(() => unknown)
  const open = [...wanted.entries()].slice(0, maxRead)
  const work = async () => {
    for (let next = open.shift(); next; next = open.shift()) {
      states[next[0]] = await readState(deps, principal, next[1].row)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return wanted.map(({ id, row: { repo_id, number } }, at) =>
    ({ task_id: id, repo_id, number, ...states[at] ?? unknown }))
}

/** @returns each task of a version with its issues. @throws not_found, no_version */
export const listTaskIssues = async (deps: Deps, principal: Principal, sessionId: string, query: ListSpecIssues):
Promise<SpecIssues> => {
  const { document, version } = await readVersion(deps.db, principal.workspace_id, sessionId, query.version)
  const found = await issuesOfTasks(deps, principal, sessionId, document.tasks, query.repo_id)
  return {
    session_id: sessionId,
    version,
    tasks: document.tasks.map(({ id, title, requirement_ids }) =>
      ({ task_id: id, title, requirement_ids, issues: found.filter(({ task_id: task }) => task === id) }))
  }
}

/** What the creation of each issue of one call knows. */
interface Opening {
  deps: Deps
  principal: Principal
  made: SpecOf
  sessionId: string
  repoId: string
  keys: ReadonlyMap<string, string>
  /** Numbers by key, as they were when the call began. */
  known: ReadonlyMap<string, number>
}

/** After these the issue may be there: its claim stays, and the next call looks before it creates. */
const unclear = ['codehost_timeout', 'codehost_error', 'codehost_bad_response']

const create = async ({ deps, principal, made, repoId }: Opening, task: Task, claim: IssueKey) => {
  const key = await claimIssue(deps.db, claim)
  if (key === undefined) throw IssueInProgress(`The issue of ${task.id} is being created`)
  const payload = { ...describeTaskIssue(task, made), key }
  const url = `/codehost/repos/${encodeURIComponent(repoId)}/issues`
  try {
    const { outcome, issue } = await readRoute(deps, principal, { method: 'POST', url, payload }, CreatedIssue)
    await settleIssue(deps.db, claim, issue.number)
    return { outcome, number: issue.number, html_url: issue.html_url }
  } catch (error) {
    if (error instanceof ApiError && !unclear.includes(error.code)) await releaseIssue(deps.db, claim)
    throw error
  }
}

const openOne = async (opening: Opening, task: Task): Promise<OpenedSpecIssue> => {
  const { principal, sessionId, repoId, keys, known } = opening
  const key = keys.get(task.id) ?? ''
  const number = known.get(key)
  if (number !== undefined) return { task_id: task.id, outcome: 'unchanged', number, html_url: null }
  const claim =
    { workspace_id: principal.workspace_id, session_id: sessionId, repo_id: repoId, task_key: key }
  return { task_id: task.id, ...await create(opening, task, claim) }
}

const failed = (task: Task, outcome: 'failed' | 'not_tried'): OpenedSpecIssue =>
  ({ task_id: task.id, outcome, number: null, html_url: null })

/** One after the other, as the code host asks of who writes. The first failure ends it; what is done is said. */
const openAll = async (opening: Opening, tasks: readonly Task[]) => {
  const issues: OpenedSpecIssue[] = []
  for (const [at, task] of tasks.entries()) {
    try {
      issues.push(await openOne(opening, task))
    } catch (error) {
      const isKnown = error instanceof ApiError && issues.some(({ outcome }) => outcome === 'created')
      if (!isKnown) throw error
      const rest = tasks.slice(at + 1).map((one) => failed(one, 'not_tried'))
      const { code, message } = error
      return { issues: [...issues, failed(task, 'failed'), ...rest], error: { code, message } }
    }
  }
  return { issues, error: null }
}

/**
 * Creates an issue for each task through the area codehost, as the calling person. A task has at most one issue in a
 * repository, in all versions of the spec: its row is claimed before the code host is asked.
 * @throws not_found, no_version, no_tasks, target_unknown, issue_in_progress, and what the code host's routes answer
 */
export const openIssues = async (deps: Deps, principal: Principal, sessionId: string, input: OpenSpecIssues):
Promise<OpenedSpecIssues> => {
  const { workspace_id: workspaceId } = principal
  const url = `/codehost/repos/${encodeURIComponent(input.repo_id)}`
  const { document, version } = await readVersion(deps.db, workspaceId, sessionId, input.version)
  const { id: repoId } = await readRoute(deps, principal, { url }, Repository)
  const rows = await listIssues(deps.db, workspaceId, sessionId, repoId)
  const keys = taskKeysOf(document.tasks)
  const known = new Map(rows.flatMap(({ task_key: key, number }) => number === null ? [] : [[key, number] as const]))
  const tasks = chooseTasks(document, input, (id) => known.has(keys.get(id) ?? ''))
  const opening: Opening = { deps, principal, made: { document, version }, sessionId, repoId, keys, known }
  const done = await openAll(opening, tasks)
  const settled = new Set(done.issues.flatMap(({ task_id: id, number }) => number === null ? [] : [id]))
  const left = document.tasks.filter(({ id }) => !settled.has(id) && !known.has(keys.get(id) ?? '')).length
  return { version, repo_id: repoId, ...done, left }
}
