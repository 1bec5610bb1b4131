import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { paginateJson, sendJson } from '../../lib/http/paginate.js'
import { listBuilds } from '../../db/deployments/builds.js'
import { type Principal, actorOf } from '../../lib/security/principal.js'
import { AppParams } from '../../schemas/deployments/apps.js'
import {
  Build, BuildPage, BuildParams, BuildPreview, DeployApp, ListBuilds, PreviewQuery, RollbackBuild, StartedBuild
} from '../../schemas/deployments/builds.js'
import { BuildEvent, BuildLog, FollowHeaders, LogQuery } from '../../schemas/deployments/logs.js'
import { IfMatch, readIfMatch, StaleRevision } from '../../schemas/revisions.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { cancelBuildTool, deployAppTool, rollbackBuildTool } from './lib/builds/build-tools.js'
import { positionOf } from '../../lib/streams/follow.js'
import { cancelBuild, describeBuild, followBuild, isCaughtUp, readBuild, readLog } from './lib/builds/cancel-build.js'
import { readApp } from './lib/apps/change-app.js'
import {
  AccountNotFound, AccountReadOnly, awsErrors, BuilderUnsupported, BuildFinished, BuildNotDeployable, ImageMissing, QueueFull,
  RegistryDenied
} from './lib/errors.js'
import { previewBuild } from './lib/builds/preview-build.js'
import { startBuild, type Input } from './lib/builds/start-build.js'
import { deploymentFields } from './lib/field-words.js'

interface Started { principal: Principal, headers: Static<typeof IfMatch> }

const logAnswers = {
  200: {
    description: 'A page, or with Accept: text/event-stream what happens, as it happens, until `end`',
    content: { 'application/json': { schema: BuildLog }, 'text/event-stream': { schema: BuildEvent } }
  },
  204: { type: 'null', description: 'The build has ended, and the id of Last-Event-ID was its last' }
}

const startErrors = [AccountReadOnly, StaleRevision, BuildNotDeployable, ImageMissing, QueueFull]

const builds: FastifyPluginAsyncTypebox = async (app) => {
  const start = async ({ principal, headers }: Started, appId: string, input: Input, reply: FastifyReply) => {
    const revisions = readIfMatch(headers['if-match'])
    const { row, deduplicated } =
      await startBuild(app, principal.workspace_id, appId, actorOf(principal), input, revisions)
    reply.code(deduplicated ? 200 : 202).header('location', `/deployments/apps/${appId}/builds/${row.id}`)
    return { ...describeBuild(row), deduplicated }
  }

  app.post('/apps/:app_id/deploy', {
    config: {
      emptyBody: { force: false },
      tool: deployAppTool,
      words: {
        core: true,
        foreign: false,
        use: 'Use this to build and deploy an application from a commit, a branch or an image. Without any of ' +
          'them the default branch is deployed.',
        gives: 'the build that began; follow it with getBuild and getBuildLogs.',
        keywords: 'deploy ship release application app branch commit start a build latest newest code release ' +
          'version website',
        fields: deploymentFields
      },
      errors: startErrors
    },
    schema: {
      operationId: 'deployApp',
      summary: 'Deploy an application',
      description: 'Starts a build: finds the commit, has its image made by the app\'s builder (without one, takes the ' +
        'image that is named or that the template makes), deploys it and verifies what runs. ' +
        'One build of an app runs at a time, others wait. Answers 202 at ' +
        'once, or 200 with `deduplicated: true` when the same commit is queued or running already. An empty body ' +
        'deploys the default branch. With If-Match only if the app is still at that revision.',
      tags: ['deployments'],
      params: AppParams,
      headers: IfMatch,
      body: DeployApp,
      response: { 200: StartedBuild, 202: StartedBuild }
    }
  }, (request, reply) => start(request, request.params.app_id, request.body, reply))

  app.get('/apps/:app_id/preview', {
    config: {
      tool: 'read',
      words: {
        foreign: false,
        use: 'Use this to see what a build of an application would run to make its image, and what that may cost.',
        gives: 'what would run, what it may cost, and whether the registry has the image already.',
        keywords: 'preview build builder cost would run image registry pipeline workflow',
        fields: deploymentFields
      },
      refuses: { insufficient_scope: 'the code host and the cloud are read as the person' },
      errors: [...awsErrors, AccountNotFound, BuilderUnsupported, ImageMissing, RegistryDenied]
    },
    schema: {
      operationId: 'previewBuild',
      summary: 'Read what a build would run',
      description: 'What would run to make the image of a commit, what that may cost, and what the registry has under ' +
        'its name now. Begins nothing. Refused where no build could succeed, with the reason.',
      tags: ['deployments'],
      params: AppParams,
      querystring: PreviewQuery,
      response: { 200: BuildPreview }
    }
  }, ({ principal, params, query }) => previewBuild(app, principal, params.app_id, query))

  app.post('/apps/:app_id/builds/:build_id/rollback', {
    config: {
      emptyBody: {},
      tool: rollbackBuildTool,
      words: {
        foreign: false,
        use: 'Use this when the newest release of an application is broken: it deploys the image of an earlier ' +
          'build that succeeded.',
        gives: 'the build that began.',
        keywords: 'go back roll back revert undo release previous earlier build broken application undo last ' +
          'release of storefront',
        fields: deploymentFields
      },
      errors: startErrors
    },
    schema: {
      operationId: 'rollbackBuild',
      summary: 'Go back to a build',
      description: 'Deploys the image of a build that succeeded again, by its digest where that is known.',
      tags: ['deployments'],
      params: BuildParams,
      headers: IfMatch,
      body: RollbackBuild,
      response: { 200: StartedBuild, 202: StartedBuild }
    }
  }, (request, reply) => start(request, request.params.app_id,
    { ...request.body, rollback_to: request.params.build_id }, reply))

  app.get('/apps/:app_id/builds', {
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to see how the last builds of an application went, or to find the id of one.',
        gives: 'the builds, newest first: who asked, what was deployed, how each ended and at which step.',
        keywords: 'builds deployments releases of an application app history failed pipeline ci',
        fields: deploymentFields
      },
      errors: [InvalidCursor]
    },
    schema: {
      operationId: 'listBuilds',
      summary: 'List the builds of an application',
      description: 'Newest first: who asked, what was deployed, how it ended and at which step. The last 50 are kept.',
      tags: ['deployments'],
      params: AppParams,
      querystring: ListBuilds,
      response: { 200: BuildPage }
    }
  }, async ({ principal, params: { app_id: appId }, query }, reply) => {
    await readApp(app, principal.workspace_id, appId)
    const { status } = query
    return sendJson(reply, await paginateJson(app, { principal, list: 'builds', filter: [appId, status], query },
      (key, limit) => listBuilds(app.db, principal.workspace_id, appId,
        { limit, ...(status && { status }), ...(key && { before: Number(key[0]) }) }),
      ({ number }) => [number]))
  })

  app.get('/apps/:app_id/builds/:build_id', {
    config: {
      tool: 'read',
      words: {
        foreign: true,
        use: 'Use this to see whether one build of an application succeeded and at which step it is or failed.',
        gives: 'the build with its steps; succeeded means that its own deployment won and was verified.',
        keywords: 'build result step pipeline status failed succeeded application',
        fields: deploymentFields
      }
    },
    schema: {
      operationId: 'getBuild',
      summary: 'Read one build',
      description: 'One build with its steps: succeeded means that its own deployment won and was verified.',
      tags: ['deployments'],
      params: BuildParams,
      response: { 200: Build }
    }
  }, async ({ principal, params }) =>
    describeBuild(await readBuild(app.db, principal.workspace_id, params.app_id, params.build_id)))

  app.post('/apps/:app_id/builds/:build_id/cancel', {
    config: {
      tool: cancelBuildTool,
      words: {
        foreign: false,
        use: 'Use this to stop a build of an application that waits or runs. What was deployed by it goes back.',
        gives: 'the build; read it again until it has ended.',
        keywords: 'stop abort cancel build pipeline queued running',
        fields: deploymentFields
      },
      errors: [BuildFinished]
    },
    schema: {
      operationId: 'cancelBuild',
      summary: 'Cancel a build',
      description: 'Ends a build that waits or runs, and the next one starts. While it is being deployed its ' +
        'deployment is cancelled: before AWS was asked that touches nothing, later the service goes back to what it ' +
        'ran. 202 until then, 200 when it has ended. Again = the same answer.',
      tags: ['deployments'],
      params: BuildParams,
      response: { 200: Build, 202: Build }
    }
  }, async ({ principal, params }, reply) => {
    const { app_id: appId, build_id: id } = params
    const row = await cancelBuild(app, principal.workspace_id, appId, id, actorOf(principal))
    app.builds.reconcileSoon()
    return reply.code(row.finished_at === null ? 202 : 200).send(describeBuild(row))
  })

  app.get('/apps/:app_id/builds/:build_id/logs', {
    sse: 'manual',
    config: {
      tool: 'read',
      words: {
        core: true,
        foreign: true,
        use: 'Use this to read what a build of an application printed, for instance to see why it failed.',
        gives: 'its lines, oldest first, without secrets, and the number after which the next lines come.',
        keywords: 'build log output lines console failed why',
        fields: deploymentFields
      }
    },
    schema: {
      operationId: 'getBuildLogs',
      summary: 'Read the log of a build',
      description: 'The lines of a build, oldest first, without secrets; `next_seq` is sent as `after` for what ' +
        'follows. With Accept: text/event-stream the build is followed live: events log, step, status and end, whose ' +
        'id is `seq`; Last-Event-ID goes on after it.',
      tags: ['deployments'],
      params: BuildParams,
      querystring: LogQuery,
      headers: FollowHeaders,
      response: logAnswers
    }
  }, async (request, reply) => {
    const { principal, params, query, headers } = request
    const row = await readBuild(app.db, principal.workspace_id, params.app_id, params.build_id)
    if (!/\btext\/event-stream\b/.test(headers.accept ?? '')) return readLog(app.db, row, query.after, query.limit)
    const after = positionOf(headers['last-event-id'], query.after)
    if (isCaughtUp(row, after)) return reply.code(204).send(null)
    return app.stream(request, reply, (sink) => followBuild(app, row, after, sink))
  })
}

export default builds
