import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'

/** A test's view of a site: the received requests, and responses to lose. */
export interface SiteControl {
  url: string
  calls: string[]
  /** Carries out the next writes without a response: all, or those whose address has this in it. */
  loseAnswers: (times: number, at?: string) => void
  /** Answers the next requests with this status, after it has let some through. */
  refuse: (status: number, times: number, after?: number) => void
  close: () => Promise<void>
}

interface Faults { lose: number, at: string, refuse: { status: number, times: number, after: number } }

const addFaults = (app: FastifyInstance, calls: string[], faults: Faults): void => {
  app.addHook('onRequest', async (request, reply) => {
    calls.push(`${request.method} ${request.url}`)
    if (faults.refuse.times === 0 || faults.refuse.after-- > 0) return
    faults.refuse.times--
    return reply.code(faults.refuse.status).send({ message: 'refused' })
  })
  app.addHook('onSend', async (request) => {
    if (request.method === 'GET' || faults.lose === 0 || !request.url.includes(faults.at)) return
    faults.lose--
    request.raw.socket.destroy()
  })
}

/** Starts a site on a free loopback port. */
export const startSite = async (define: (app: FastifyInstance) => void): Promise<SiteControl> => {
  const app = Fastify({ forceCloseConnections: true })
  const calls: string[] = []
  const faults: Faults = { lose: 0, at: '', refuse: { status: 500, times: 0, after: 0 } }
  addFaults(app, calls, faults)
  define(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  // A listening TCP server has an AddressInfo.
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    loseAnswers: (times, at = '') => Object.assign(faults, { lose: times, at }),
    refuse: (status, times, after = 0) => { faults.refuse = { status, times, after } },
    close: () => app.close()
  }
}
