import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { ExtractionWork } from './worker.js'

const watchMs = 10

/** At once: a thread that is in the middle of a long call would not let the process exit. */
const end = (): void => { process.kill(process.pid, 'SIGKILL') }

const script = new URL('./worker.js', import.meta.url)

/**
 * Ends the process when it takes more than it may. The time is that of the processor, so that a busy machine refuses no
 * file; the memory is with what a library decodes outside of the heap.
 */
const watch = ({ cpuMs, bytes }: ExtractionWork['limits']): void => {
  setInterval(() => {
    const { user, system } = process.cpuUsage()
    if ((user + system) / 1_000 > cpuMs || process.memoryUsage.rss() > bytes) end()
  }, watchMs)
}

/** Reads one file, in a thread, so that this one is free to watch the memory. @returns when the answer is sent */
const read = (workerData: ExtractionWork): void => {
  const worker = new Worker(script, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
  })
  worker.once('error', end)
  worker.once('exit', end)
  worker.once('message', (answer) => {
    // The thread ends now; the process does when the answer is on its way.
    worker.removeAllListeners()
    process.send?.(answer, end)
  })
}

// Where the system is short of memory, it ends this process first (Linux; elsewhere there is no such file).
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {}

// A terminal and a service manager signal the parent's whole group: what is read may end while the parent drains.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', end)
// The parent sends it right after the start.
process.once('message', (message) => {
  const work = message as ExtractionWork
  watch(work.limits)
  read(work)
})
