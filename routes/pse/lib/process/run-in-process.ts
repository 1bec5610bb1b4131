import { TaskProcesses } from '../../../../lib/processes/task-processes.js'
import { Overloaded } from '../../../../schemas/errors.js'
import type { Operations } from 'steward-spec-engine/operations'

/** Every operation is linear in its inputs, which are limited: ten times what the largest inputs take. */
const baseMs = 60_000
const msPerChar = 0.05

const specs = new TaskProcesses<Operations>({
  script: new URL('./worker.js', import.meta.url),
  maxHeapMb: 512,
  cpuMs: (chars) => baseMs + chars * msPerChar,
  maxWaitMs: 60_000,
  tooComplex: () => new Error('The inputs take more work or memory than the process for specs has'),
  overloaded: (detail = 'The machine is too busy to read the spec') =>
    Overloaded(detail).withHeaders({ 'retry-after': '10' })
})

/**
 * Runs an operation on copies of its arguments, so that the event loop is free meanwhile.
 * @throws overloaded
 */
export const runInProcess = specs.run.bind(specs)
