import type { SpecDocument } from '../schemas/document.js'

type Task = SpecDocument['tasks'][number]

/** @returns the tasks by the sections that their requirements stand in, in the order of the document */
export const tasksByComponent = ({ tasks }: Pick<SpecDocument, 'tasks'>): [string, Task[]][] => {
  const groups = new Map<string, Task[]>()
  for (const task of tasks) {
    const name = task.component ?? 'Implementation'
    groups.set(name, [...groups.get(name) ?? [], task])
  }
  return [...groups]
}
