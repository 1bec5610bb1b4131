import type { FastifyInstance } from 'fastify'
import { purgeDeleted } from '../../db/content/contents.js'
import { generationJob } from './lib/generate/deps.js'
import type { GenerationWorker } from './lib/generate/worker.js'
import { deliver, sweep } from './lib/publish/deliver.js'
import { publicationJob, sweepJob } from './lib/publish/deps.js'

/** Background work of the area. A job names a publication or a generation; its row says what there is to do. */
export const defineJobs = (app: FastifyInstance, worker: GenerationWorker): void => {
  app.jobs.define(generationJob, async (data) => {
    await worker.look({ workspace_id: String(data.workspace_id), id: String(data.id) })
  }, { expireSeconds: 60 })
  app.jobs.define(publicationJob, (data) => deliver(app, String(data.workspace_id), String(data.publication_id)),
    { expireSeconds: 120, concurrency: 4 })
  app.jobs.define('content.purge', async () => { await purgeDeleted(app.db, 1_000) }, { cron: '5 * * * *' })
  app.jobs.define(sweepJob, () => sweep(app), { expireSeconds: 300, cron: '* * * * *' })
}
