import type { FastifyInstance, FastifyRequest } from 'fastify'

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
