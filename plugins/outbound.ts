import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import fp from 'fastify-plugin'
import { notAllowed, OutboundError } from '../lib/outbound/errors.js'
import {
  checkUrl, isListed, lookupOf, open, send, type HopAnswer, type Network, type OpenAnswer, type Resolve, sendBytes,
  type SocketTarget
} from '../lib/outbound/request.js'

export interface OutboundRequest {
  url: string
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole exchange, redirects included. */
  timeoutMs?: number
  /** Of the unpacked answer. */
  maxBytes?: number
  /** Only a GET or HEAD is redirected. */
  maxRedirects?: number
  signal?: AbortSignal
}

export interface OutboundAnswer extends HopAnswer {
  /** Where the answer came from, after redirects. */
  url: string
}

/** A request whose answer is read as it comes, until the signal ends it. */
export interface OpenRequest {
  url: string
  method: 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: string
  maxBytes: number
  signal: AbortSignal
}

export interface OutboundOptions {
  resolve?: Resolve
  /** Hosts, or host:port, that may be asked although they are not public. */
  allow?: readonly string[]
}

const redirects = new Set([301, 302, 303, 307, 308])

const parse = (url: string, base?: URL): URL => {
  if (!URL.canParse(url, base?.href)) throw notAllowed('It is no address')
  return new URL(url, base?.href)
}

/** Where a redirect leads. What was meant for one origin is not sent to another. */
const follow = (from: URL, location: string, headers: Record<string, string>) => {
  const url = parse(location, from)
  if (from.protocol === 'https:' && url.protocol !== 'https:') throw notAllowed('A redirect leads from https to http')
  const same = url.origin === from.origin
  const kept = Object.entries(headers).filter(([name]) => same || !/^(authorization|cookie)$/i.test(name))
  return { url, headers: Object.fromEntries(kept) }
}

/**
 * The one way to addresses that people name. Every hop's address is checked where it is dialled; nothing of a private
 * network, of this machine or of a cloud's metadata can be asked, by whatever name or redirect.
 */
export class Outbound {
  readonly #network: Network

  constructor ({ resolve = (host) => lookup(host, { all: true }), allow = [] }: OutboundOptions = {}) {
    this.#network = { resolve, allowed: new Set(allow) }
  }

  /** Checks an address without a request. @throws OutboundError url_not_allowed */
  check (url: string): void {
    checkUrl(this.#network, parse(url))
  }

  /**
   * @param isListed as `allows` says of the address
   * @returns how a client of another kind resolves names, so that it dials no private address
   */
  lookup (isListed: boolean): LookupFunction {
    return lookupOf(this.#network, isListed)
  }

  /** @returns whether the operator has named the host: it is no stranger's */
  allows (url: string): boolean {
    return isListed(this.#network, parse(url))
  }

  /** @throws OutboundError: url_not_allowed, url_unreachable, url_timeout, url_too_large; the reason of the signal */
  async fetch (request: OutboundRequest): Promise<OutboundAnswer> {
    const { timeoutMs = 10_000, signal } = request
    const time = AbortSignal.timeout(timeoutMs)
    try {
      return await this.#walk(request, signal ? AbortSignal.any([signal, time]) : time)
    } catch (error) {
      if (!time.aborted || error instanceof OutboundError || signal?.aborted) throw error
      throw new OutboundError('url_timeout', `It took longer than ${timeoutMs / 1_000} s`)
    }
  }

  /**
   * Sends one request, whatever it is answered: a redirect is not followed. What it changes, the caller counts.
   * @throws OutboundError: url_not_allowed, url_unreachable; the reason of the signal; reading: url_too_large as well
   */
  async open (request: OpenRequest): Promise<OpenAnswer> {
    const url = parse(request.url)
    checkUrl(this.#network, url)
    const headers = { 'user-agent': 'steward', ...request.headers }
    return open(this.#network, { ...request, url, headers, body: request.body })
  }

  /** Sends bytes to a server of another protocol. @throws OutboundError, as `sendBytes` */
  async sendBytes (target: SocketTarget, bytes: Buffer): Promise<void> {
    await sendBytes(this.#network, target, bytes)
  }

  async #walk (request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const { method = 'GET', body, maxBytes = 5 * 1_048_576, maxRedirects = 3 } = request
    const follows = method === 'GET' || method === 'HEAD'
    let [url, headers] = [parse(request.url), { 'user-agent': 'steward', ...request.headers }]
    for (let hops = 0; ; hops++) {
      checkUrl(this.#network, url)
      const answer = await send(this.#network, { url, method, headers, body, maxBytes, signal })
      const { location } = answer.headers
      if (!follows || !redirects.has(answer.status) || location === undefined) return { ...answer, url: url.href }
      if (hops >= maxRedirects) throw notAllowed('It redirects too often')
      const next = follow(url, location, headers)
      url = next.url
      headers = { 'user-agent': 'steward', ...next.headers }
    }
  }
}

declare module 'fastify' {
  interface FastifyInstance { outbound: Outbound }
}

export default fp<OutboundOptions>(async (app, options) => {
  const configured = app.config.OUTBOUND_ALLOW?.split(',').map((host) => host.trim()).filter(Boolean) ?? []
  app.decorate('outbound', new Outbound({ ...options, allow: [...configured, ...options.allow ?? []] }))
}, { name: 'outbound', dependencies: ['config'] })
