import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { CONTROL_PREFIX } from './constants.js'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.js'
import { control } from './server/control.js'
import { dispatch } from './server/dispatch.js'
import type { Outcome } from './server/respond.js'

const BODY_LIMIT = 32 * 1024 * 1024

/** The stand-in for the code host as a Fastify app that does not listen yet. */
export function buildCodehostSandbox (options: SandboxOptions = {}): FastifyInstance {
  const sandbox = createSandbox()
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

async function send (reply: FastifyReply, outcome: Outcome): Promise<FastifyReply> {
  if (!('silence' in outcome)) {
    const { status, headers, body, delayMs, cutAfter } = outcome
    if (delayMs !== undefined) await pause(delayMs, undefined, { ref: false })
    if (cutAfter === undefined) return reply.code(status).headers(headers).send(body)
    reply.hijack()
    reply.raw.writeHead(status, { ...headers, 'content-length': body.length })
    reply.raw.write(body.subarray(0, cutAfter), () => { reply.raw.socket?.destroy() })
    return reply
  }
  reply.hijack()
  const cut = () => { reply.raw.socket?.destroy() }
  if (outcome.silence === 'drop') cut()
  else if (outcome.afterMs !== undefined) setTimeout(cut, outcome.afterMs).unref()
  return reply
}
