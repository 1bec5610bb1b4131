import type { FastifyInstance } from 'fastify'
import { deliver, sweep } from './lib/publish/deliver.js'
import { publicationJob, sweepJob } from './lib/publish/deps.js'

/** Background work of the area. A job names a publication; its row says what there is to do. */
export const defineJobs = (app: FastifyInstance): void => {
  app.jobs.define(publicationJob, (data) => deliver(app, String(data.workspace_id), String(data.publication_id)),
    { expireSeconds: 120, concurrency: 4 })
  app.jobs.define(sweepJob, () => sweep(app), { expireSeconds: 300, cron: '* * * * *' })
}
