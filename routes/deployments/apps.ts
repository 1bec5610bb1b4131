import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { listApps } from '../../db/deployments/apps.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { App, AppPage, AppParams, CreateApp, ListApps, UpdateApp } from '../../schemas/deployments/apps.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { createAppTool, deleteAppTool, updateAppTool } from './lib/app-tools.js'
import { changeApp, createApp, readApp, removeApp } from './lib/change-app.js'
import { describeApp } from './lib/describe-app.js'
import {
  AmbiguousIdentifier, AppBusy, AppNameTaken, awsErrors, ContainerUnknown, TargetNotFound, TargetUnsupported
} from './lib/errors.js'

const reads: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/apps', {
    config: { tool: 'read', errors: [InvalidCursor] },
    schema: {
      operationId: 'listApps',
      summary: 'List applications',
      description: 'The applications that can be deployed, newest first: where each runs, how its builds went.',
      tags: ['deployments'],
      querystring: ListApps,
      response: { 200: AppPage }
    }
  }, async ({ principal, query: { limit, cursor } }) => {
    const key = cursor === undefined ? [] : app.cursors.open(principal, 'apps', null, cursor)
    const slice = { limit: limit + 1, ...(key[0] && { before: String(key[0]) }) }
    const rows = await listApps(app.db, principal.workspace_id, slice)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map(describeApp),
      next_cursor: last ? app.cursors.seal(principal, 'apps', null, [last.id]) : null
    }
  })

  app.get('/apps/:app_id', {
    config: { tool: 'read' },
    schema: {
      operationId: 'getApp',
      summary: 'Read one application',
      description: 'One application. The ETag is its revision.',
      tags: ['deployments'],
      params: AppParams,
      response: { 200: App }
    }
  }, async ({ principal, params }, reply) => {
    const found = describeApp(await readApp(app, principal.workspace_id, params.app_id))
    reply.header('etag', etag(found.revision))
    return found
  })
}

const targetErrors =
  [...awsErrors, TargetNotFound, TargetUnsupported, ContainerUnknown, AmbiguousIdentifier, AppNameTaken]

const writes: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/apps', {
    config: { tool: createAppTool, errors: targetErrors },
    schema: {
      operationId: 'createApp',
      summary: 'Add an application',
      description: 'Says what is deployed where: the repository, the service or function that runs it, and how the ' +
        'image of a commit is called. The target is read as the caller, and must exist. Builds nothing yet.',
      tags: ['deployments'],
      body: CreateApp,
      response: { 201: App }
    }
  }, async ({ principal, body }, reply) => {
    const made = await createApp(app, principal, body)
    reply.code(201).header('etag', etag(made.revision)).header('location', `/deployments/apps/${made.id}`)
    return made
  })

  app.patch('/apps/:app_id', {
    config: { tool: updateAppTool, errors: [...targetErrors, StaleRevision] },
    schema: {
      operationId: 'updateApp',
      summary: 'Change an application',
      description: 'Changes what is sent; source, target and auto_deploy each as a whole. Builds that wait or run ' +
        'keep what they began with. With If-Match only if that revision is current.',
      tags: ['deployments'],
      params: AppParams,
      headers: IfMatch,
      body: UpdateApp,
      response: { 200: App }
    }
  }, async ({ principal, params, headers, body }, reply) => {
    const changed = await changeApp(app, principal, params.app_id, body, readIfMatch(headers['if-match']))
    reply.header('etag', etag(changed.revision))
    return changed
  })
}

const removal: FastifyPluginAsyncTypebox = async (app) => {
  app.delete('/apps/:app_id', {
    config: { tool: deleteAppTool, errors: [AppBusy, StaleRevision] },
    schema: {
      operationId: 'deleteApp',
      summary: 'Delete an application',
      description: 'Deletes the application and the record of its builds; what runs goes on running. Refused while a ' +
        'build is queued or runs.',
      tags: ['deployments'],
      params: AppParams,
      headers: IfMatch,
      response: { 204: Type.Null({ description: 'It is gone' }) }
    }
  }, async ({ principal, params, headers }, reply) => {
    await removeApp(app, principal.workspace_id, params.app_id, readIfMatch(headers['if-match']))
    return reply.code(204).send(null)
  })
}

const apps: FastifyPluginAsyncTypebox = async (app) => {
  for (const part of [reads, writes, removal]) await app.register(part)
}

export default apps
