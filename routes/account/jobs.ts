import type { FastifyInstance } from 'fastify'
import { sweepDeleted } from './lib/delete-workspace.js'

export const bindJobs = (app: FastifyInstance): void => {
  app.jobs.define('account.sweep-deleted', () => sweepDeleted(app.db), { cron: '*/5 * * * *' })
}
