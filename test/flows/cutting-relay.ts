import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from '../tap.js'

const headEnd = Buffer.from('\r\n\r\n')

/** Replaces by the same length, so that the framing of the answer stays valid. */
const replace = (chunk: Buffer, what: RegExp, by: string): Buffer =>
  Buffer.from(chunk.toString('latin1').replace(what, (found) => by.padEnd(found.length)), 'latin1')

/** A client comes back at once, and by a connection of its own. */
const hastened = (chunk: Buffer): Buffer =>
  replace(replace(chunk, /retry: 2000/, 'retry: 0001'), /^connection: keep-alive/im, 'connection: close')

/** A way to a server that breaks connections after so many bytes of an answer's body, whatever those are. */
export class CuttingRelay {
  /** How many bytes the next answers pass; without one they pass all. A browser opens connections to have them, too. */
  cuts: number[] = []
  connections = 0
  readonly #sockets = new Set<Socket>()
  readonly #listener = createServer((client) => this.#take(client))

  constructor (private readonly target: { host: string, port: number }) {}

  async listen (t: Pick<Test, 'teardown'>): Promise<string> {
    await new Promise<void>((resolve) => { this.#listener.listen(0, '127.0.0.1', resolve) })
    t.teardown(() => {
      this.#listener.close()
      for (const socket of this.#sockets) socket.destroy()
    })
    // A TCP server that listens has an AddressInfo.
    return `http://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`
  }

  #take (client: Socket): void {
    const server = connect(this.target)
    this.connections++
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', () => {}).on('close', () => {
        this.#sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.pipe(server)
    this.#answer(client, server)
  }

  #answer (client: Socket, server: Socket): void {
    let head = Buffer.alloc(0)
    let left: number | undefined
    server.on('data', (chunk: Buffer) => {
      let piece = hastened(chunk)
      if (left === undefined) {
        head = Buffer.concat([head, piece])
        const end = head.indexOf(headEnd)
        if (end === -1) return
        left = (this.cuts.shift() ?? Infinity) + end + headEnd.length
        piece = head
      }
      const passed = piece.subarray(0, left)
      left -= passed.length
      // What was written must arrive before the end, or the cut would be earlier.
      if (left === 0) client.end(passed)
      else client.write(passed)
    })
  }
}
