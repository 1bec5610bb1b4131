import type { FastifyInstance } from 'fastify'
import { purgeSessions, purgeSessionsOf } from '../../db/pse/sessions.js'
import { sweepWorkspaces, untilNone } from '../../lib/durable/due-jobs.js'
import type { GenerationRunner } from './lib/generation/generation-runner.js'
import { generationJob } from './lib/generation/start-generation.js'

/** Defines the area's jobs. A job names a generation; the generation's row decides what runs. */
export const defineJobs = (app: FastifyInstance, runner: GenerationRunner): void => {
  app.jobs.define(generationJob, async (data) => {
    await runner.claim({ workspace_id: String(data.workspace_id), id: String(data.id) })
  }, { expireSeconds: 60 })
  app.jobs.define('pse.purge', async () => {
    await sweepWorkspaces(app, 'deleted_days', (workspaceId, days) => purgeSessionsOf(app.db, workspaceId, days, 1_000))
    await untilNone(() => purgeSessions(app.db, 1_000))
  }, { cron: '15 * * * *' })
}
