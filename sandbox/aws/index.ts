import type { FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { buildAwsSandbox } from './app.js'
import { CONTROL_PREFIX } from './constants.js'
import type { SandboxOptions } from './sandbox.js'

export { buildAwsSandbox }
export * from './constants.js'
export type { SandboxOptions } from './sandbox.js'

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

export interface RunningSandbox {
  /** The endpoint for every AWS client. */
  url: string
  /** Where the control path begins. */
  controlUrl: string
  app: FastifyInstance
  close (): Promise<void>
}

/** Starts the stand-in on a free port of the loopback interface; it refuses to listen anywhere else. */
export async function startAwsSandbox (
  options: SandboxOptions & { host?: string, port?: number } = {}
): Promise<RunningSandbox> {
  const { host = '127.0.0.1', port = 0, ...rest } = options
  if (!LOOPBACK.includes(host)) throw new Error(`The AWS sandbox listens on loopback only, not on ${host}`)
  const app = buildAwsSandbox(rest)
  await app.listen({ host, port })
  // A server that listens on TCP has such an address.
  const address = app.server.address() as AddressInfo
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  return { url, controlUrl: url + CONTROL_PREFIX, app, close: () => app.close() }
}
