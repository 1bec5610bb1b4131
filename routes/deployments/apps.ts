import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { visible } from '../../lib/access/require-access.js'
import { paginateById } from '../../lib/http/paginate.js'
import { listApps } from '../../db/deployments/apps.js'
import { etag, IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { App, AppPage, AppParams, CreateApp, ListApps, UpdateApp } from '../../schemas/deployments/apps.js'
import { InvalidCursor, NotOwner } from '../../schemas/errors.js'
import { createAppTool, deleteAppTool, updateAppTool } from './lib/apps/app-tools.js'
import {
  bringBackApp, changeApp, createApp, readApp, removeApp, describeApp, describeApps
} from './lib/apps/change-app.js'
import {
  AmbiguousIdentifier, AppBusy, AppNameTaken, awsErrors, ContainerUnknown, TargetNotFound, TargetUnsupported
} from './lib/errors.js'
import { deploymentFields } from './lib/field-words.js'

const refuses = { insufficient_scope: 'the service that the app names is looked up by its own operation' }
const targetErrors =
  [...awsErrors, TargetNotFound, TargetUnsupported, ContainerUnknown, AmbiguousIdentifier, AppNameTaken]

const apps: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/apps', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: false,
        use: 'Use this to see which applications can be deployed, or to find the id of one.',
        gives: 'the applications with where each runs and how its last builds went.',
        keywords: 'applications apps deployable',
        fields: deploymentFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listApps',
      summary: 'List applications',
      description: 'The applications that can be deployed, newest first: where each runs, how its builds went.',
      tags: ['deployments'],
      querystring: ListApps,
      response: { 200: AppPage }
    }
  }, async ({ principal, query }) => {
    const page = await paginateById(app, { principal, list: 'apps', query },
      (slice) => listApps(app.db, principal.workspace_id, visible(principal), slice))
    return { ...page, items: await describeApps(app.db, principal.workspace_id, page.items) }
  })

  app.get('/apps/:app_id', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see how one application is set up: repository, target, image, automatic deployment.',
        gives: 'the application with its revision and its last builds.',
        keywords: 'application app settings source repository branch target auto deploy configuration',
        fields: deploymentFields
      }
    },
    schema: {
      operationId: 'getApp',
      summary: 'Read one application',
      description: 'One application. The ETag is its revision.',
      tags: ['deployments'],
      params: AppParams,
      response: { 200: App }
    }
  }, async ({ principal, params }, reply) => {
    const found = await describeApp(app.db, await readApp(app, principal.workspace_id, params.app_id))
    reply.header('etag', etag(found.revision))
    return found
  })

  app.post('/apps', {
    config: {
      tool: createAppTool,
      words: {
        foreign: false,
        use: 'Use this to set up an application: which repository is deployed to which service or function. It ' +
          'builds nothing yet.',
        gives: 'the new application with its id.',
        keywords: 'add register set up new application app repository',
        fields: deploymentFields
      },
      refuses,
      checksAccess: 'the target may be a name: its account is known when it has been found',
      errors: targetErrors
    },
    schema: {
      operationId: 'createApp',
      summary: 'Add an application',
      description: 'Says what is deployed where: the repository, the service or function that runs it, and how the ' +
        'image of a commit is called. The target is read as the caller, and must exist. Builds nothing yet. With ' +
        'auto_deploy, pushes are built with the rights of the caller, who must be allowed to deploy.',
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
    config: {
      tool: updateAppTool,
      words: {
        foreign: false,
        use: 'Use this to change an application: its name, repository, target, image or automatic deployment.',
        gives: 'the application as it is after the change.',
        keywords: 'automatically on push pushes change edit application app settings auto deploy automatic ' +
          'deployment branch source',
        fields: deploymentFields
      },
      errors: [...targetErrors, StaleRevision]
    },
    schema: {
      operationId: 'updateApp',
      summary: 'Change an application',
      description: 'Changes what is sent; source, target and auto_deploy each as a whole. Builds that wait or run ' +
        'keep what they began with. While auto_deploy is on, who changes source, target, image or auto_deploy must ' +
        'be allowed to deploy: pushes are built with their rights from then on. With If-Match only if that ' +
        'revision is current.',
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

  app.delete('/apps/:app_id', {
    config: {
      tool: deleteAppTool,
      words: {
        foreign: false,
        use: 'Use this to take an application out of Steward. What runs goes on running, and for 30 days it can ' +
          'be brought back.',
        gives: 'nothing but that it is done.',
        keywords: 'delete remove application app',
        fields: deploymentFields
      },
      errors: [AppBusy, StaleRevision, NotOwner]
    },
    schema: {
      operationId: 'deleteApp',
      summary: 'Delete an application',
      description: 'Takes the application and the record of its builds out of sight; what runs goes on running. For ' +
        '30 days it can be brought back, then it is gone. Refused while a build is queued or runs. Members delete ' +
        'their own, admins any.',
      tags: ['deployments'],
      params: AppParams,
      headers: IfMatch,
      response: { 204: Type.Null({ description: 'It is deleted' }) }
    }
  }, async ({ principal, params, headers }, reply) => {
    await removeApp(app, principal, params.app_id, readIfMatch(headers['if-match']))
    return reply.code(204).send(null)
  })

  app.post('/apps/:app_id/undelete', {
    config: { errors: [AppNameTaken, NotOwner] },
    schema: {
      operationId: 'undeleteApp',
      summary: 'Bring a deleted application back',
      description: 'Within 30 days, with its builds, if no other application took its name and its cloud account is ' +
        'still there. Members bring back their own, admins any.',
      tags: ['deployments'],
      params: AppParams,
      response: { 200: App }
    }
  }, async ({ principal, params }, reply) => {
    const found = await bringBackApp(app, principal, params.app_id)
    reply.header('etag', etag(found.revision))
    return found
  })
}

export default apps
