import type { FastifyInstance, FastifyRequest } from 'fastify'

const everywhere = new Set(['0.0.0.0', '::'])

const hostOf = (host: string): string => {
  if (everywhere.has(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** @returns where a browser reaches this instance; with PORT=0 the port is known only once it listens */
export const publicOrigin = ({ config, server }: Pick<FastifyInstance, 'config' | 'server'>): string => {
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
export const browserOrigin = (app: FastifyInstance, { protocol, host, hostname }: FastifyRequest): string =>
  app.config.PUBLIC_URL === undefined && loopback.test(hostname) ? `${protocol}://${host}` : publicOrigin(app)
