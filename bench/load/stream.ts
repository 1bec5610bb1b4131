import { request, type Agent } from 'node:http'
import type { Load, StreamJob } from './job.js'
import { SseReader } from './sse-reader.js'

const problem = (status: number | undefined, job: StreamJob, reader: SseReader): string => {
  if (status !== 200) return `status ${status}`
  if (reader.error) return reader.error
  if (!reader.done) return 'no done event'
  if (job.tool && !reader.firstToolAt) return 'no tool call'
  return reader.tokens === job.tokens ? '' : `${reader.tokens} of ${job.tokens} tokens`
}

const note = (load: Load, error: string) => { load.errors[error] = (load.errors[error] ?? 0) + 1 }

const settle = (load: Load, job: StreamJob, reader: SseReader, startedAt: number, status: number | undefined) => {
  const error = problem(status, job, reader)
  if (error) return note(load, error)
  load.first.push(reader.firstContentAt - startedAt)
  if (reader.firstToolAt) load.tool.push(reader.firstToolAt - startedAt)
  load.total.push(performance.now() - startedAt)
  load.tokens += reader.tokens
  load.finished += 1
}

/** Opens one stream, reads it to its end and adds what it saw to `load`. */
export const runStream = (job: StreamJob, agent: Agent, load: Load, onOpen: (change: number) => void): Promise<void> =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    const reader = new SseReader()
    const fail = (error: NodeJS.ErrnoException) => { note(load, error.code ?? error.message); resolve() }
    const length = Buffer.byteLength(job.body)
    const headers = { ...job.headers, 'content-type': 'application/json', 'content-length': length }
    const req = request(job.origin + job.path, { method: 'POST', agent, headers }, (res) => {
      onOpen(1)
      res.on('close', () => onOpen(-1))
      res.setEncoding('latin1')
      res.on('data', (chunk: string) => reader.push(chunk))
      res.on('error', fail)
      res.on('end', () => { settle(load, job, reader, startedAt, res.statusCode); resolve() })
    })
    req.setTimeout(60_000, () => req.destroy(new Error('silent for 60 s')))
    req.on('error', fail)
    req.end(job.body)
  })
