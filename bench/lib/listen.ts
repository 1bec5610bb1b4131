import type { Server } from 'node:http'

/** Serves on the loopback port that the environment names, until SIGTERM. */
export const listen = (server: Server): void => {
  server.keepAliveTimeout = 60_000
  // A burst of 2,000 connections must not wait in the kernel for the second SYN.
  server.listen({ host: '127.0.0.1', port: Number(process.env.PORT), backlog: 4096 })
  process.once('SIGTERM', () => process.exit(0))
  // The harness holds the other end of the channel: when it dies, so do its children.
  process.once('disconnect', () => process.exit(0))
}
