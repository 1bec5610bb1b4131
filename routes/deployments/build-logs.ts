import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { BuildParams } from '../../schemas/deployments/builds.js'
import { BuildEvent, BuildLog, FollowHeaders, LogQuery } from '../../schemas/deployments/logs.js'
import { positionOf } from '../../lib/streams/follow.js'
import { followBuild, isTold, readBuild, readLog } from './lib/read-log.js'

const answers = {
  200: {
    description: 'A page, or with Accept: text/event-stream what happens, as it happens, until `end`',
    content: { 'application/json': { schema: BuildLog }, 'text/event-stream': { schema: BuildEvent } }
  },
  204: { type: 'null', description: 'The build has ended, and the id of Last-Event-ID was its last' }
}

const buildLogs: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/apps/:app_id/builds/:build_id/logs', {
    sse: 'manual',
    config: { tool: 'read' },
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
      response: answers
    }
  }, async (request, reply) => {
    const { principal, params, query, headers } = request
    const row = await readBuild(app.db, principal.workspace_id, params.app_id, params.build_id)
    if (!/\btext\/event-stream\b/.test(headers.accept ?? '')) return readLog(app.db, row, query.after, query.limit)
    const after = positionOf(headers['last-event-id'], query.after)
    if (isTold(row, after)) return reply.code(204).send(null)
    return app.stream(request, reply, (sink) => followBuild(app, row, after, sink))
  })
}

export default buildLogs
