import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Peers } from '../../lib/identity/peer.js'
import { freshToken } from '../../lib/security/tokens.js'
import { publicOrigin } from '../../lib/http/addresses.js'
import { offerSetupLink } from './lib/people/invite.js'
import { guardNamed } from '../../lib/access/guard-named.js'
import { findProjectResource } from '../../lib/access/require-access.js'
import { NotFound } from '../../schemas/errors.js'
import archives from './archives.js'
import assistants from './assistants.js'
import bindings from './bindings.js'
import consents from './consents.js'
import groups from './groups.js'
import delegations from './delegations.js'
import identities from './identities.js'
import identityLogout from './identity-logout.js'
import identityProviders from './identity-providers.js'
import identitySignIn from './identity-sign-in.js'
import { bindJobs } from './jobs.js'
import { makeChecks } from './lib/identity/check-identity.js'
import type { IdentityDeps } from './lib/identity/identity-attempt.js'
import { AuthorizationServers } from './lib/oauth/server.js'
import me from './me.js'
import myIdentities from './my-identities.js'
import model from './model.js'
import oauth from './oauth.js'
import passkeys from './passkeys.js'
import people from './people.js'
import policies from './policies.js'
import projectInstructions from './project-instructions.js'
import projects from './projects.js'
import sessions from './sessions.js'
import setup from './setup.js'
import signIn from './sign-in.js'
import tokens from './tokens.js'
import users from './users.js'
import workspace from './workspace.js'
import workspaces from './workspaces.js'

/** Why policies do not judge it. */
const ungated = 'people, their rights and what is their own: roles and signatures guard it, and a policy could lock ' +
  'out whoever changes policies'

const secured = (deps: IdentityDeps): FastifyPluginAsyncTypebox => async (app) => {
  app.protect(app, 'account')
  app.leaveUngated(app, ungated)
  await app.register(users)
  await app.register(groups)
  await app.register(bindings)
  await app.register(policies)
  await app.register(identityProviders(deps))
  await app.register(identities)
  await app.register(workspace)
  await app.register(model)
  await app.register(workspaces)
  await app.register(archives)
}

/** What is a person's own, whatever they may do. */
const personal = (deps: IdentityDeps): FastifyPluginAsyncTypebox => async (app) => {
  app.protect(app, 'account', 'workspace', 'anywhere')
  app.leaveUngated(app, ungated)
  await app.register(sessions)
  await app.register(me)
  await app.register(tokens)
  await app.register(assistants)
  await app.register(delegations)
  await app.register(passkeys)
  await app.register(people)
  await app.register(myIdentities(deps))
}

const ofProjects: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'account', 'workspace', 'anywhere')
  guardNamed(app, { project_id: { find: findProjectResource, missing: NotFound } })
  await app.register(projects)
  await app.register(projectInstructions)
}

const api = (deps: IdentityDeps): FastifyPluginAsyncTypebox => async (app) => {
  await app.register(signIn)
  await app.register(personal(deps))
  await app.register(ofProjects)
  await app.register(secured(deps))
}

/** How long one request to an identity provider may take. */
const providerTimeoutMs = 10_000

const identityDepsOf = ({ db, secrets, log, home, outbound }: FastifyInstance): IdentityDeps =>
  ({ db, secrets, log, home, outbound, peers: new Peers(outbound, providerTimeoutMs) })

const ofConsent: FastifyPluginAsyncTypebox = async (app) => {
  app.protect(app, 'account', 'person', 'anywhere')
  app.leaveUngated(app, ungated)
  await app.register(consents)
}

declare module 'fastify' {
  interface FastifyInstance { oauth: AuthorizationServers }
}

/** People, sign-in, API tokens, projects, the pages of signing in, and letting other programs in. */
const account: FastifyPluginAsyncTypebox = async (app) => {
  const deps = identityDepsOf(app)
  app.vouchers.ask = makeChecks(deps)
  await app.register(api(deps), { prefix: '/account' })
  await app.register(identitySignIn(deps), { prefix: '/identity' })
  await app.register(identityLogout(deps), { prefix: '/identity' })
  await app.register(setup)
  app.decorate('oauth', new AuthorizationServers(app))
  await app.register(oauth)
  await app.register(ofConsent, { prefix: '/oauth' })
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
