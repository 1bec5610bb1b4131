import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { freshToken } from '../../lib/security/tokens.js'
import { publicOrigin } from '../../lib/http/public-origin.js'
import { offerSetupLink } from './lib/setup-link.js'
import archives from './archives.js'
import { bindJobs } from './jobs.js'
import me from './me.js'
import projects from './projects.js'
import sessions from './sessions.js'
import setup from './setup.js'
import signIn from './sign-in.js'
import tokens from './tokens.js'
import users from './users.js'
import workspace from './workspace.js'
import workspaces from './workspaces.js'

const secured: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'account')
  await app.register(sessions)
  await app.register(me)
  await app.register(users)
  await app.register(tokens)
  await app.register(projects)
  await app.register(workspace)
  await app.register(workspaces)
  await app.register(archives)
}

const api: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(signIn)
  await app.register(secured)
}

/** People, sign-in, API tokens, projects, and the pages of signing in. */
const account: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(api, { prefix: '/account' })
  await app.register(setup)
  bindJobs(app)
  app.addHook('onListen', async () => {
    if (app.config.WORKER === 'only') return
    const link = await offerSetupLink(app.db, app.home, app.config, publicOrigin(app), freshToken('link', null))
    if (!link) return
    const also = link.file === undefined ? '' : ` (also in ${link.file})`
    app.log.warn(`first start: sign in once, within the hour, at ${link.url}${also}`)
  })
}

export default account
