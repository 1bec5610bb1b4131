import type { FastifyInstance } from 'fastify'
import { deleteOldReceipts } from '../../db/codehost/receipts.js'
import { ask } from './lib/ask.js'
import { receiptsJob } from './lib/kick-receipts.js'
import { backfillJob } from './lib/list-activity.js'
import { processReceipts } from './lib/process-receipt.js'
import { redeliver } from './lib/redeliver.js'
import { backfill } from './lib/sync-activity.js'

/** Background work of the area. Its jobs carry nothing: rows say what there is to do. */
export const defineJobs = (app: FastifyInstance): void => {
  app.jobs.define(receiptsJob, (_data, signal) => processReceipts(app, signal), { expireSeconds: 300 })
  app.jobs.define(backfillJob, async ({ workspace_id, user_id, repo_id }) => {
    const reader = { workspace_id: String(workspace_id), user_id: String(user_id) }
    await backfill(await ask(app, reader), String(repo_id))
  }, { retries: 3 })
  // Makes up for jobs that were lost, and repeats what went wrong.
  app.jobs.define('codehost.receipts-sweep', (_data, signal) => processReceipts(app, signal), { cron: '* * * * *' })
  app.jobs.define('codehost.redeliver', () => redeliver(app), { cron: '35 * * * *', expireSeconds: 600 })
  app.jobs.define('codehost.purge-receipts', async () => {
    while (await deleteOldReceipts(app.db) > 0);
  }, { cron: '25 * * * *' })
}
