import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import channels from './channels.js'
import deliveries from './deliveries.js'
import { bindJobs } from './jobs.js'
import slack from './slack.js'

const secured: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'account')
  app.leaveUngated(app, 'where a person hears of what waits for them: nobody else\'s, and nothing that was approved')
  await app.register(channels)
  await app.register(deliveries)
}

/** Where people hear of what waits for them and what has ended; the rows that they speak of decide. */
const area: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(secured)
  await app.register(slack)
  bindJobs(app)
}

export default area
