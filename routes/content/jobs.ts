import type { FastifyInstance } from 'fastify'
import { purgeDeleted, purgeDeletedOf } from '../../db/content/contents.js'
import { defineDueJobs, sweepWorkspaces, untilNone } from '../../lib/durable/due-jobs.js'
import { generationJob, type GenerationRunner } from './lib/generate/runner.js'
import { publicationKind } from './lib/publish/deliver.js'

/** Background work of the area. A job names a publication or a generation; the row decides what to do. */
export const defineJobs = (app: FastifyInstance, runner: GenerationRunner): void => {
  app.jobs.define(generationJob, async (data) => {
    await runner.claim({ workspace_id: String(data.workspace_id), id: String(data.id) })
  }, { expireSeconds: 60 })
  defineDueJobs(app, publicationKind)
  app.jobs.define('content.purge', async () => {
    await sweepWorkspaces(app, 'deleted_days', (workspaceId, days) => purgeDeletedOf(app.db, workspaceId, days, 1_000))
    await untilNone(() => purgeDeleted(app.db, 1_000))
  }, { cron: '5 * * * *' })
}
