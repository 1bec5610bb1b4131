import { TaskThread } from '../../../../lib/threads/task-thread.js'
import type { Operations } from './operations.js'

/** Inputs are limited, and every operation is linear in them: a task takes as long as it takes. */
const thread = new TaskThread<Operations>({
  script: new URL('./worker.js', import.meta.url),
  maxHeapMb: 1_024,
  tooComplex: () => new Error('The inputs take more memory than the thread of specs has')
})

/** Runs an operation on copies of its arguments, so that the event loop is free meanwhile. */
export const runInThread = thread.run.bind(thread)
