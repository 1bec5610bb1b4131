import { writeFileSync } from 'node:fs'
import { messageOf } from '../../schemas/thrown.js'

export interface Task { name: string, args: unknown[] }

/** `failure` is the message of an error; `tooDeep` is true when the input exhausted the stack. */
export type TaskAnswer = { isReady: true } | { result: unknown } | { failure: string, tooDeep: boolean }

const answer = (message: TaskAnswer): void => { process.send?.(message) }

/** Runs in the child: does what its TaskProcess sends. @param operations pure functions of what can be cloned */
export const serveTasks = (operations: object): void => {
  // Where the system is short of memory, it ends this process first (Linux; elsewhere there is no such file).
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {}
  // A terminal and a service manager signal the parent's whole group: a task may end while the parent drains.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.once('disconnect', () => process.exit())
  process.on('message', async (message) => {
    // The parent sends nothing else, and nothing until it is answered.
    const { name, args } = message as Task
    // The caller of TaskProcess types the arguments by the name.
    const operation = Reflect.get(operations, name) as (...args: unknown[]) => unknown
    try {
      answer({ result: await operation(...args) })
    } catch (error) {
      answer({ failure: messageOf(error), tooDeep: error instanceof RangeError })
    }
  })
  answer({ isReady: true })
}
