import type { FastifyInstance } from 'fastify'
import { deleteOldReceipts, deleteReceiptsOf } from '../../db/codehost/receipts.js'
import { defineDueBatches } from '../../lib/durable/due-batches.js'
import { sweepWorkspaces, untilNone } from '../../lib/durable/due-jobs.js'
import { accessFor } from './lib/access.js'
import { checkGrant, grantJob, receiptKind } from './lib/webhooks/process-receipt.js'
import { backfillJob } from './lib/activity/list-activity.js'
import { redeliver } from './lib/webhooks/redeliver.js'
import { backfill } from './lib/activity/sync-activity.js'

/** Background work of the area. A job only names a row; the row decides what to do. */
export const defineJobs = (app: FastifyInstance): void => {
  defineDueBatches(app, receiptKind)
  app.jobs.define(backfillJob, async ({ workspace_id, user_id, repo_id }) => {
    const reader = { workspace_id: String(workspace_id), user_id: String(user_id) }
    await backfill(await accessFor(app, reader), String(repo_id))
  }, { retries: 3 })
  app.jobs.define(grantJob, ({ workspace_id, account_id }) =>
    checkGrant(app, String(workspace_id), String(account_id)), { retries: 5 })
  app.jobs.define('codehost.redeliver', () => redeliver(app), { cron: '35 * * * *', expireSeconds: 600 })
  app.jobs.define('codehost.purge-receipts', async () => {
    await sweepWorkspaces(app, 'receipts_days', (workspaceId, days) => deleteReceiptsOf(app.db, workspaceId, days))
    await untilNone(() => deleteOldReceipts(app.db))
  }, { cron: '25 * * * *' })
}
