import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import accounts from './accounts.js'
import costs from './costs.js'
import { seedAccount } from './lib/seed-account.js'

const cloud: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'cloud')
  await app.register(accounts)
  await app.register(costs)
  await seedAccount(app)
}

export default cloud
