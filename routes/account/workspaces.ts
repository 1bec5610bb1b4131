import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { findWorkspaceById, listWorkspaces } from '../../db/account/workspaces.js'
import { requireModel } from '../../lib/llm/require-model.js'
import { paginateById } from '../../lib/http/paginate.js'
import { originAt } from '../../lib/http/addresses.js'
import type { Access } from '../../lib/security/principal.js'
import { issueToken } from '../../lib/security/tokens.js'
import { Invitation } from '../../schemas/account/users.js'
import {
  AdministeredWorkspace, CreatedWorkspace, CreateWorkspace, CreateWorkspaceAdmin, ListWorkspaces, UpdateWorkspaceById,
  WorkspacePage, WorkspaceParams
} from '../../schemas/account/workspaces.js'
import { InvalidCursor, NotFound } from '../../schemas/errors.js'
import { ModelNotListed, ModelPriceUnknown } from '../../schemas/model-budget.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { EmailTaken, HostTaken, LimitAboveInstallation } from './lib/errors.js'
import {
  ownHost, requestOf, type Bounds, changeWorkspace, createWorkspace, createWorkspaceAdmin, showWorkspace, type Invites
} from './lib/workspaces/workspaces.js'

const reads: Access = { scope: 'account:read', role: 'admin' }
const writes: Access = { scope: 'account:write', role: 'admin' }
const refuses = { insufficient_scope: 'a link signs in without a limit of scopes, so a token with scopes makes none' }

const invitesOf = (app: FastifyInstance): Invites => ({
  originOf: (hosts) => originAt(app, hosts),
  tokenFor: (workspaceId) => issueToken(app, 'link', workspaceId)
})

const boundsOf = ({ config, llm, secrets }: FastifyInstance, own: string | undefined): Bounds => ({
  own,
  limits: config.limits,
  requireModel: (model) => requireModel(llm.installed, model, '/settings/model'),
  encrypt: (context, plain) => secrets.encrypt(context, plain)
})

/** The workspaces of the installation: for its admins, who are those of the first workspace. */
const workspaces: FastifyPluginAsyncTypebox = async (app) => {
  const invites = invitesOf(app)
  app.addHook('onRequest', async ({ principal }) => {
    if (principal.workspace_id !== app.home.workspace_id) throw NotFound()
  })

  app.get('/workspaces', {
    config: { access: reads, errors: [InvalidCursor, NotFound] },
    schema: {
      operationId: 'listWorkspaces',
      summary: 'List the workspaces of the installation',
      description: 'For admins of the installation, who are the admins of its first workspace: newest first.',
      tags: ['account'],
      querystring: ListWorkspaces,
      response: { 200: WorkspacePage }
    }
  }, ({ principal, query }) => paginateById(app, { principal, list: 'workspaces', query },
    async (slice) => (await listWorkspaces(app.db, slice)).map(showWorkspace)))

  app.post('/workspaces', {
    config: { encrypted: true, access: writes, refuses, errors: [NotFound, HostTaken] },
    schema: {
      operationId: 'createWorkspace',
      summary: 'Make a workspace',
      description: 'For admins of the installation: makes a workspace that holds nothing. With `admin`, and not ' +
        'through an API token with scopes, also its first admin, and a link, shown once, that signs them in once ' +
        'within 7 days.',
      tags: ['account'],
      body: CreateWorkspace,
      response: { 201: CreatedWorkspace }
    }
  }, async (request, reply) => {
    const created = await createWorkspace(app.db, request.body, requestOf(request), ownHost(app), invites)
    app.workspaces.forget()
    const { id, revision } = created.workspace
    reply.code(201).header('cache-control', 'no-store').header('etag', etag(revision))
      .header('location', `/account/workspaces/${id}`)
    return created
  })

  app.get('/workspaces/:workspace_id', {
    config: { access: reads },
    schema: {
      operationId: 'getWorkspaceById',
      summary: 'Read a workspace of the installation',
      description: 'For admins of the installation. The ETag is the workspace\'s revision.',
      tags: ['account'],
      params: WorkspaceParams,
      response: { 200: AdministeredWorkspace }
    }
  }, async ({ params }, reply) => {
    const found = await findWorkspaceById(app.db, params.workspace_id)
    if (!found) throw NotFound()
    reply.header('etag', etag(found.revision))
    return showWorkspace(found)
  })

  app.patch('/workspaces/:workspace_id', {
    config: {
      access: writes,
      errors: [StaleRevision, HostTaken, LimitAboveInstallation, ModelPriceUnknown, ModelNotListed]
    },
    schema: {
      operationId: 'updateWorkspaceById',
      summary: 'Change a workspace of the installation',
      description: 'For admins of the installation: its name, all its host names, and those settings that are named. ' +
        'At a host name, only the credentials of its workspace are taken. With If-Match only if that revision is ' +
        'current.',
      tags: ['account'],
      params: WorkspaceParams,
      headers: IfMatch,
      body: UpdateWorkspaceById,
      response: { 200: AdministeredWorkspace }
    }
  }, async ({ params: { workspace_id: id }, headers, body }, reply) => {
    const own = id === app.home.workspace_id ? undefined : ownHost(app)
    const bounds = boundsOf(app, own)
    const changed = await changeWorkspace(app.db, id, body, bounds, readIfMatch(headers['if-match']))
    app.workspaces.forget()
    reply.header('etag', etag(changed.revision))
    return changed
  })

  app.post('/workspaces/:workspace_id/admins', {
    config: { encrypted: true, access: writes, refuses, errors: [EmailTaken] },
    schema: {
      operationId: 'createWorkspaceAdmin',
      summary: 'Make an admin of a workspace',
      description: 'For admins of the installation, not through an API token with scopes: makes an admin in the ' +
        'workspace, whose audit shows it, and a link, shown once, that signs them in once within 7 days.',
      tags: ['account'],
      params: WorkspaceParams,
      body: CreateWorkspaceAdmin,
      response: { 201: Invitation }
    }
  }, async (request, reply) => {
    const { params: { workspace_id: id }, body } = request
    const { user, link } = await createWorkspaceAdmin(app.db, id, body, requestOf(request), invites)
    reply.code(201).header('cache-control', 'no-store')
    return { user, link }
  })
}

export default workspaces
