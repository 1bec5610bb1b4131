import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { controlPath, newControlToken } from './control-path.js'

/** An emulator that listens. */
export interface Served {
  url: string
  /** Where it is steered: the path has a random token, so that no other process of this machine finds it. */
  controlUrl: string
  /** Builds it now, so that the first request does not wait for it. */
  warm: () => Promise<void>
  close: () => Promise<void>
}

export type Build = (options: { controlToken: string }) => Promise<FastifyInstance>

/** Listens on loopback at once and builds the sandbox at its first request: a start does not wait for it. */
export const serveLazily = async (build: Build): Promise<Served> => {
  const controlToken = newControlToken()
  let built: Promise<FastifyInstance> | undefined
  const get = () => {
    built ??= build({ controlToken }).then(async (app) => {
      await app.ready()
      return app
    })
    return built
  }
  const answer: RequestListener = (request, response) => {
    get().then((app) => app.routing(request, response), (error: Error) => response.destroy(error))
  }
  const server = createServer(answer)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    controlUrl: url + controlPath(controlToken),
    warm: async () => { await get() },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await (await built)?.close()
    }
  }
}
