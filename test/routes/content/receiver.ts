import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from '../../tap.js'

export interface Received { headers: IncomingHttpHeaders, body: string, path: string }

/**
 * A receiver of webhooks on loopback. It stores the requests and answers with the set status; 0 = no answer at all.
 * @param onReceived what happens before it answers
 */
export const startReceiver = async (t: Pick<Test, 'teardown'>, onReceived = async () => {}) => {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '' })
      await onReceived()
      const status = answers.shift() ?? 200
      if (status === 0) return request.socket.destroy()
      response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:9/' } : {}).end()
    })
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server that listens has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received, answers }
}
