import net from 'node:net'
import tls from 'node:tls'
import { OutboundError, unreachable } from './errors.js'
import { checkUrl, isListed, lookupOf, type Network } from './request.js'

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
