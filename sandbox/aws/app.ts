import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { CONTROL_PREFIX } from './constants.js'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.js'
import { control } from './server/control.js'
import { dispatch, type Outcome } from './server/dispatch.js'

/** Above Lambda's 6 MiB, so that the sandbox itself refuses what Lambda would. */
const BODY_LIMIT = 16 * 1024 * 1024

/** The stand-in for AWS as a Fastify app that does not listen yet. */
export function buildAwsSandbox (options: SandboxOptions = {}): FastifyInstance {
  const sandbox = createSandbox(options)
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    logger: options.logger ?? false,
    routerOptions: { maxParamLength: 2000 }
  })
  app.register(control, { prefix: CONTROL_PREFIX, sandbox })
  app.register(async (scope) => { wire(scope, sandbox) })
  return app
}

function wire (scope: FastifyInstance, sandbox: Sandbox): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => { done(null, body) })
  scope.all('/*', async (request, reply) => send(reply, await dispatch(sandbox, plain(request))))
}

function plain (request: FastifyRequest) {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return { method: request.method, url: request.raw.url ?? '/', headers: request.headers, body }
}

function send (reply: FastifyReply, outcome: Outcome): FastifyReply {
  if (!('silence' in outcome)) return reply.code(outcome.status).headers(outcome.headers).send(outcome.body)
  reply.hijack()
  const { socket } = reply.raw
  const cut = () => { socket?.destroy() }
  if (outcome.silence === 'drop') cut()
  else if (outcome.afterMs !== undefined) setTimeout(cut, outcome.afterMs).unref()
  return reply
}
