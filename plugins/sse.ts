import { fastifySSE } from '@fastify/sse'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { listDeadCredentials } from '../db/account/principals.js'
import type { Db } from '../db/index.js'
import { RateLimited } from '../schemas/errors.js'
import { principalKey, type Principal } from '../lib/security/principal.js'
import { messageOf } from '../schemas/thrown.js'

const heartbeatMs = 15_000
const maxUnsentBytes = 1_048_576

/** One open stream to one client. */
export interface Sink {
  /** Aborts when the client leaves, the server stops, or the stream is complete. */
  signal: AbortSignal
  /** Writes whole frames. A client that does not read is dropped: it resumes from the last id it holds. */
  write: (frames: string) => void
  /** Says that nothing follows: what is written is sent, and whoever waits by the signal is let go. */
  end: () => void
}

const headers = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'content-type': 'text/event-stream; charset=utf-8'
}

/** The socket's side of a stream: frames of one turn of the event loop are one write. */
class OpenStream implements Sink {
  readonly #leave = new AbortController()
  readonly signal = this.#leave.signal
  #held = ''
  readonly #flush = () => {
    if (this.#held === '' || this.raw.destroyed) return
    this.raw.write(this.#held)
    this.#held = ''
    if (this.raw.writableLength > maxUnsentBytes) this.raw.destroy()
  }

  readonly end = () => this.#leave.abort()

  constructor (private readonly raw: FastifyReply['raw']) {
    raw.once('close', this.end)
  }

  write (frames: string): void {
    if (this.#held === '') process.nextTick(this.#flush)
    this.#held += frames
  }

  close (): void {
    this.#flush()
    this.raw.off('close', this.end)
  }
}

/** The streams that are open, by principal; how many, by person: another token or session is not another person. */
class OpenStreams {
  total = 0
  #isStopped = false
  readonly #open = new Map<string, { principal: Principal, streams: Set<OpenStream> }>()
  readonly #countByUser = new Map<string, number>()

  countOf ({ user_id }: Principal): number {
    return this.#countByUser.get(user_id) ?? 0
  }

  #count ({ user_id }: Principal, change: 1 | -1): void {
    this.total += change
    const count = (this.#countByUser.get(user_id) ?? 0) + change
    if (count > 0) this.#countByUser.set(user_id, count)
    else this.#countByUser.delete(user_id)
  }

  add (principal: Principal, stream: OpenStream): void {
    const key = principalKey(principal)
    const entry = this.#open.get(key) ?? { principal, streams: new Set() }
    this.#open.set(key, entry)
    entry.streams.add(stream)
    this.#count(principal, 1)
    if (this.#isStopped) stream.end()
  }

  remove (principal: Principal, stream: OpenStream): void {
    const entry = this.#open.get(principalKey(principal))
    if (!entry?.streams.delete(stream)) return
    this.#count(principal, -1)
    if (entry.streams.size === 0) this.#open.delete(principalKey(principal))
  }

  principals (): Principal[] {
    return [...this.#open.values()].map(({ principal }) => principal)
  }

  /** Ends the streams of a principal who may not read any more. */
  end (principal: Principal): void {
    for (const stream of this.#open.get(principalKey(principal))?.streams ?? []) stream.end()
  }

  /** Ends all, and each that comes yet. */
  stop (): void {
    this.#isStopped = true
    for (const { streams } of this.#open.values()) for (const stream of streams) stream.end()
  }
}

/** Whoever was disabled, signed out or revoked keeps no stream: by default for less than half a minute. */
const endRevoked = async (db: Db, open: OpenStreams): Promise<void> => {
  const principals = open.principals()
  const ids = (via: Principal['via']) =>
    principals.flatMap((principal) => principal.via === via ? principal.via_id ?? [] : [])
  const dead = new Set(await listDeadCredentials(db, ids('token'), ids('browser')))
  for (const principal of principals) if (dead.has(principal.via_id ?? '')) open.end(principal)
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

/**
 * Streams over @fastify/sse, which keeps the heartbeat and the negotiation; frames go straight to the socket, since
 * its `send` never settles when a client leaves while it is held back (fastify/sse#54).
 */
export default fp(async (app) => {
  await app.register(fastifySSE, { heartbeatInterval: heartbeatMs })
  const open = new OpenStreams()
  app.decorate('openStreams', open)
  app.addHook('onRoute', (route: RouteOptions) => { if (route.sse) route.exposeHeadRoute = false })
  const drains: (() => Promise<void>)[] = []
  app.decorate('onDrain', (drain: () => Promise<void>) => { drains.push(drain) })
  app.addHook('preClose', async () => {
    // One that fails takes neither the others nor the streams' end with it.
    await Promise.allSettled(drains.map((drain) => drain()))
    open.stop()
  })
  const timer = setInterval(() => {
    endRevoked(app.db, open).catch((error: unknown) =>
      app.log.warn({ reason: messageOf(error) }, 'rights of open streams not checked'))
  }, app.config.limits.stream_rights_ms).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.decorate('requireStream', (principal: Principal) => {
    if (open.countOf(principal) < app.config.limits.streams_per_user) return
    throw RateLimited('Too many open streams; close one').withHeaders({ 'retry-after': '5' })
  })
  app.decorate('stream', async (request: FastifyRequest, reply: FastifyReply, run: (sink: Sink) => Promise<void>) => {
    const { principal } = request
    app.requireStream(principal)
    const sink = new OpenStream(reply.raw)
    open.add(principal, sink)
    reply.headers(headers)
    reply.sse.keepAlive()
    reply.sse.sendHeaders()
    reply.raw.write('retry: 2000\n\n')
    try {
      await run(sink)
    } finally {
      open.remove(principal, sink)
      sink.close()
      reply.sse.close()
    }
  })
}, { name: 'sse', dependencies: ['config', 'auth'] })
