import { request, type Agent } from 'node:http'
import type { Load, RequestJob } from './job.js'

/** One GET, read to its end. */
export const runRequest = (job: RequestJob, agent: Agent, load: Load): Promise<void> => new Promise((resolve) => {
  const startedAt = performance.now()
  const end = (error: string) => {
    if (error) load.errors[error] = (load.errors[error] ?? 0) + 1
    else {
      load.finished += 1
      load.first.push(performance.now() - startedAt)
    }
    resolve()
  }
  const req = request(job.origin + job.path, { agent, headers: job.headers }, (res) => {
    res.on('error', (error) => end(error.message))
    res.on('end', () => end(res.statusCode === 200 ? '' : `status ${res.statusCode}`))
    res.resume()
  })
  req.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  req.end()
})
