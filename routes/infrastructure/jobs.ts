import type { FastifyInstance } from 'fastify'
import { listStaleDeployments } from '../../db/cloud/service-deployments.js'
import { advanceDeployment } from './lib/advance-deployment.js'
import { watchJob } from './lib/start-deployment.js'

const staleSeconds = 90

/** Background work of the area: each live deployment is looked at until it has ended, by whichever instance. */
export const defineJobs = (app: FastifyInstance) => {
  app.jobs.define(watchJob, async (data) => {
    const row = { workspace_id: String(data.workspace_id), id: String(data.id) }
    const seconds = await advanceDeployment(app, row.workspace_id, row.id)
    if (seconds !== undefined) await app.jobs.enqueue(app.db, watchJob, row, { startAfter: seconds })
  }, { concurrency: 4, expireSeconds: 120 })

  app.jobs.define('infrastructure.deployments-sweep', async () => {
    const stale = await listStaleDeployments(app.db, staleSeconds)
    for (const row of stale) await app.jobs.enqueue(app.db, watchJob, { ...row })
  }, { cron: '* * * * *' })
}
