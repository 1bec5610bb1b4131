import { TaskProcess } from '../../../../lib/processes/task-process.js'
import type { Operations } from './operations.js'

/** Inputs are limited, and every operation is linear in them: a task takes as long as it takes. */
const specs = new TaskProcess<Operations>({
  script: new URL('./worker.js', import.meta.url),
  maxHeapMb: 512,
  tooComplex: () => new Error('The inputs take more memory than the process for specs has')
})

/** Runs an operation on copies of its arguments, so that the event loop is free meanwhile. */
export const runInProcess = specs.run.bind(specs)
