import type { FastifyInstance } from 'fastify'
import { deleteOldDeliveries } from '../../db/channels/deliveries.js'
import { listToLook } from '../../db/channels/looks.js'
import { deleteOldRequests } from '../../db/channels/requests.js'
import { defineDueJobs } from '../../lib/durable/due-jobs.js'
import { messageOf } from '../../schemas/thrown.js'
import { clickKind } from './lib/click.js'
import { deliveryKind } from './lib/deliver.js'
import { findEvents } from './lib/find-events.js'
import { sendDigests } from './lib/send-digests.js'

export const bindJobs = (app: FastifyInstance): void => {
  defineDueJobs(app, deliveryKind)
  defineDueJobs(app, clickKind)
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
