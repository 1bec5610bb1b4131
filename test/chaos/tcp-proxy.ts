import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from '../tap.js'

/** What the way to a server is like: as it should be, gone, swallowing everything, or late by so many milliseconds. */
export type Way = 'open' | 'down' | 'hole' | { lateMs: number }

/** One that is being shut down cannot be reset any more: Node would wait for its end for ever when the process ends. */
const reset = (socket: Socket): void => {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

/** A way to a TCP server that the test can spoil and mend, for connections that are there and for new ones. */
export class TcpProxy {
  way: Way = 'open'
  readonly #pairs = new Set<{ client: Socket, server: Socket }>()
  readonly #listener = createServer({ allowHalfOpen: true }, (client) => this.#take(client))

  constructor (private readonly target: { host: string, port: number }) {}

  get connections (): number {
    return this.#pairs.size
  }

  async listen (t: Pick<Test, 'teardown'>): Promise<number> {
    await new Promise<void>((resolve) => { this.#listener.listen(0, '127.0.0.1', resolve) })
    t.teardown(() => {
      this.#listener.close()
      this.reset()
    })
    // A TCP server that listens has an AddressInfo.
    return (this.#listener.address() as AddressInfo).port
  }

  /** Breaks every connection, as a server that dies does. */
  reset (): void {
    for (const { client, server } of this.#pairs) {
      reset(client)
      reset(server)
    }
    this.#pairs.clear()
  }

  /** From now on; connections that are there are broken when it goes down, and stay when it swallows. */
  become (way: Way): void {
    this.way = way
    if (way === 'down') this.reset()
  }

  #take (client: Socket): void {
    if (this.way === 'down') {
      client.resetAndDestroy()
      return
    }
    const server = connect(this.target)
    const pair = { client, server }
    this.#pairs.add(pair)
    this.#pass(client, server)
    this.#pass(server, client)
    const end = () => {
      client.destroy()
      server.destroy()
      this.#pairs.delete(pair)
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
  }

  #pass (from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      const { way } = this
      // What fell into the hole is lost, as packets are; the connection is of no use any more.
      if (way === 'hole') return
      if (typeof way === 'object') setTimeout(() => { if (!to.destroyed) to.write(chunk) }, way.lateMs)
      else to.write(chunk)
    })
    from.on('end', () => { if (this.way !== 'hole') to.end() })
  }
}
