import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import { performCall, type End } from '../../db/effects.js'
import { isNeverSent, isRefusal } from './never-sent.js'
import { isAddress, isPublicAddress } from './addresses.js'
import { notAllowed, OutboundError, unreachable } from './errors.js'

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

export interface Network {
  resolve: Resolve
  /** Hosts, or host:port, that may be asked although they are not public. */
  allowed: ReadonlySet<string>
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80')

/** Names of this machine, whatever a resolver makes of them (RFC 6761). */
const isOwnName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host)

const isListed = ({ allowed }: Network, url: URL): boolean =>
  allowed.has(hostOf(url)) || allowed.has(`${hostOf(url)}:${portOf(url)}`)

/** Addresses are checked where they are dialled, so a name that changes in between gains nothing. */
const lookupOf = (network: Network, listed: boolean): LookupFunction => (host, options, callback) => {
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

/** Reads a body, unpacked, up to so many bytes. */
const collect = async (message: http.IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const decoder = decoderOf(message.headers['content-encoding'])
  const stream = decoder ? message.pipe(decoder) : message
  message.once('error', (error) => decoder?.destroy(error))
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      message.destroy()
      throw new OutboundError('url_too_large', `It is larger than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
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

/**
 * One request to one address; redirects are the caller's. One that may change something passes the point of no return.
 * @throws OutboundError, or the signal's reason
 */
export const send = (network: Network, hop: Hop): Promise<HopAnswer> =>
  /^(GET|HEAD)$/.test(hop.method) ? exchange(network, hop) : performCall(() => exchange(network, hop), isUndone)

const exchange = (network: Network, hop: Hop): Promise<HopAnswer> => new Promise((resolve, reject) => {
  const { url, method, headers, body, maxBytes, signal } = hop
  const fail = (error: unknown) => reject(toError(error, signal))
  // No agent: neither a pooled connection nor a proxy of the environment stands between the check and the wire.
  const sent = (url.protocol === 'https:' ? https : http).request(url, {
    method, headers, signal, agent: false, lookup: lookupOf(network, isListed(network, url))
  })
  sent.once('error', fail)
  sent.once('response', (message) => {
    collect(message, maxBytes).then((whole) =>
      resolve({ status: message.statusCode ?? 0, headers: flatten(message.headers), body: whole }), fail)
  })
  sent.end(body)
})
