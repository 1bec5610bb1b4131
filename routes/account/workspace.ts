import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findWorkspace, updateWorkspace } from '../../db/account/workspace.js'
import { etag, explainMiss, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { UpdateWorkspace, Workspace } from '../../schemas/account/workspace.js'

const workspace: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/workspace', {
    config: { access: { scope: 'account:read', role: 'viewer', on: 'anywhere' } },
    schema: {
      operationId: 'getWorkspace',
      summary: 'Read the workspace',
      description: 'The workspace that everything you see belongs to. The ETag is its revision.',
      tags: ['account'],
      response: { 200: Workspace }
    }
  }, async ({ principal }, reply) => {
    const found = await findWorkspace(app.db, principal.workspace_id)
    reply.header('etag', etag(found.revision))
    return found
  })

  app.patch('/workspace', {
    config: { access: { scope: 'account:write', role: 'admin' }, errors: [StaleRevision] },
    schema: {
      operationId: 'updateWorkspace',
      summary: 'Rename the workspace',
      description: 'For admins. With If-Match only if that revision is current.',
      tags: ['account'],
      headers: IfMatch,
      body: UpdateWorkspace,
      response: { 200: Workspace }
    }
  }, async ({ principal, headers, body }, reply) => {
    const changed = await updateWorkspace(app.db, principal.workspace_id, body, readIfMatch(headers['if-match']))
    if (!changed) throw explainMiss(await findWorkspace(app.db, principal.workspace_id))
    reply.header('etag', etag(changed.revision))
    return changed
  })
}

export default workspace
