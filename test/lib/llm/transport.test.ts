import { getEventListeners, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from '../../tap.js'
import { collect, createTransport, destinationOf } from '../../../lib/llm/transport.js'

const ports: (number | undefined)[] = []
/** Answers with what it received; a request for /silent is left waiting after its first byte. */
const server = createServer((request, response) => {
  ports.push(request.socket.remotePort)
  if (request.url === '/silent') return response.write('.')
  const { method, url, headers } = request
  void collect(request).then((body) => response.end(JSON.stringify({ method, url, headers, body: body.toString() })))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const transport = createTransport()
t.teardown(() => {
  transport.close()
  server.close().closeAllConnections()
})

const destination = (path: string) => destinationOf(origin + path, new Headers({ 'x-api-key': 'k' }))

t.test('a request is sent in parts as one body, with its headers and the host', async (t) => {
  const body = [Buffer.from('{"a":'), Buffer.from('"ü"}')]
  const answer = await transport.send(destination('/v1/messages?beta=true'), { method: 'POST', body })
  t.same(JSON.parse((await collect(answer)).toString()), {
    method: 'POST',
    url: '/v1/messages?beta=true',
    headers: {
      'x-api-key': 'k', host: new URL(origin).host, 'content-length': '10', connection: 'keep-alive'
    },
    body: '{"a":"ü"}'
  })
})

t.test('credentials in the address are sent as such, unless there are others', async (t) => {
  const url = 'http://name:word@host:81/v1'
  t.same(destinationOf(url, new Headers()),
    {
      isSecure: false,
      hostname: 'host',
      port: 81,
      path: '/v1',
      headers: ['authorization', 'Basic bmFtZTp3b3Jk', 'host', 'host:81']
    })
  t.same(destinationOf(url, new Headers({ authorization: 'Bearer x' })).headers,
    ['authorization', 'Bearer x', 'host', 'host:81'])
  t.match(destinationOf('https://[::1]/', new Headers()), { isSecure: true, hostname: '::1', headers: ['host', '[::1]'] })
})

t.test('many calls of one run leave nothing on its signal', async (t) => {
  const { signal } = new AbortController()
  for (let calls = 0; calls < 12; calls++) await collect(await transport.send(destination('/'), { body: [], signal }))
  await sleep(10)
  t.same(getEventListeners(signal, 'abort'), [])
})

t.test('a connection that was used before is watched for silence, and not after its answer', async (t) => {
  let idle = 0
  const watched = { body: [], idle: { ms: 100, onIdle: () => { idle++ } } }
  await collect(await transport.send(destination('/'), watched))
  const answer = await transport.send(destination('/silent'), watched)
  t.equal(ports.at(-1), ports.at(-2), 'the same connection')
  await t.rejects(collect(answer))
  t.equal(idle, 1)
  await collect(await transport.send(destination('/'), watched))
  await sleep(300)
  t.equal(idle, 1, 'whoever has its answer is left alone')
})

t.test('an abort ends a request before its answer and within it', async (t) => {
  await t.rejects(transport.send(destination('/'), { body: [], signal: AbortSignal.abort() }), { message: 'aborted' })
  const leave = new AbortController()
  const answer = await transport.send(destination('/silent'), { body: [], signal: leave.signal })
  leave.abort()
  await t.rejects(collect(answer))
})

t.test('an address that may not be dialled is not, with the reason of whoever resolves names', async (t) => {
  const guarded = createTransport((_host, _options, callback) => callback(new Error('not a public one'), '', 4))
  t.teardown(() => guarded.close())
  ports.length = 0
  const named = destinationOf(origin.replace('127.0.0.1', 'localhost'), new Headers())
  await t.rejects(guarded.send(named, { method: 'POST', body: [] }), { message: 'not a public one' })
  t.same(ports, [])
})
