import type { FastifyInstance } from 'fastify'
import type { GenerationWorker } from './lib/generation-worker.js'
import { generationJob } from './lib/start-generation.js'

/** Background work of the area. A job names a generation; its row says what there is to do. */
export const defineJobs = (app: FastifyInstance, worker: GenerationWorker): void => {
  app.jobs.define(generationJob, async (data) => {
    await worker.look({ workspace_id: String(data.workspace_id), id: String(data.id) })
  }, { expireSeconds: 60 })
}
