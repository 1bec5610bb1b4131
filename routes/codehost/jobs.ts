import type { FastifyInstance } from 'fastify'
import { deleteOldReceipts } from '../../db/codehost/receipts.js'
import { receiptsJob } from './lib/kick-receipts.js'
import { processReceipts } from './lib/process-receipt.js'

/** Background work of the area. Its jobs carry nothing: rows say what there is to do. */
export const defineJobs = (app: FastifyInstance): void => {
  app.jobs.define(receiptsJob, (_data, signal) => processReceipts(app, signal), { expireSeconds: 300 })
  // Makes up for jobs that were lost, and repeats what went wrong.
  app.jobs.define('codehost.receipts-sweep', (_data, signal) => processReceipts(app, signal), { cron: '* * * * *' })
  app.jobs.define('codehost.purge-receipts', async () => {
    while (await deleteOldReceipts(app.db) > 0);
  }, { cron: '25 * * * *' })
}
