import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findAccountResource } from '../../lib/access/require-access.js'
import { guardNamed } from '../../lib/access/guard-named.js'
import accounts from './accounts.js'
import costChanges from './cost-changes.js'
import costTags from './cost-tags.js'
import costs from './costs.js'
import { CloudAccountNotFound } from './lib/errors.js'
import { seedAccount } from './lib/accounts/setup-account.js'

const cloud: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'cloud', 'workspace', 'anywhere')
  guardNamed(app, { account_id: { find: findAccountResource, missing: CloudAccountNotFound } })
  await app.register(accounts)
  await app.register(costs)
  await app.register(costChanges)
  await app.register(costTags)
  await seedAccount(app)
}

export default cloud
