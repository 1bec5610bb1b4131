import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listGroups } from '../../db/account/groups.js'
import { paginateById } from '../../lib/http/paginate.js'
import type { Access } from '../../lib/security/principal.js'
import { CreateGroup, Group, GroupPage, GroupParams, ListGroups, UpdateGroup } from '../../schemas/account/bindings.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { addGroup, changeGroup, readGroup, removeGroup } from './lib/people/change-user.js'
import { GroupNameTaken, SubjectUnknown } from './lib/errors.js'

const adminReads: Access = { scope: 'account:read', role: 'admin' }
const adminWrites: Access = { scope: 'account:write', role: 'admin' }
const refuses = { insufficient_scope: 'a group gives rights without a limit of scopes, so a scoped token changes none' }

/** None of the writes is a tool: rights are changed by people. */
const groups: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/groups', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see the groups of people of the workspace, and who is in them.',
        gives: 'the groups, newest first, with id, name and members.',
        keywords: 'groups teams people members who belongs rights'
      },
      access: adminReads,
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listGroups',
      summary: 'List groups',
      description: 'For admins: the groups of people to whom roles are bound, newest first, with their members.',
      tags: ['account'],
      querystring: ListGroups,
      response: { 200: GroupPage }
    }
  }, ({ principal, query }) => paginateById(app, { principal, list: 'groups', query },
    (slice) => listGroups(app.db, principal.workspace_id, slice)))

  app.get('/groups/:group_id', {
    config: { access: adminReads },
    schema: {
      operationId: 'getGroup',
      summary: 'Read one group',
      description: 'For admins. The ETag is the group\'s revision.',
      tags: ['account'],
      params: GroupParams,
      response: { 200: Group }
    }
  }, async ({ principal, params }, reply) => {
    const group = await readGroup(app.db, principal.workspace_id, params.group_id)
    reply.header('etag', etag(group.revision))
    return group
  })

  app.post('/groups', {
    config: { access: adminWrites, refuses, errors: [GroupNameTaken, SubjectUnknown] },
    schema: {
      operationId: 'createGroup',
      summary: 'Make a group',
      description: 'For admins, not through an API token with scopes. Its name is unique, in any case.',
      tags: ['account'],
      body: CreateGroup,
      response: { 201: Group }
    }
  }, async ({ principal, body }, reply) => {
    const group = await addGroup(app.db, principal, body)
    reply.code(201).header('etag', etag(group.revision)).header('location', `/account/groups/${group.id}`)
    return group
  })

  app.patch('/groups/:group_id', {
    config: { access: adminWrites, refuses, errors: [GroupNameTaken, SubjectUnknown, StaleRevision] },
    schema: {
      operationId: 'updateGroup',
      summary: 'Change a group',
      description: 'For admins, not through an API token with scopes: the name, the members, or both. Who is taken ' +
        'out loses the roles of the group at once. With If-Match only if that revision is current.',
      tags: ['account'],
      params: GroupParams,
      headers: IfMatch,
      body: UpdateGroup,
      response: { 200: Group }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const revisions = readIfMatch(headers['if-match'])
    const group = await changeGroup(app.db, principal, params.group_id, body, revisions)
    reply.header('etag', etag(group.revision))
    return group
  })

  app.delete('/groups/:group_id', {
    config: { access: adminWrites, refuses },
    schema: {
      operationId: 'deleteGroup',
      summary: 'Delete a group',
      description: 'For admins, not through an API token with scopes. What is bound to the group goes with it.',
      tags: ['account'],
      params: GroupParams,
      response: { 204: Type.Null({ description: 'Deleted' }) }
    }
  }, async ({ principal, params }, reply) => {
    await removeGroup(app.db, principal, params.group_id)
    return reply.code(204).send(null)
  })
}

export default groups
