import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { followRun } from './lib/follow-run.js'

/** Answers with the run's stream, after a position. */
export const sendRun = (app: FastifyInstance, request: FastifyRequest, reply: FastifyReply,
  run: { session_id: string, run_id: string }, options: { after: number, waitS?: number }): Promise<void> => {
  reply.headers({ 'steward-session-id': run.session_id, 'steward-run-id': run.run_id })
  return app.stream(request, reply, (sink) => followRun(app, request.principal, run, options, sink))
}
