import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findUser } from '../../db/account/users.js'
import { findWorkspace } from '../../db/account/workspace.js'
import type { Scope } from '../../schemas/account/scopes.js'
import { Me, UpdateMe } from '../../schemas/account/me.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { User } from '../../schemas/account/users.js'
import { NotFound } from '../../schemas/errors.js'
import { changeUser } from './lib/change-user.js'

const me: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/me', {
    config: { errors: [NotFound] },
    schema: {
      operationId: 'getMe',
      summary: 'Who am I?',
      description: 'The user, the workspace, what the request came through, and its scopes.',
      tags: ['account'],
      response: { 200: Me }
    }
  }, async ({ principal }, reply) => {
    const user = await findUser(app.db, principal.workspace_id, principal.user_id)
    if (!user) throw NotFound()
    reply.header('etag', etag(user.revision))
    // A token's scopes were checked against the list when it was made.
    const scopes = principal.scopes as Scope[] | null
    return { user, workspace: await findWorkspace(app.db, principal.workspace_id), via: principal.via, scopes }
  })

  app.patch('/me', {
    config: { access: { scope: 'account:write', role: 'viewer' }, errors: [NotFound, StaleRevision] },
    schema: {
      operationId: 'updateMe',
      summary: 'Change your name',
      description: 'Changes your own name. With If-Match only if that revision of the user is current.',
      tags: ['account'],
      headers: IfMatch,
      body: UpdateMe,
      response: { 200: User }
    }
  }, async ({ principal, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const user = await changeUser(app.db, principal.workspace_id, principal.user_id, body, revisions)
    reply.header('etag', etag(user.revision))
    return user
  })
}

export default me
