import { fastifySSE } from '@fastify/sse'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { listDeadCredentials } from '../db/account/principals.js'
import type { Db } from '../db/index.js'
import { ApiError, RateLimited } from '../schemas/errors.js'
import type { Principal } from '../lib/security/principal.js'
import { OpenStreams, type Sink } from '../lib/streams/follow.js'
import { Watch } from '../lib/durable/watch.js'
import { messageOf } from '../schemas/unknown.js'

const headers = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'content-type': 'text/event-stream; charset=utf-8'
}

/** Whoever was disabled, signed out or revoked keeps no stream: by default for less than half a minute. */
const endRevoked = async (db: Db, open: OpenStreams): Promise<void> => {
  for (const [workspaceId, principals] of open.byWorkspace()) {
    const ids = (via: Principal['via']) =>
      principals.flatMap((principal) => principal.via === via ? principal.via_id ?? [] : [])
    const dead = new Set(await listDeadCredentials(db, workspaceId, ids('token'), ids('browser')))
    for (const principal of principals) if (dead.has(principal.via_id ?? '')) open.end(principal)
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: OpenStreams
    /** Names what shall come to an end before open streams are cut, when the server stops. */
    onDrain: (drain: () => Promise<void>) => void
    /** @throws rate_limited when the caller, by whatever credentials, has as many open streams as allowed */
    requireStream: (principal: Principal) => void
    /** @throws as `requireStream` */
    stream: (request: FastifyRequest, reply: FastifyReply, run: (sink: Sink) => Promise<void>) => Promise<void>
  }
}

/** Looks after the streams while any is open: whether who reads them still may, and that they are never long silent. */
const watchStreams = (app: FastifyInstance): OpenStreams => {
  const { stream_rights_ms: rightsMs, stream_heartbeat_ms: silenceMs } = app.config.limits
  const watch = (ms: number, what: string, look: () => Promise<void> | void) => {
    const watched = new Watch(async () => {
      if (open.total > 0) await look()
      return open.total > 0 ? ms : Infinity
    }, (error) => app.log.warn({ reason: messageOf(error) }, `${what} of open streams failed`))
    app.addHook('onClose', () => watched.stop())
    return () => watched.within(ms)
  }
  const watches = [
    watch(rightsMs, 'the check of the rights', () => endRevoked(app.db, open)),
    // A stream that wrote nothing since the last look shows that it lives: so twice as often as it may be silent.
    watch(silenceMs / 2, 'the heartbeats', () => open.beat())
  ]
  const open = new OpenStreams(() => { for (const within of watches) within() })
  return open
}

/**
 * Streams over @fastify/sse, which keeps the negotiation; frames go straight to the socket, since its `send` never
 * settles when a client leaves while it is held back (fastify/sse#54), and its heartbeat is a timer of each stream.
 */
export default fp(async (app) => {
  await app.register(fastifySSE, { heartbeatInterval: 0 })
  const open = watchStreams(app)
  app.decorate('openStreams', open)
  app.addHook('onRoute', (route: RouteOptions) => { if (route.sse) route.exposeHeadRoute = false })
  const drains: (() => Promise<void>)[] = []
  app.decorate('onDrain', (drain: () => Promise<void>) => { drains.push(drain) })
  app.addHook('preClose', async () => {
    // One that fails takes neither the others nor the streams' end with it.
    await Promise.allSettled(drains.map((drain) => drain()))
    open.stop()
  })
  app.decorate('requireStream', (principal: Principal) => {
    if (open.countOf(principal) < app.workspaces.limitsOf(principal.workspace_id).streams_per_user) return
    throw RateLimited('Too many open streams; close one').withHeaders({ 'retry-after': '5' })
  })
  app.decorate('stream', async (request: FastifyRequest, reply: FastifyReply, run: (sink: Sink) => Promise<void>) => {
    const { principal } = request
    app.requireStream(principal)
    const sink = open.open(principal, reply.raw)
    request.effects?.close()
    reply.headers(headers)
    reply.sse.keepAlive()
    reply.sse.sendHeaders()
    reply.raw.write('retry: 2000\n\n')
    try {
      await run(sink)
    } catch (error) {
      // It cannot go on, and its client comes back: that request is answered with the reason.
      if (!(error instanceof ApiError)) throw error
    } finally {
      open.remove(principal, sink)
      sink.close()
      reply.sse.close()
    }
  })
}, { name: 'sse', dependencies: ['config', 'auth', 'workspaces'] })
