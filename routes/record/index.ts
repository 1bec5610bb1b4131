import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import destinations from './destinations.js'
import entries from './entries.js'
import { bindJobs } from './jobs.js'
import keys, { publicKeys } from './keys.js'

const secured: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'account')
  app.leaveUngated(app, 'the record is of what policies decided, too: they may not stop it')
  await app.register(entries)
  await app.register(keys)
  await app.register(destinations)
}

/** The record of what was asked, shown, decided, sent and answered; its proof, and where it is forwarded to. */
const record: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(publicKeys)
  await app.register(secured)
  bindJobs(app)
}

export default record
