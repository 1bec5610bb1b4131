import type { FastifyInstance } from 'fastify'

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
