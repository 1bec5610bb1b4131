import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import net, { type LookupFunction, isIPv6 } from 'node:net'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import tls from 'node:tls'
import ipaddr from 'ipaddr.js'
import { performCall, type End, type ProviderCall } from '../../db/effects.js'
import { notAllowed, OutboundError, unreachable, isNeverSent, isRefusal } from './errors.js'

/** What IANA has given out of IPv6 as global unicast; ::/96 (IPv4-compatible), 100::/8 and the like are not in it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** ipaddr.js reads `::8.8.8.8` as a mapped address, which it is not; resolvers write ::808:808 so, URLs do not. */
const withoutDots = (address: string): string =>
  isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address

/** Public by the registries, but served by the host a cloud's machine runs on: Azure's WireServer. */
const platformServices = new Set(['168.63.129.16'])

/**
 * By IANA's registries of special-purpose addresses, which ipaddr.js has as ranges.
 * @param address as a resolver or a URL names it
 * @returns whether it is a public one: no loopback, private, link-local, shared, mapped, translated or reserved range,
 *   and nothing that a cloud serves to its own machines
 */
export const isPublicAddress = (address: string): boolean => {
  const bare = withoutDots(address.replace(/^\[|\]$/g, '').replace(/%.*/, ''))
  if (!ipaddr.isValid(bare)) return false
  // A mapped address is what it maps to; an address that translates to IPv4 (NAT64, 6to4, Teredo) is no unicast here.
  const parsed = ipaddr.process(bare)
  if (parsed.range() !== 'unicast' || platformServices.has(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

const isAddress = (host: string): boolean => ipaddr.isValid(host.replace(/^\[|\]$/g, ''))

export type Resolve = (host: string) => Promise<LookupAddress[]>

export interface Hop {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  maxBytes: number
  signal: AbortSignal
}

export interface HopAnswer { status: number, headers: Record<string, string>, body: Buffer }

/** An answer that is read as it comes; reading throws as `send` does. */
export interface OpenAnswer extends Omit<HopAnswer, 'body'> { body: AsyncGenerator<Buffer> }

export interface Network {
  resolve: Resolve
  /** Hosts, or host:port, that may be asked although they are not public. */
  allowed: ReadonlySet<string>
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80')

/** Names of this machine, whatever a resolver makes of them (RFC 6761). */
const isOwnName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host)

export const isListed = ({ allowed }: Network, url: URL): boolean =>
  allowed.has(hostOf(url)) || allowed.has(`${hostOf(url)}:${portOf(url)}`)

/** Addresses are checked where they are dialled, so a name that changes in between gains nothing. */
export const lookupOf = (network: Network, listed: boolean): LookupFunction => (host, options, callback) => {
  network.resolve(host).then((found) => {
    const refused = !listed && found.some(({ address }) => !isPublicAddress(address))
    const [first] = found
    if (refused || !first) {
      // The types of the callback do not know of an error without an address.
      return callback(refused ? notAllowed('The address is not a public one') : unreachable(), '', 4)
    }
    if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  }, (error: unknown) => callback(unreachable(error), '', 4))
}

/** @throws url_not_allowed */
export const checkUrl = (network: Network, url: URL): void => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw notAllowed('Only http and https are asked')
  if (url.username !== '' || url.password !== '') throw notAllowed('An address holds no credentials')
  if (isOwnName(hostOf(url)) && !isListed(network, url)) throw notAllowed('The address is not a public one')
  if (isAddress(hostOf(url)) && !isListed(network, url) && !isPublicAddress(hostOf(url))) {
    throw notAllowed('The address is not a public one')
  }
}

const decoderOf = (encoding: string | undefined) => {
  if (encoding === 'gzip' || encoding === 'deflate') return createUnzip()
  return encoding === 'br' ? createBrotliDecompress() : undefined
}

/** A body, unpacked, up to so many bytes. */
async function * readBody (message: http.IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const decoder = decoderOf(message.headers['content-encoding'])
  const stream = decoder ? message.pipe(decoder) : message
  message.once('error', (error) => decoder?.destroy(error))
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      message.destroy()
      throw new OutboundError('url_too_large', `It is larger than ${maxBytes} bytes`)
    }
    yield chunk
  }
}

const collect = async (message: http.IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of readBody(message, maxBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const flatten = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]))

const toError = (error: unknown, signal: AbortSignal): Error => {
  if (error instanceof OutboundError) return error
  if (signal.aborted && signal.reason instanceof Error) return signal.reason
  return unreachable(error)
}

const isUndone = (end: End<HopAnswer>): boolean => {
  if (!('error' in end)) return isRefusal(end.value.status)
  return isNeverSent(end.error) || (end.error instanceof OutboundError && end.error.code === 'url_not_allowed')
}

/** Its path may be a secret, as some webhooks' is. */
const describe = ({ method, url }: Hop) => (end: End<HopAnswer>): ProviderCall => ({
  provider: url.host,
  operation: method,
  request_id: 'value' in end ? end.value.headers['x-request-id'] ?? null : null,
  status: 'value' in end ? end.value.status : null
})

/**
 * One request to one address; redirects are the caller's. One that may change something passes the point of no return.
 * @throws OutboundError, or the signal's reason
 */
export const send = (network: Network, hop: Hop): Promise<HopAnswer> =>
  /^(GET|HEAD)$/.test(hop.method)
    ? exchange(network, hop)
    : performCall(() => exchange(network, hop), isUndone, describe(hop))

const exchange = (network: Network, hop: Hop): Promise<HopAnswer> => request(network, hop, async (message) =>
  ({ ...headOf(message), body: await collect(message, hop.maxBytes) }))

/**
 * One request whose answer is read as it comes. What it changes, whoever sends it counts: see `performCall`.
 * @throws OutboundError, or the signal's reason
 */
export const open = (network: Network, hop: Hop): Promise<OpenAnswer> => request(network, hop, async (message) => {
  // One that breaks before it is read throws when it is.
  message.on('error', () => undefined)
  return { ...headOf(message), body: named(readBody(message, hop.maxBytes), hop.signal) }
})

const headOf = ({ statusCode = 0, headers }: http.IncomingMessage) =>
  ({ status: statusCode, headers: flatten(headers) })

/** What a reader of the body is thrown is in the words of this folder. */
async function * named (body: AsyncGenerator<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield * body
  } catch (error) {
    throw toError(error, signal)
  }
}

const request = <T>(network: Network, hop: Hop, read: (message: http.IncomingMessage) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const { url, method, headers, body, signal } = hop
    const fail = (error: unknown) => reject(toError(error, signal))
    // No agent: neither a pooled connection nor a proxy of the environment stands between the check and the wire.
    const sent = (url.protocol === 'https:' ? https : http).request(url, {
      method, headers, signal, agent: false, lookup: lookupOf(network, isListed(network, url))
    })
    sent.once('error', fail)
    sent.once('response', (message) => { read(message).then(resolve, fail) })
    sent.end(body)
  })

export interface SocketTarget {
  host: string
  port: number
  tls: boolean
  /** Certificates, in PEM, that the server is checked by; without them, those that Node trusts. */
  ca?: string | undefined
  timeoutMs: number
}

/** Addresses are checked as those of requests are, and listed by host or host:port. */
const urlOf = ({ host, port }: SocketTarget): URL => new URL(`http://${host}:${port}`)

const connect = (network: Network, target: SocketTarget): net.Socket => {
  const url = urlOf(target)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const options = { host, port: target.port, lookup: lookupOf(network, isListed(network, url)) }
  if (!target.tls) return net.connect(options)
  const named = net.isIP(host) === 0 && { servername: host }
  return tls.connect({ ...options, ...named, ...(target.ca && { ca: target.ca }), minVersion: 'TLSv1.2' })
}

/**
 * Writes bytes to a server that answers nothing, ends its side, and waits until the server has ended too: then it has
 * read them.
 * @throws OutboundError: url_not_allowed, url_unreachable, url_timeout
 */
export const sendBytes = (network: Network, target: SocketTarget, bytes: Buffer): Promise<void> => {
  checkUrl(network, urlOf(target))
  return new Promise((resolve, reject) => {
    const socket = connect(network, target)
    const fail = (error: unknown) => {
      socket.destroy()
      reject(error instanceof OutboundError ? error : unreachable(error))
    }
    const late = `The server did not take it and end the connection within ${target.timeoutMs / 1_000} s`
    socket.setTimeout(target.timeoutMs, () => fail(new OutboundError('url_timeout', late)))
    socket.once('error', fail)
    socket.once('close', () => resolve())
    socket.once(target.tls ? 'secureConnect' : 'connect', () => socket.end(bytes))
    socket.resume()
  })
}
