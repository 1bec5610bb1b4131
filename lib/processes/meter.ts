import { workerData } from 'node:worker_threads'

/** Runs in a thread of a process for tasks, whose own thread a task holds. */

/** Where the task's limit is: ms of processor time at which the process must end, or 0 while it has no task. */
const limit = workerData as Int32Array

const watchMs = 50

const usedMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

for (;;) {
  const end = Atomics.load(limit, 0)
  if (end !== 0 && usedMs() > end) process.kill(process.pid, 'SIGKILL')
  Atomics.wait(limit, 0, end, end === 0 ? Infinity : watchMs)
}
