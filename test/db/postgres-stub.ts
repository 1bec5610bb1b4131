import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from '../tap.js'

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const authenticated = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
const empty = Buffer.concat([message('C', Buffer.from('SELECT 0\0')), ready])

/**
 * As much of PostgreSQL as it takes to misbehave: it lets everybody in, and then does with each query what the test
 * says. It needs no database, so what happens on the way to one is tried wherever the tests run.
 */
export const startPostgresStub = async (t: Pick<Test, 'teardown'>,
  onQuery: (socket: Socket, count: number) => 'answer' | 'nothing',
  onConnect: (count: number) => boolean = () => true) => {
  let connections = 0
  let queries = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)))
    if (!onConnect(++connections)) return socket.destroy()
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticated, ready]))
      socket.on('data', (chunk) => {
        if (chunk[0] === 'X'.charCodeAt(0)) return socket.end()
        if (onQuery(socket, ++queries) === 'answer') socket.write(empty)
      })
    })
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // A TCP server that listens has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://steward@127.0.0.1:${port}/steward`,
    get connections () { return connections },
    breakAll () { for (const socket of sockets) socket.destroy() }
  }
}
