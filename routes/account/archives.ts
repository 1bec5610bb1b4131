import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../../lib/security/principal.js'
import {
  ArchiveHeaders, ArchiveLines, archiveType, DeleteWorkspace, ImportedWorkspace, WorkspaceParams
} from '../../schemas/account/workspaces.js'
import { NotFound, UnsupportedMediaType } from '../../schemas/errors.js'
import { deleteWorkspace } from './lib/workspaces/delete-workspace.js'
import {
  ArchiveDamaged, ArchiveNewer, ArchivePassphrase, FirstWorkspace, ObjectStoreFailed, OtherName, WorkspaceExists
} from './lib/errors.js'
import { exportWorkspace } from './lib/workspaces/export-workspace.js'
import { importWorkspace } from './lib/workspaces/import-workspace.js'
import { ownHost, requestOf } from './lib/workspaces/workspaces.js'

const writes: Access = { scope: 'account:write', role: 'admin' }

const refuses = { insufficient_scope: 'it takes or gives more than any scope: everything of another workspace' }

/** Such a request may take long to arrive and to be answered: neither its socket nor its body is cut for that. */
const takeTime = ({ server }: FastifyInstance) => {
  const { requestTimeout } = server
  let underWay = 0
  return async <T>({ raw: { socket } }: FastifyRequest, work: () => Promise<T>): Promise<T> => {
    underWay++
    // The server has one for all bodies; other sockets that are idle are cut as ever.
    server.requestTimeout = 0
    const { timeout = 0 } = socket
    // A call within the process has none.
    if (socket instanceof Socket) socket.setTimeout(0)
    try {
      return await work()
    } finally {
      if (--underWay === 0) server.requestTimeout = requestTimeout
      if (socket instanceof Socket) socket.setTimeout(timeout)
    }
  }
}

/** Workspaces as archives, for admins of the installation: from here, to here, and gone from here. */
const archives: FastifyPluginAsyncTypebox = async (app) => {
  const unhurried = takeTime(app)
  app.addHook('onRequest', async ({ principal }) => {
    if (principal.workspace_id !== app.home.workspace_id) throw NotFound()
  })

  app.post('/workspaces/:workspace_id/archive', {
    config: {
      idempotency: false,
      access: writes,
      refuses,
      errors: [ObjectStoreFailed]
    },
    schema: {
      operationId: 'exportWorkspace',
      summary: 'Read everything of a workspace as one archive',
      description: 'For admins of the installation, not through an API token with scopes. The archive is of one ' +
        'moment, and importWorkspace takes it at another installation. Secrets are encrypted with the passphrase, ' +
        'and left out without one. The workspace\'s audit shows it.',
      tags: ['account'],
      params: WorkspaceParams,
      headers: ArchiveHeaders,
      response: { 200: { description: 'The archive', content: { [archiveType]: { schema: ArchiveLines } } } }
    }
  }, async (request, reply) => {
    const { params: { workspace_id: id }, headers } = request
    const spool = await unhurried(request, () =>
      exportWorkspace(app, id, headers['archive-passphrase'], requestOf(request)))
    return reply.type(archiveType).header('cache-control', 'no-store')
      .header('content-length', await spool.size())
      .header('content-disposition', `attachment; filename="${id}.steward-archive"`)
      .send(spool.read(true))
  })

  app.addContentTypeParser(archiveType, (_request, body, done) => { done(null, body) })

  app.post('/workspaces/import', {
    config: {
      idempotency: false,
      access: writes,
      refuses,
      errors: [NotFound, WorkspaceExists, ArchiveNewer, ArchiveDamaged, ArchivePassphrase],
      bodies: { [archiveType]: ArchiveLines }
    },
    schema: {
      operationId: 'importWorkspace',
      summary: 'Make a workspace of an archive',
      description: 'For admins of the installation, not through an API token with scopes. The workspace has the ids ' +
        'that it had; all of the archive is imported, or nothing. It lets nobody in: tokens, sessions and links end, ' +
        'and cloud accounts are to be tested again, roles with a new external id. Work that was under way ends: it may ' +
        'go on where the archive comes from.',
      tags: ['account'],
      headers: ArchiveHeaders,
      response: { 201: ImportedWorkspace }
    }
  }, async (request, reply) => {
    const { principal, headers, body } = request
    // Only the parser above makes a stream of a body.
    if (!(body instanceof Readable)) throw UnsupportedMediaType(`The body must be ${archiveType}`)
    const imported = await unhurried(request, () =>
      importWorkspace(app, principal, body, headers['archive-passphrase'], ownHost(app)))
    app.workspaces.forget()
    reply.code(201).header('location', `/account/workspaces/${imported.workspace.id}`)
    return imported
  })

  app.delete('/workspaces/:workspace_id', {
    config: { access: writes, refuses, errors: [FirstWorkspace, OtherName] },
    schema: {
      operationId: 'deleteWorkspace',
      summary: 'Delete a workspace with everything in it',
      description: 'For admins of the installation, not through an API token with scopes. Its tokens and sessions ' +
        'end at once, its work stops, and no row of it is left; the first workspace stays. `name` repeats its name. ' +
        'What is at providers, such as what was published or deployed, stays there.',
      tags: ['account'],
      params: WorkspaceParams,
      querystring: DeleteWorkspace,
      response: { 204: Type.Null({ description: 'It is gone' }) }
    }
  }, async (request, reply) => {
    const { principal, params, query } = request
    await unhurried(request, () => deleteWorkspace(app, principal, params.workspace_id, query.name))
    app.workspaces.forget()
    return reply.code(204).send(null)
  })
}

export default archives
