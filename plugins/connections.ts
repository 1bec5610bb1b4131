import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'

const pollMs = 250

/** A client that has opened a connection may be about to send its first request. */
const silentMs = 1_000

/**
 * Until a proxy has seen that `/ready` is not 200: it sends what comes meanwhile over connections that it keeps, and
 * would lose what it sends over one that is just being closed.
 */
const noticeMs = 1_500

/** Requests under way have until here, of the 30 seconds that a stop may take. */
const requestMs = 25_000

/**
 * A stop waits for requests that are under way, and for nothing else: the server closes by itself only the connections
 * that are idle at that moment. One that never sent a whole request, as browsers and load balancers open them in
 * advance, and one that was answered a moment later, would hold up the stop for as long as their time-outs are.
 */
export default fp(async (app) => {
  const silent = new Set<Socket>()
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    for (const sockets of [silent, open]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    const began = Date.now()
    let closedAt: number | undefined
    timer = setInterval(() => {
      if (app.server.listening) return
      closedAt ??= Date.now()
      app.server.closeIdleConnections()
      if (Date.now() - closedAt > silentMs) for (const socket of silent) socket.destroy()
      if (Date.now() - began > requestMs) app.server.closeAllConnections()
    }, pollMs)
    // The answers meanwhile, 503, end their connections.
    if (open.size > silent.size) await sleep(noticeMs)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}, { name: 'connections' })
