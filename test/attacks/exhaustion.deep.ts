import { connect, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import t, { type Test } from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { adminToken, asAdmin, buildApp, makeEnvironment } from '../app.js'
import { until } from '../chat.js'
import { deliver, sign } from '../routes/codehost/hooks.js'
import { addressOf, walk } from './operations.js'
import { sampleOf } from './samples.js'

const head = `Host: x\r\nAuthorization: Bearer ${adminToken}\r\n`

/** Opens a socket that the test holds. `received` is what came back; `ended` resolves when the server has closed it. */
const hold = (t: Pick<Test, 'teardown'>, port: number, bytes: string) => {
  const socket: Socket = connect(port, '127.0.0.1')
  const held = { socket, received: '', isOpen: true, ended: Promise.resolve() }
  held.ended = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (text) => { held.received += text }).on('error', () => undefined)
      .once('close', () => {
        held.isOpen = false
        resolve()
      })
  })
  socket.write(bytes)
  t.teardown(() => socket.destroy())
  return held
}

const listen = async (app: Awaited<ReturnType<typeof build>>): Promise<number> => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  // A listening TCP server has such an address.
  return (app.server.address() as AddressInfo).port
}

t.test('G50: 500 sockets that send a byte a second, or nothing, are cut; meanwhile others are answered', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })
  const port = await listen(app)
  const ways = [
    'GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    `POST /account/projects HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"name":"`,
    ''
  ]
  const held = Array.from({ length: 500 }, (_, at) => hold(t, port, ways[at % ways.length] ?? ''))
  const drip = setInterval(() => {
    for (const [at, { socket, isOpen }] of held.entries()) if (isOpen && at % ways.length < 2) socket.write('x')
  }, 1_000)
  t.teardown(() => clearInterval(drip))
  await until(async () => await connections(app) === 500)
  const healthy = await fetch(`http://127.0.0.1:${port}/account/projects`, { headers: asAdmin })
  t.same([healthy.status, held.filter(({ isOpen }) => isOpen).length], [200, 500], 'answered while all are held')
  await healthy.text()
  await Promise.all(held.map(({ ended }) => ended))
  const statuses = new Set(held.filter(({ received }) => received !== '').map(({ received }) => received.slice(0, 12)))
  t.same([...statuses], ['HTTP/1.1 408'])
  t.same((await app.inject({ url: '/account/projects', headers: asAdmin })).json().items, [])
})

const connections = (app: Awaited<ReturnType<typeof build>>): Promise<number> => new Promise((resolve, reject) => {
  app.server.getConnections((error, count) => error ? reject(error) : resolve(count))
})

const frame = `data: ${JSON.stringify({ text: 'x'.repeat(60_000) })}\n\n`
const frames = 300

t.test('G51: a reader that does not read is dropped at a limit of bytes; the others receive everything', async (t) => {
  const settings = { SANDBOX: 'off', WORKER: 'false', LIMITS: '{"streams_per_user":60}' }
  const app = await build(readConfig(await makeEnvironment(t, settings)))
  t.teardown(() => app.close())
  // 18 MB to each reader, which no buffer of a socket holds; no provider sends that much.
  await app.register(async (scope) => {
    app.protect(scope, 'agent')
    scope.get('/flood', { sse: 'manual' }, (request, reply) => app.stream(request, reply, async (sink) => {
      for (let sent = 0; sent < frames && !sink.signal.aborted; sent++) {
        sink.write(frame)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    }))
  })
  const port = await listen(app)
  const request = `GET /flood HTTP/1.1\r\n${head}Accept: text/event-stream\r\nConnection: close\r\n\r\n`
  for (let at = 0; at < 5; at++) hold(t, port, request).socket.pause()
  const answer = await fetch(`http://127.0.0.1:${port}/flood`, { headers: { ...asAdmin, accept: 'text/event-stream' } })
  await until(() => app.openStreams.total === 6)
  t.equal((await answer.text()).split(frame).length - 1, frames, 'whoever reads receives everything')
  await until(() => app.openStreams.total === 0)
  t.ok(await connections(app) <= 1, 'no connection is kept for those who did not read')
})

t.test('G53: no list is asked for more than a page, whatever its limit says', async (t) => {
  const app = await buildApp(t, { WORKER: 'false', LIMITS: '{"requests_per_minute":1000000}' })
  const { operations, resolve } = walk(app)
  const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'))
  t.ok(lists.length > 20, `${lists.length} lists`)
  for (const operation of lists) {
    for (const limit of ['1000000000', '0', '-1', '1e9', '']) {
      const url = addressOf(operation, ({ name, in: location, required, schema }) =>
        name === 'limit'
          ? limit
          : name === 'repo_id'
            ? '7001'
            : location === 'path' || required ? String(sampleOf(schema, resolve)) : undefined)
      const answer = await app.inject({ method: operation.method, url, headers: asAdmin })
      t.same([answer.statusCode, answer.json().code], [400, 'invalid_request'], `${operation.id}, limit=${limit}`)
    }
  }
})

t.test('G53: a statement that takes too long is a 503, and the pool goes on', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })
  const write = () =>
    app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name: 'Late' } })
  await sql`create function take_too_long () returns trigger language plpgsql as
    $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`
    .execute(app.db)
  await sql`create trigger late before insert on account_project for each row execute function take_too_long()`
    .execute(app.db)
  const answers = await Promise.all(Array.from({ length: 20 }, write))
  for (const answer of answers) {
    t.same([answer.statusCode, answer.json().code, answer.headers['retry-after']], [503, 'database_unavailable', '2'])
  }
  await sql`drop trigger late on account_project`.execute(app.db)
  t.equal((await write()).statusCode, 201)
})

t.test('G54: while every connection is taken, health answers and the rest is refused; then all goes on', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off', WORKER: 'false' })
  // What waits for a connection keeps no process alive; a server that listens does.
  await listen(app)
  const { pool } = app.database
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  const order: string[] = []
  const refused = Promise.all(Array.from({ length: 30 }, async () => {
    const answer = await app.inject({ url: '/account/projects', headers: asAdmin })
    order.push('refused')
    return answer
  }))
  t.equal((await app.inject('/health')).statusCode, 200)
  order.push('health')
  for (const answer of await refused) {
    t.same([answer.statusCode, answer.json().code, answer.headers['retry-after']], [503, 'database_unavailable', '2'])
  }
  t.equal(order[0], 'health')
  for (const client of held) client.release()
  const after = await Promise.all(Array.from({ length: 30 }, () =>
    app.inject({ url: '/account/projects', headers: asAdmin })))
  t.same(after.filter(({ statusCode }) => statusCode !== 200), [])
})

t.test('G52: a hundred webhooks at once that are too large: none is kept in memory but a few, and then all goes on',
  async (t) => {
    const secret = 'the secret of a code host that is named'
    const app = await buildApp(t, { CODEHOST_URL: 'http://127.0.0.1:9', CODEHOST_WEBHOOK_SECRET: secret })
    const port = await listen(app)
    const signed = `Host: x\r\nContent-Type: application/json\r\nX-Hub-Signature-256: ${sign('x', secret)}\r\n`
    const post = (header: string, body = '') =>
      hold(t, port, `POST /webhooks/codehost HTTP/1.1\r\n${signed}${header}\r\n\r\n${body}`)
    const declared = Array.from({ length: 100 }, () => post('Content-Length: 27262976'))
    await until(() => declared.every((one) => one.received.includes('\r\n\r\n')))
    t.same([...new Set(declared.map((one) => one.received.slice(9, 12)))], ['413'], 'refused for the declared length')

    const undeclared = Array.from({ length: 100 }, () => post('Transfer-Encoding: chunked', '1\r\nx\r\n'))
    await until(() => undeclared.filter((one) => one.received !== '').length >= 98)
    const open = undeclared.filter((one) => one.received === '')
    t.equal(open.length, 2, 'as many as half of 128 MiB hold: the other half is for webhooks from elsewhere')
    const refused = undeclared.filter((one) => one.received !== '')
    t.same([...new Set(refused.map((one) => one.received.slice(9, 12)))], ['503'])
    const megabyte = 'x'.repeat(1_048_576)
    for (const { socket } of open) for (let at = 0; at < 26; at++) socket.write(`100000\r\n${megabyte}\r\n`)
    await until(() => open.every((one) => one.received !== ''))
    t.same(open.map((one) => one.received.slice(9, 12)), ['413', '413'])
    t.equal((await deliver(app, 'ping', { zen: 'Keep it logically awesome.' })).statusCode, 202)
  })
