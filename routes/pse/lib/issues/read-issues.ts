import { listIssues, type IssueRow } from '../../../../db/pse/issues.js'
import { readRoute } from '../../../../lib/http/call-route.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { Issue } from '../../../../schemas/codehost/issues.js'
import { ApiError } from '../../../../schemas/errors.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import type { ListSpecIssues, SpecIssues, TracedIssue } from '../../../../schemas/pse/issues.js'
import type { Deps } from '../deps.js'
import { readVersion } from '../sessions/read-version.js'
import { taskKeysOf } from './task-keys.js'

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
