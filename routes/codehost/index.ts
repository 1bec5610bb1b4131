import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import activity from './activity.js'
import commits from './commits.js'
import connection from './connection.js'
import contents from './contents.js'
import invitations from './invitations.js'
import issues from './issues.js'
import { defineJobs } from './jobs.js'
import oauth from './oauth.js'
import pulls from './pulls.js'
import receipts from './receipts.js'
import { requireValidRepoIds } from './repo-id.js'
import repositories from './repositories.js'
import search from './search.js'
import webhook from './webhook.js'

const secured: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'codehost', 'codehost')
  requireValidRepoIds(app)
  defineJobs(app)
  await app.register(connection)
  await app.register(invitations)
  await app.register(repositories)
  await app.register(commits)
  await app.register(pulls)
  await app.register(search)
  await app.register(contents)
  await app.register(issues)
  await app.register(activity)
  await app.register(receipts)
}

/** The code host as the caller sees it: repositories, pull requests, activity; sign-in with it, and its webhooks. */
const codehost: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(secured, { prefix: '/codehost' })
  await app.register(oauth, { prefix: '/codehost-oauth' })
  await app.register(webhook, { prefix: '/webhooks' })
}

export default codehost
