import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Run, RunParams } from '../../schemas/agent/sessions.js'
import { RunNotFound } from './lib/errors.js'
import { showRun } from './lib/sessions/show-sessions.js'
import { ownWrites } from './lib/access.js'

const runs: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/runs/:run_id', {
    config: { errors: [RunNotFound] },
    schema: {
      operationId: 'getRun',
      summary: 'One run of the assistant',
      description: 'Its state, what it used and what waits for approval.',
      tags: ['agent'],
      params: RunParams,
      response: { 200: Run }
    }
  }, async (request) => showRun(app, request.principal, request.params.run_id))

  app.post('/runs/:run_id/cancel', {
    config: { access: ownWrites, assistant: true, errors: [RunNotFound] },
    schema: {
      operationId: 'cancelRun',
      summary: 'Stop a run',
      description: 'Idempotent. A model call is cut at once; a write in flight is awaited and recorded as it ended. ' +
        '202 while it stops, 200 when it has ended.',
      tags: ['agent'],
      params: RunParams,
      response: { 200: Run, 202: Run }
    }
  }, async (request, reply) => {
    const { workspace_id, user_id } = request.principal
    await app.engine.requestCancel(workspace_id, user_id, request.params.run_id, 'user_cancel')
    const run = await showRun(app, request.principal, request.params.run_id)
    return reply.code(run.finished_at === null ? 202 : 200).send(run)
  })
}

export default runs
