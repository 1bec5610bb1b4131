import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, {
  type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions
} from 'fastify'

/** A request as received, before it is parsed. */
export interface WireRequest {
  method: string
  /** Path and query, still encoded. */
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The bytes, which may be delayed or cut. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  body: string | Buffer | Readable
  delayMs?: number
  /** The number of bytes before the connection breaks, despite the headers. */
  cutAfter?: number
}

/** The transport's action: an answer, or silence of one of two kinds. */
export type Outcome = WireAnswer | { silence: 'drop' | 'hang', afterMs?: number | undefined }

type Dispatch = (request: WireRequest) => Promise<Outcome>

const isLoopback = (address = '') => /^(::ffff:)?127\.|^::1$/.test(address)
const isLoopbackName = (host = '') => /^(localhost|127(\.\d+){3}|\[?::1\]?)(:\d+)?$/.test(host)

/**
 * @returns whether the request came over loopback and names it: a page whose name was rebound to 127.0.0.1 sends its
 *   own name as Host
 */
export const isLocal = ({ ip, headers, socket }: FastifyRequest): boolean =>
  isLoopback(ip) && (socket.localAddress === undefined || isLoopback(socket.localAddress)) &&
  isLoopbackName(headers.host)

/** A sandbox as a Fastify app that does not listen yet. It dispatches every request without a route of its own. */
export const buildWire = (options: Pick<FastifyServerOptions, 'bodyLimit' | 'logger'>, dispatch: Dispatch):
FastifyInstance => {
  const app = Fastify({ ...options, forceCloseConnections: true, routerOptions: { maxParamLength: 2000 } })
  app.addHook('onRequest', async (request, reply) => {
    if (!isLocal(request)) return reply.code(403).send({ message: 'The sandbox answers on loopback only' })
  })
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => { done(null, body) })
    scope.all('/*', async (request, reply) => send(reply, await dispatch(plain(request))))
  })
  return app
}

const plain = (request: FastifyRequest): WireRequest => {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return { method: request.method, url: request.raw.url ?? '/', headers: request.headers, body }
}

const send = async (reply: FastifyReply, outcome: Outcome): Promise<FastifyReply> => {
  if ('silence' in outcome) return keepSilent(reply, outcome)
  const { status, headers, body, delayMs, cutAfter } = outcome
  if (delayMs !== undefined) await pause(delayMs, undefined, { ref: false })
  if (cutAfter === undefined || !Buffer.isBuffer(body)) return reply.code(status).headers(headers).send(body)
  reply.hijack()
  reply.raw.writeHead(status, { ...headers, 'content-length': body.length })
  reply.raw.write(body.subarray(0, cutAfter), () => { reply.raw.socket?.destroy() })
  return reply
}

const keepSilent = (reply: FastifyReply, { silence, afterMs }: Extract<Outcome, { silence: string }>): FastifyReply => {
  reply.hijack()
  const cut = () => { reply.raw.socket?.destroy() }
  if (silence === 'drop') cut()
  else if (afterMs !== undefined) setTimeout(cut, afterMs).unref()
  return reply
}

const loopback = ['127.0.0.1', '::1', 'localhost']

export interface RunningSandbox {
  url: string
  /** The control path. */
  controlUrl: string
  app: FastifyInstance
  close (): Promise<void>
}

/** Starts a sandbox on the loopback interface, by default on a free port; it refuses to listen anywhere else. */
export const startOnLoopback = async (app: FastifyInstance, controlPrefix: string,
  { host = '127.0.0.1', port = 0 }: { host?: string, port?: number }): Promise<RunningSandbox> => {
  if (!loopback.includes(host)) throw new Error(`A sandbox listens on loopback only, not on ${host}`)
  await app.listen({ host, port })
  // A server that listens on TCP has such an address.
  const address = app.server.address() as AddressInfo
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  return { url, controlUrl: url + controlPrefix, app, close: () => app.close() }
}
