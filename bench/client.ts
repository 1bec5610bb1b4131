import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { emptyLoad, type Job, type Load } from './load/job.js'
import { runRequest } from './load/plain.js'
import { runStream } from './load/stream.js'

const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 4096 })

const worker = async (job: Job, load: Load, index: number, more: () => boolean, onOpen: (change: number) => void) => {
  if (job.kind === 'streams' && job.rampMs) await sleep(job.rampMs * index / job.concurrency)
  while (more()) {
    if (job.kind === 'streams') await runStream(job, agent, load, onOpen)
    else await runRequest(job, agent, load)
  }
}

const run = async (job: Job): Promise<Load> => {
  const load = emptyLoad()
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let started = 0
  let open = 0
  const inTime = () => performance.now() - startedAt < (job.durationMs ?? Infinity)
  const more = () => { started += 1; return job.total === undefined ? inTime() : started <= job.total }
  const onOpen = (change: number) => { open += change }
  const timer = setInterval(() => load.open.push({ at: Date.now(), count: open }), 100)
  await Promise.all(Array.from({ length: job.concurrency }, (_, index) => worker(job, load, index, more, onOpen)))
  clearInterval(timer)
  const used = process.cpuUsage(cpu)
  load.wallMs = performance.now() - startedAt
  load.clientCpuMs = (used.user + used.system) / 1000
  return load
}

process.on('message', (job: Job) => {
  run(job).then((load) => process.send?.({ load }), (error) => process.send?.({ error: String(error) }))
})
process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
