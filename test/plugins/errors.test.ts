import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import t from 'tap'
import { asAdmin, buildApp } from '../app.js'
import { problemOf } from '../routes/account/actors.js'

const app = await buildApp(t, { SANDBOX: 'off' })

t.test('F47: a fault of ours is told without SQL, names or a stack', async (t) => {
  await sql`alter table account_project rename to account_project_gone`.execute(app.db)
  const answer = await app.inject({ url: '/account/projects', headers: asAdmin })
  t.same([answer.statusCode, answer.headers['content-type'], problemOf(answer)], [500, 'application/problem+json', {
    type: 'urn:steward:error:internal',
    title: 'Something went wrong here',
    status: 500,
    detail: 'Something went wrong here',
    code: 'internal'
  }])
})

t.test('the connection of a body that is too large was closed while it was sent, and the answer lost', async (t) => {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const headers = { ...asAdmin, 'content-type': 'application/json', 'content-length': 30_000_000 }
  const sending = request(`${url}/account/projects`, { method: 'POST', agent, headers })
  const answered = once(sending, 'response')
  sending.flushHeaders()
  const [answer] = await answered
  t.equal(answer.statusCode, 413)
  const port = sending.socket?.localPort
  sending.end(Buffer.alloc(30_000_000, 32))
  t.match(JSON.parse(await text(answer)), { code: 'payload_too_large' })
  const next = request(`${url}/none`, { agent, headers: asAdmin }).end()
  const [after] = await once(next, 'response')
  t.same([after.statusCode, next.socket?.localPort], [404, port], 'the connection goes on')
  after.resume()
})
