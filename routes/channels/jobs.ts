import type { FastifyInstance } from 'fastify'
import { deleteOldDeliveries } from '../../db/channels/deliveries.js'
import { listToLook } from '../../db/channels/looks.js'
import { deleteOldRequests } from '../../db/channels/requests.js'
import { defineDueJobs } from '../../lib/durable/due-jobs.js'
import { compileJson } from '../../lib/openapi/json-schemas.js'
import { RefusedAttempt, refusedAttemptJob } from '../../schemas/channels/refused-attempts.js'
import { messageOf } from '../../schemas/thrown.js'
import { clickKind } from './lib/click.js'
import { deliveryKind } from './lib/deliver.js'
import { findEvents } from './lib/find-events.js'
import { noteAttempt } from './lib/notify-refused.js'
import { sendDigests } from './lib/send-digests.js'

const isAttempt = compileJson(RefusedAttempt)

export const bindJobs = (app: FastifyInstance): void => {
  defineDueJobs(app, deliveryKind)
  defineDueJobs(app, clickKind)
  app.jobs.define(refusedAttemptJob, async (data) => {
    if (!isAttempt(data)) throw new Error('The data of a refused attempt is not valid')
    await noteAttempt(app, data)
  }, { expireSeconds: 60, retries: 5 })
  app.jobs.define('channels.sweep-events', async () => {
    for (const id of await listToLook(app.db)) {
      // One workspace that cannot be asked does not keep the others.
      await findEvents(app, id).catch((error: unknown) =>
        app.log.warn({ workspace_id: id, reason: messageOf(error) }, 'events not looked for'))
    }
  }, { everyMs: 5_000 })
  app.jobs.define('channels.sweep-digests', () => sendDigests(app), { everyMs: 60_000 })
  app.jobs.define('channels.sweep-old', async () => {
    await deleteOldDeliveries(app.db)
    await deleteOldRequests(app.db, app.home.workspace_id)
  }, { cron: '17 3 * * *' })
}
