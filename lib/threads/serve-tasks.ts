import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../schemas/thrown.js'

export interface ThreadTask { name: string, args: unknown[] }

/** `failure` is the message of an error; `tooDeep` an input that exhausts the stack. */
export type ThreadAnswer = { isReady: true } | { result: unknown } | { failure: string, tooDeep: boolean }

const answer = (message: ThreadAnswer): void => { parentPort?.postMessage(message) }

/** Runs in the thread: does what its TaskThread sends. @param operations pure functions of what can be cloned */
export const serveTasks = (operations: object): void => {
  parentPort?.on('message', ({ name, args }: ThreadTask) => {
    // The caller of TaskThread types the arguments by the name.
    const operation = Reflect.get(operations, name) as (...args: unknown[]) => unknown
    try {
      answer({ result: operation(...args) })
    } catch (error) {
      answer({ failure: messageOf(error), tooDeep: error instanceof RangeError })
    }
  })
  answer({ isReady: true })
}
