import { claimIssue, listIssues, releaseIssue, settleIssue, type IssueKey } from '../../../../db/pse/issues.js'
import { readRoute } from '../../../../lib/http/call-route.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { CreatedIssue } from '../../../../schemas/codehost/issues.js'
import { Repository } from '../../../../schemas/codehost/repositories.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { OpenedSpecIssue, OpenedSpecIssues, OpenSpecIssues } from '../../../../schemas/pse/issues.js'
import type { Deps } from '../deps.js'
import { IssueInProgress } from '../errors.js'
import { readVersion } from '../sessions/read-version.js'
import { chooseTasks } from './choose-tasks.js'
import { describeTaskIssue, type SpecOf } from './describe-issue.js'
import { taskKeysOf } from './task-keys.js'

type Task = SpecDocument['tasks'][number]

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
