import { connect, type Socket } from 'node:net'
import t, { type Test } from '../tap.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../app.js'

/** Less than the time-out of a connection, by which the stop would end as well. */
const soonMs = 20_000

const listen = async (t: Test) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const open = async (text: string): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
    await new Promise((resolve) => socket.once('connect', resolve))
    if (text !== '') socket.write(text)
    t.teardown(() => socket.destroy())
    return socket
  }
  return { app, open }
}

const texts = { 'no request': '', 'half a request': 'GET /health HTTP/1.1\r\nHost: here\r\n' }

for (const [name, text] of Object.entries(texts)) {
  t.test(`a connection that has sent ${name} does not hold up the stop`, async (t) => {
    const { app, open } = await listen(t)
    const socket = await open(text)
    // The server has seen the connection when it answers another one.
    const other = await open('GET /health HTTP/1.1\r\nHost: here\r\n\r\n')
    await new Promise((resolve) => other.once('data', resolve))
    const closed = new Promise((resolve) => socket.resume().once('close', resolve)).then(() => 'closed')
    const stopped = app.close().then(() => 'stopped')
    t.equal(await Promise.race([stopped, sleep(soonMs, 'late', { ref: false })]), 'stopped')
    t.equal(await closed, 'closed')
  })
}
