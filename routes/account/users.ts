import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findUser, listUsers } from '../../db/account/users.js'
import { findOrCreateWorkspace } from '../../db/account/workspace.js'
import type { Access } from '../../lib/security/principal.js'
import { issueToken } from '../../lib/security/tokens.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import {
  CreateUser, Invitation, Link, ListUsers, UpdateUser, User, UserPage, UserParams
} from '../../schemas/account/users.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { changeUser, requireMayChange } from './lib/people/change-user.js'
import { EmailTaken, LastAdmin, UserCanSignIn, UserDisabled } from './lib/errors.js'
import { invite, renewLink } from './lib/people/invite.js'
import { paginateById } from '../../lib/http/paginate.js'

const adminReads: Access = { scope: 'account:read', role: 'admin' }
const adminWrites: Access = { scope: 'account:write', role: 'admin' }
const refuses = { insufficient_scope: 'a link signs in without a limit of scopes, so a token with scopes makes none' }

const users: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/users', {
    config: { access: adminReads, errors: [InvalidCursor] },
    schema: {
      operationId: 'listUsers',
      summary: 'List users',
      description: 'For admins: everybody in the workspace, newest first, disabled ones too.',
      tags: ['account'],
      querystring: ListUsers,
      response: { 200: UserPage }
    }
  }, ({ principal, query }) => paginateById(app, { principal, list: 'users', filter: query.q, query },
    (slice) => listUsers(app.db, principal.workspace_id, slice, query.q)))

  app.get('/users/:user_id', {
    config: { access: adminReads },
    schema: {
      operationId: 'getUser',
      summary: 'Read one user',
      description: 'For admins. The ETag is the user\'s revision.',
      tags: ['account'],
      params: UserParams,
      response: { 200: User }
    }
  }, async ({ principal, params }, reply) => {
    const user = await findUser(app.db, principal.workspace_id, params.user_id)
    if (!user) throw NotFound()
    reply.header('etag', etag(user.revision))
    return user
  })

  app.patch('/users/:user_id', {
    config: { access: adminWrites, errors: [LastAdmin, StaleRevision] },
    schema: {
      operationId: 'updateUser',
      summary: 'Change a user',
      description: 'For admins: name, role, status; role and status not through an API token with scopes. Disabling ' +
        'ends the user\'s sessions and links and refuses their tokens at once; enabled again, tokens that were not ' +
        'revoked work again. The last active admin stays one.',
      tags: ['account'],
      params: UserParams,
      headers: IfMatch,
      body: UpdateUser,
      response: { 200: User }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    requireMayChange(principal, body)
    const revisions = readIfMatch(headers['if-match'])
    const user = await changeUser(app.db, principal.workspace_id, params.user_id, body, revisions)
    // ADMIN_TOKEN acts for the first active admin, who may be another one now.
    if (principal.workspace_id === app.home.workspace_id) {
      Object.assign(app.home, await findOrCreateWorkspace(app.db))
    }
    reply.header('etag', etag(user.revision))
    return user
  })

  app.post('/users', {
    config: { encrypted: true, access: adminWrites, refuses, errors: [EmailTaken] },
    schema: {
      operationId: 'createUser',
      summary: 'Invite a user',
      description: 'For admins, not through an API token with scopes: makes a user, and a link, shown once, that ' +
        'signs the user in once within 7 days.',
      tags: ['account'],
      body: CreateUser,
      response: { 201: Invitation }
    }
  }, async ({ principal, body }, reply) => {
    const invitation = await invite(app.db, principal, body, app.workspaces.originOf(principal.workspace_id),
      issueToken(app, 'link', principal.workspace_id))
    reply.code(201).header('cache-control', 'no-store').header('location', `/account/users/${invitation.user.id}`)
    return invitation
  })

  app.post('/users/:user_id/link', {
    config: { encrypted: true, access: adminWrites, refuses, errors: [UserDisabled, UserCanSignIn] },
    schema: {
      operationId: 'createUserLink',
      summary: 'Make a new sign-in link for a user',
      description: 'For admins, not through an API token with scopes: a link, shown once, that signs the user in ' +
        'once within 7 days. Older links of the user stop working. None for another person who is signed in, or has ' +
        'a passkey or a connected identity; what is approved in a session that began by it does not count beside ' +
        'whoever made it.',
      tags: ['account'],
      params: UserParams,
      response: { 201: Link }
    }
  }, async ({ principal, params }, reply) => {
    const link = await renewLink(app.db, principal, params.user_id,
      app.workspaces.originOf(principal.workspace_id), issueToken(app, 'link', principal.workspace_id))
    reply.code(201).header('cache-control', 'no-store')
    return link
  })
}

export default users
