import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listGroupsOf } from '../../db/account/groups.js'
import { findUser } from '../../db/account/users.js'
import { findWorkspace } from '../../db/account/workspace.js'
import type { Scope } from '../../schemas/account/scopes.js'
import { Me, UpdateMe } from '../../schemas/account/me.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { User } from '../../schemas/account/users.js'
import { NotFound } from '../../schemas/errors.js'
import { toScope, changeUser } from './lib/people/change-user.js'

const me: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/me', {
    config: { access: { scope: 'account:read', role: 'none' }, errors: [NotFound] },
    schema: {
      operationId: 'getMe',
      summary: 'Who am I?',
      description: 'The user, the workspace, what the request came through, its scopes, and what the user may do: ' +
        'the role in the workspace, more on parts of it, and the groups. Answered whatever the role is.',
      tags: ['account'],
      response: { 200: Me }
    }
  }, async ({ principal }, reply) => {
    const user = await findUser(app.db, principal.workspace_id, principal.user_id)
    if (!user) throw NotFound()
    reply.header('etag', etag(user.revision))
    // A token's scopes were checked against the list when it was made.
    const scopes = principal.scopes as Scope[] | null
    const { workspace_id, user_id, via, assistant = false, role, bindings } = principal
    const [found, groups] = await Promise.all(
      [findWorkspace(app.db, workspace_id), listGroupsOf(app.db, workspace_id, user_id)])
    const rights = (bindings ?? []).map((bound) => ({ role: bound.role, scope: toScope(bound) }))
    return { user, workspace: found, via, assistant, scopes, role, rights, groups }
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
