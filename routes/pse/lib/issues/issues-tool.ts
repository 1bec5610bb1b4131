import { defineWriteTool, type Input, type Plan, type Read } from '../../../../lib/tools/options.js'
import { describeRepository, readRepository } from '../../../../lib/tools/pull-request.js'
import type { SpecDocument } from 'steward-spec-engine/schemas'
import { OpenSpecIssues, SpecIssues, type TaskIssues } from '../../../../schemas/pse/issues.js'
import { SpecSessionParams } from '../../../../schemas/pse/sessions.js'
import { SpecVersion } from '../../../../schemas/pse/versions.js'
import { NoTasks, NoVersion } from '../errors.js'
import { readSession, sessionUrl } from '../sessions/session-tools.js'
import { chooseTasks, describeTaskIssue, type SpecOf } from './open-issues.js'

const schemas = { params: SpecSessionParams, body: OpenSpecIssues }
type Given = Input<typeof schemas>

interface Prepared { made: SpecOf, tasks: SpecDocument['tasks'], issues: Map<string, TaskIssues['issues'][number]> }

const versionOf = async (input: Given, read: Read): Promise<number> => {
  const version = input.version ?? (await readSession(input.session_id, read)).current_version
  if (version === null) throw NoVersion()
  return version
}

const prepare = async (input: Given, read: Read): Promise<Prepared> => {
  const { session_id: id, repo_id: repository } = input
  const version = await versionOf(input, read)
  const made = await read(`${sessionUrl(id)}/versions/${version}`, SpecVersion)
  const query = new URLSearchParams({ repo_id: repository, version: String(version) })
  const found = await read(`${sessionUrl(id)}/issues?${query}`, SpecIssues)
  const issues = new Map(found.tasks.flatMap(({ issues: [issue] }) => issue ? [[issue.task_id, issue]] : []))
  return { made, tasks: chooseTasks(made.document, input, (task) => issues.get(task)?.number != null), issues }
}

const plan = async (input: Given, read: Read): Promise<Plan> => {
  const repository = await readRepository(input.repo_id, read)
  const { made, tasks, issues } = await prepare(input, read)
  const fresh = tasks.filter(({ id }) => issues.get(id)?.number == null)
  if (fresh.length === 0) throw NoTasks('Each of these tasks has an issue in the repository')
  const count = fresh.length === 1 ? 'an issue' : `${fresh.length} issues`
  const { session_id: id } = input
  return {
    target: {
      kind: 'spec_issues',
      id: `${id}~${repository.id}`,
      within: { repository: repository.id, spec_session: id },
      names: [repository.full_name]
    },
    summary: `Create ${count} in ${repository.full_name} for tasks of version ${made.version} of the spec ` +
      `“${made.document.title}”`,
    changes: [
      { label: 'Repository', field: 'repo_id', before: null, after: describeRepository(repository) },
      { label: 'Version', field: 'version', before: null, after: made.version },
      ...fresh.map((task) => {
        const { title, body } = describeTaskIssue(task, made)
        return { label: `Issue for ${task.id}`, field: 'task_ids', before: null, after: `${title}\n\n${body}` }
      })
    ],
    args: { ...input, version: made.version, task_ids: tasks.map((task) => task.id) },
    facts: { private: repository.private },
    risk: [repository.private ? 'readers_see' : 'anyone_sees']
  }
}

export const openSpecIssuesTool = defineWriteTool({
  input: schemas,
  credential: 'requester',
  reads: ['getRepository', 'listSpecIssues'],
  basis: 'Which of the tasks have an issue in the repository; a version itself never changes',
  editable: ['version', 'task_ids'],
  additive: true,
  plan,
  /** After a crash during the call: done if each task has its issue, otherwise unclear. A further call doubles none. */
  async reconcile (given, read) {
    const { tasks, issues } = await prepare(given, read)
    return tasks.every(({ id }) => issues.get(id)?.number != null) ? 'done' : 'unclear'
  }
})
