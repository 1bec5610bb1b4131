import type { FastifyInstance } from 'fastify'
import { compactStreams, hideIdleSessions, purgeSessions } from '../../db/agent/retention.js'
import { deleteOldKeys } from '../../db/idempotency.js'
import { sweepWorkspaces } from '../../lib/durable/sweep-workspaces.js'
import { untilNone } from '../../lib/durable/until-none.js'

/** Background work of the area: compacts and deletes old rows. */
export const bindJobs = (app: Pick<FastifyInstance, 'jobs' | 'db' | 'workspaces'>): void => {
  app.jobs.define('agent.compact-streams', async () => { await compactStreams(app.db) }, { cron: '*/10 * * * *' })
  app.jobs.define('agent.purge-sessions', async () => {
    await sweepWorkspaces(app, 'chats_days', (workspaceId, days) => hideIdleSessions(app.db, workspaceId, days))
    await untilNone(() => purgeSessions(app.db))
  }, { cron: '15 * * * *' })
  app.jobs.define('shared.purge-idempotency-keys', async () => { await deleteOldKeys(app.db) }, { cron: '45 * * * *' })
}
