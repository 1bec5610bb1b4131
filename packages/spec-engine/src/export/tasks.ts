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

/** What a reader of tasks must know that no model and no person has planned; '' otherwise. */
export const mechanicalNotice = ({ engine }: Pick<SpecDocument, 'engine'>): string => engine.name === 'template'
  ? '> These tasks were listed mechanically: one for each requirement, and one for each way to verify a section. ' +
    'Only dependencies that the requirements state are known. Nobody has planned or estimated them.'
  : ''
