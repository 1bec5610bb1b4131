import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { deleteUnused } from '../../db/agent/attachments.js'
import { compactStreams, hideIdleSessions, purgeSessions } from '../../db/agent/retention.js'
import { deleteOldKeys } from '../../db/idempotency.js'
import { defineDueJobs, sweepWorkspaces, untilNone } from '../../lib/durable/due-jobs.js'
import { compileJson } from '../../lib/openapi/json-schemas.js'
import { Id } from '../../schemas/common.js'
import { BuildFailure, buildFailedJob } from '../../schemas/deployments/builds.js'
import { resumeJob, resumeLater } from './lib/run/park-run.js'
import { takeBuildFailure, triggerKind, firingKind, type TriggerDeps } from './lib/triggers/fire-trigger.js'

const isFailure = compileJson(BuildFailure)
const isRunKey = compileJson(Type.Object({ workspace_id: Id, run_id: Id }))

/** Background work of the area: begins what schedules and alerts set off, compacts and deletes old rows. */
export const bindJobs = (app: TriggerDeps & Pick<FastifyInstance, 'workspaces'>): void => {
  defineDueJobs(app, triggerKind)
  defineDueJobs(app, firingKind)
  app.jobs.define(buildFailedJob, async (data) => {
    if (!isFailure(data)) throw new Error('The data of a failed build is not valid')
    await takeBuildFailure(app, data)
  }, { expireSeconds: 60 })
  app.jobs.define(resumeJob, async (data) => {
    if (!isRunKey(data)) throw new Error('The data of a run that was decided about is not valid')
    const { workspace_id: workspaceId, run_id: runId } = data
    if (await app.engine.resume(workspaceId, runId) === 'blocked') await resumeLater(app, app.db, workspaceId, runId)
    else await app.engine.claim(workspaceId, runId)
  }, { expireSeconds: 60 })
  app.jobs.define('agent.compact-streams', async () => { await compactStreams(app.db) }, { cron: '*/10 * * * *' })
  app.jobs.define('agent.purge-sessions', async () => {
    await sweepWorkspaces(app, 'chats_days', (workspaceId, days) => hideIdleSessions(app.db, workspaceId, days))
    await untilNone(() => purgeSessions(app.db))
    await deleteUnused(app.db)
  }, { cron: '15 * * * *' })
  app.jobs.define('shared.purge-idempotency-keys', async () => { await deleteOldKeys(app.db) }, { cron: '45 * * * *' })
}
