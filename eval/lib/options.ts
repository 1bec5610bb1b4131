import { parseArgs } from 'node:util'
import { areas, type Task } from '../task.js'

export interface Options {
  only: string[]
  rounds: number | undefined
  json: string | undefined
  record: string | undefined
  replay: string | undefined
}

/** Reads the command line. @throws when an option or a number is wrong */
export const readOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      json: { type: 'string' },
      record: { type: 'string' },
      replay: { type: 'string' }
    }
  })
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 1)) {
    throw new Error('--rounds takes a number from 1')
  }
  const only = values.only?.split(',').map((word) => word.trim()).filter(Boolean) ?? []
  return { only, rounds, json: values.json, record: values.record, replay: values.replay }
}

/** @returns the tasks with these ids or of these areas; all, if none is named. @throws when a name fits none */
export const pickTasks = (tasks: Task[], names: string[]): Task[] => {
  const fits = ({ id, area }: Task, name: string) => id === name || area === name
  const unknown = names.find((name) => !tasks.some((task) => fits(task, name)))
  if (unknown) throw new Error(`no task or area ${unknown}. Areas: ${areas.join(', ')}`)
  return names.length === 0 ? tasks : tasks.filter((task) => names.some((name) => fits(task, name)))
}
