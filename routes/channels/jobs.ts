import type { FastifyInstance } from 'fastify'
import { deleteOldDeliveries } from '../../db/channels/deliveries.js'
import { listToLook, deleteOldRequests } from '../../db/channels/clicks.js'
import { defineDueJobs, sweepMs } from '../../lib/durable/due-jobs.js'
import { compileJson } from '../../lib/openapi/json-schemas.js'
import { RefusedAttempt, refusedAttemptJob } from '../../schemas/channels/channels.js'
import { messageOf } from '../../schemas/unknown.js'
import { clickKind } from './lib/click.js'
import { deliveryKind, sendDigests } from './lib/deliver.js'
import { eventsSweep, findEvents, lookMs } from './lib/find-events.js'
import { noteAttempt } from './lib/notify-refused.js'

const isAttempt = compileJson(RefusedAttempt)

/** How often a process looks where there is no channel, or where another process looks. */
const idleLookMs = 15_000
/** How often a process looks for deliveries and clicks that another held when it died, where there are channels. */
const lateMs = 10_000
/** So many looks that find nothing, one after the other, say that there is nothing to look at. */
const idleLooks = 3

export const bindJobs = (app: FastifyInstance): void => {
  let inVain = idleLooks
  const sweep = { sweepMs: () => inVain < idleLooks ? lateMs : sweepMs }
  defineDueJobs(app, { ...deliveryKind, ...sweep })
  defineDueJobs(app, { ...clickKind, ...sweep })
  app.jobs.define(refusedAttemptJob, async (data) => {
    if (!isAttempt(data)) throw new Error('The data of a refused attempt is not valid')
    await noteAttempt(app, data)
  }, { expireSeconds: 60, retries: 5 })
  app.jobs.define(eventsSweep, async () => {
    const found = await listToLook(app.db)
    inVain = found.length > 0 ? 0 : inVain + 1
    for (const id of found) {
      // One workspace that cannot be asked does not keep the others.
      await findEvents(app, id).catch((error: unknown) =>
        app.log.warn({ workspace_id: id, reason: messageOf(error) }, 'events not looked for'))
    }
  }, { everyMs: () => inVain < idleLooks ? lookMs : idleLookMs })
  app.jobs.define('channels.sweep-digests', () => sendDigests(app), { everyMs: 60_000 })
  app.jobs.define('channels.sweep-old', async () => {
    await deleteOldDeliveries(app.db)
    await deleteOldRequests(app.db, app.home.workspace_id)
  }, { cron: '17 3 * * *' })
}
