import type { FastifyInstance } from 'fastify'
import { compactStreams, purgeSessions } from '../../db/agent/retention.js'
import { deleteOldKeys } from '../../db/idempotency.js'

/** Background work of the area: compacts and deletes old rows. */
export const bindJobs = (app: Pick<FastifyInstance, 'jobs' | 'db'>): void => {
  app.jobs.define('agent.compact-streams', async () => { await compactStreams(app.db) }, { cron: '*/10 * * * *' })
  app.jobs.define('agent.purge-sessions', async () => { await purgeSessions(app.db) }, { cron: '15 * * * *' })
  app.jobs.define('shared.purge-idempotency-keys', async () => { await deleteOldKeys(app.db) }, { cron: '45 * * * *' })
}
