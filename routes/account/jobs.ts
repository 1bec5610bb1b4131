import type { FastifyInstance } from 'fastify'
import { deleteOldAssistants } from '../../db/account/assistants.js'
import { deleteUnusedClients, deleteOldStates } from '../../db/account/oauth-clients.js'
import { sweepDeleted } from './lib/workspaces/delete-workspace.js'

export const bindJobs = (app: FastifyInstance): void => {
  app.jobs.define('account.sweep-deleted', async () => {
    await sweepDeleted(app.db)
    await deleteOldStates(app.db)
    await deleteOldAssistants(app.db)
    await deleteUnusedClients(app.db, app.home.workspace_id)
  }, { cron: '*/5 * * * *' })
}
