import type { FastifyInstance } from 'fastify'
import { purgeApps, purgeOldApps } from '../../db/deployments/apps.js'
import { sweepWorkspaces, untilNone } from '../../lib/durable/due-jobs.js'
import { compileJson } from '../../lib/openapi/json-schemas.js'
import { PushNotice, pushJob } from '../../schemas/deployments/apps.js'
import type { BuildRunner } from './lib/builds/build-runner.js'
import { buildJob } from './lib/builds/start-build.js'
import { takePush } from './lib/apps/take-push.js'

const isNotice = compileJson(PushNotice)

/** Background work of the area. A job names an app or a push; the rows say what there is to do. */
export const defineJobs = (app: FastifyInstance, runner: BuildRunner): void => {
  app.jobs.define(buildJob, async (data) => {
    await runner.claim({ workspace_id: String(data.workspace_id), app_id: String(data.app_id) })
  }, { expireSeconds: 60 })

  app.jobs.define('deployments.purge', async () => {
    await sweepWorkspaces(app, 'deleted_days', (workspaceId, days) => purgeOldApps(app.db, workspaceId, days, 1_000))
    await untilNone(() => purgeApps(app.db, 1_000))
  }, { cron: '25 * * * *' })

  app.jobs.define(pushJob, async (data) => {
    if (!isNotice(data)) throw new Error('The data of a push job is not valid')
    await takePush(app, data)
  }, { expireSeconds: 60 })
}
