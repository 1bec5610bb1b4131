import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listBindings } from '../../db/account/groups.js'
import { paginateById } from '../../lib/http/paginate.js'
import type { Access } from '../../lib/security/principal.js'
import {
  Binding, BindingPage, BindingParams, CreateBinding, ListBindings, UpdateBinding
} from '../../schemas/account/bindings.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { addBinding, changeBinding, describeBinding, readBinding, removeBinding } from './lib/people/change-user.js'
import { BindingExists, BoundToNothing, SubjectUnknown } from './lib/errors.js'

const adminReads: Access = { scope: 'account:read', role: 'admin' }
const adminWrites: Access = { scope: 'account:write', role: 'admin' }
const refuses = { insufficient_scope: 'a binding gives rights without a limit of scopes, so a scoped token makes none' }

/** None of the writes is a tool: rights are changed by people. */
const bindings: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/bindings', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see who has which role on which project, cloud account or environment.',
        gives: 'the bindings, newest first, each with role, person or group, and scope.',
        keywords: 'rights roles permissions bindings who may access approver operator viewer'
      },
      access: adminReads,
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listBindings',
      summary: 'List bindings',
      description: 'For admins: the roles of people and groups on parts of the workspace, newest first.',
      tags: ['account'],
      querystring: ListBindings,
      response: { 200: BindingPage }
    }
  }, async ({ principal, query }) => {
    const { limit, cursor, ...filter } = query
    const page = await paginateById(app, { principal, list: 'bindings', filter, query },
      (slice) => listBindings(app.db, principal.workspace_id, filter, slice))
    return { ...page, items: page.items.map(describeBinding) }
  })

  app.get('/bindings/:binding_id', {
    config: { access: adminReads },
    schema: {
      operationId: 'getBinding',
      summary: 'Read one binding',
      description: 'For admins.',
      tags: ['account'],
      params: BindingParams,
      response: { 200: Binding }
    }
  }, ({ principal, params }) => readBinding(app.db, principal.workspace_id, params.binding_id))

  app.post('/bindings', {
    config: { access: adminWrites, refuses, errors: [SubjectUnknown, BoundToNothing, BindingExists] },
    schema: {
      operationId: 'createBinding',
      summary: 'Give a role on a part of the workspace',
      description: 'For admins, not through an API token with scopes. Bindings only add: what a person may do on ' +
        'something is the highest of their role in the workspace and of the bindings that cover it. It holds from ' +
        'their next request on.',
      tags: ['account'],
      body: CreateBinding,
      response: { 201: Binding }
    }
  }, async ({ principal, body }, reply) => {
    const binding = await addBinding(app.db, principal, body)
    reply.code(201).header('location', `/account/bindings/${binding.id}`)
    return binding
  })

  app.patch('/bindings/:binding_id', {
    config: { access: adminWrites, refuses },
    schema: {
      operationId: 'updateBinding',
      summary: 'Change the role of a binding',
      description: 'For admins, not through an API token with scopes.',
      tags: ['account'],
      params: BindingParams,
      body: UpdateBinding,
      response: { 200: Binding }
    }
  }, ({ principal, params, body }) => changeBinding(app.db, principal, params.binding_id, body))

  app.delete('/bindings/:binding_id', {
    config: { access: adminWrites, refuses },
    schema: {
      operationId: 'deleteBinding',
      summary: 'Take a role away',
      description: 'For admins, not through an API token with scopes. It is gone from the next request on; what ' +
        'waits or runs is checked with the rights of then.',
      tags: ['account'],
      params: BindingParams,
      response: { 204: Type.Null({ description: 'Deleted' }) }
    }
  }, async ({ principal, params }, reply) => {
    await removeBinding(app.db, principal, params.binding_id)
    return reply.code(204).send(null)
  })
}

export default bindings
