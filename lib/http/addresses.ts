import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { InvalidRequest } from '../../schemas/errors.js'

const maxLength = 253
const name = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

/** What ends a name in a URL, or is decoded in one: domainToASCII would read no further. */
const separators = /[\s/?#@:\\%[\]]/

/** What follows a name in Host: the dot of the root, and a port. */
const rest = /\.?(:\d*)?$/

/** @returns the name as rows hold it: lower case, IDNA's ASCII; undefined for what is no name, an address or a port */
export const parseHostName = (text: string): string | undefined => {
  if (separators.test(text)) return undefined
  const ascii = domainToASCII(text.replace(/\.$/, ''))
  return ascii.length <= maxLength && name.test(ascii) && isIP(ascii) === 0 ? ascii : undefined
}

/** @param host what a request says: a name, maybe with a port. @returns the name as rows hold it */
export const nameOfHost = (host: string): string => host.replace(rest, '').toLowerCase()

type Origins = Pick<FastifyInstance, 'config' | 'server'>
type Addressed = Pick<FastifyRequest, 'protocol' | 'host' | 'hostname'>

const everywhere = new Set(['0.0.0.0', '::'])

const hostOf = (host: string): string => {
  if (everywhere.has(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** @returns where a browser reaches this instance; with PORT=0 the port is known only once it listens */
export const publicOrigin = ({ config, server }: Origins): string => {
  if (config.PUBLIC_URL !== undefined) return config.publicUrl
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.PORT
  return `http://${hostOf(config.HOST)}:${port}`
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** @param url PUBLIC_URL. @returns whether it is of this machine; without one, nothing is said to be public */
export const isLoopback = (url: string | undefined): boolean =>
  url === undefined || (URL.canParse(url) && loopback.test(new URL(url).hostname))

/**
 * Where this browser reaches us: cookies belong to a host, and this machine has several names. Without PUBLIC_URL one
 * of those is taken from the request; any other name there could be anybody's.
 */
export const browserOrigin = (app: Origins, { protocol, host, hostname }: Addressed): string =>
  app.config.PUBLIC_URL === undefined && loopback.test(hostname) ? `${protocol}://${host}` : publicOrigin(app)

/**
 * @param names of a workspace; the first one counts
 * @param host a request's, with its port: the one that the request reached is where the next ones go
 * @returns the installation's own address under that name: scheme, port and path are those of PUBLIC_URL
 */
export const originAt = (app: Origins, [name]: string[], host = name): string => {
  if (name === undefined || host === undefined) return publicOrigin(app)
  const url = new URL(publicOrigin(app))
  url.hostname = name
  // Without PUBLIC_URL nothing is known of a proxy in front: the port is the one that the request names.
  if (app.config.PUBLIC_URL === undefined && host !== name) url.port = /:(\d+)$/.exec(host)?.[1] ?? ''
  return url.href.replace(/\/$/, '')
}

/** Bits that the networks of one house share: who has one address has all of its /64, and some have a whole /48. */
const house = 64
const site = 48

/** How many times as much a site may do as a house: it may be a company. */
export const siteShare = 8

const groups = (address: ipaddr.IPv6, bits: number): string => address.parts.slice(0, bits / 16)
  .map((part) => part.toString(16).padStart(4, '0')).join(':')

/**
 * @returns what a limit by address counts: an address of IPv4, and of IPv6 its network of 64 bits, written out, so that
 *   the networks of one site begin alike
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? `${groups(parsed, house)}::/${house}` : parsed.toString()
}

/** @returns the beginning of the networks of the same site; undefined for an address of IPv4 */
export const siteOf = (network: string): string | undefined =>
  network.endsWith(`::/${house}`) ? network.slice(0, site / 16 * 5) : undefined

/** @returns the key of a limit for whoever comes from an address */
export const byAddress = (what: string, address: string): string => `${what}:${networkOf(address)}`

/** Finds the network in such a key. */
export const addressIn = /:(?<network>(?:[0-9a-f]{4}:){4}:\/64)$/

/**
 * @param path of the page, as the browser client names it: its addresses are in the fragment
 * @returns where a browser opens a page of the workspace, at the workspace's own host
 */
export const pageUrl = ({ workspaces }: Pick<FastifyInstance, 'workspaces'>, workspaceId: string, path: string):
string => `${workspaces.originOf(workspaceId)}/#${path}`

/** @returns a link from another party, if a browser may be sent there; null for `javascript:` and the like */
export const toWebLink = (text: string | null | undefined): string | null =>
  text && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null

/**
 * @param path of the query; undefined = home
 * @returns a whole URL of this site: a path alone may begin with two slashes, and then names a host
 * @throws invalid_request for a URL of another site
 */
export const parseReturnTo = (path: string | undefined, home: string): string => {
  if (path === undefined || path === '') return home
  const { origin } = new URL(home)
  if (path.startsWith('/') && URL.canParse(path, origin)) {
    const target = new URL(path, origin)
    if (target.origin === origin) return target.href
  }
  const message = 'must be a path of this site'
  throw InvalidRequest(`/querystring/return_to ${message}`,
    { errors: [{ pointer: '/querystring/return_to', code: 'foreign', message }] })
}
