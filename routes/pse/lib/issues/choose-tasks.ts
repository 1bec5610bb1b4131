import type { SpecDocument } from 'steward-spec-engine/schemas'
import { maxIssues, type OpenSpecIssues } from '../../../../schemas/pse/issues.js'
import { NoTasks, TargetUnknown } from '../errors.js'

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
