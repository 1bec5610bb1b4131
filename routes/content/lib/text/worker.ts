import { parentPort } from 'node:worker_threads'
import { operations, type Operations } from './operations.js'
import { messageOf } from '../../../../schemas/thrown.js'

export interface TextTask { name: keyof Operations, args: unknown[] }
/** `failure` is the message of an error; `tooDeep` is true when the input exhausted the stack. */
export type TextAnswer = { isReady: true } | { result: unknown } | { failure: string, tooDeep: boolean }

const answer = (message: TextAnswer): void => { parentPort?.postMessage(message) }

const run = ({ name, args }: TextTask): void => {
  // thread.ts types the arguments by the name.
  const operation = operations[name] as (...args: unknown[]) => unknown
  try {
    answer({ result: operation(...args) })
  } catch (error) {
    answer({ failure: messageOf(error), tooDeep: error instanceof RangeError })
  }
}

parentPort?.on('message', run)
answer({ isReady: true })
