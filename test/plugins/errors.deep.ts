import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import t from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { asAdmin, buildApp, makeEnvironment } from '../app.js'
import { problemOf } from '../routes/account/actors.js'

const app = await buildApp(t, { SANDBOX: 'off' })

t.test('F47: a fault of ours is reported without SQL, names or a stack', async (t) => {
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

/** Steward, and the lines of its log. */
const startLogged = async (overrides: Record<string, string>) => {
  const lines: { level: number, msg: string, code?: string, status?: number }[] = []
  const stream = { write: (line: string) => { lines.push(JSON.parse(line)) } }
  const logged = await build(readConfig(await makeEnvironment(t, overrides)), { level: 'info', stream })
  t.teardown(() => logged.close())
  await logged.ready()
  return { logged, lines }
}

t.test('an address of a person that cannot be reached is no error of ours in the log; a fault is', async (t) => {
  const { logged, lines } = await startLogged({ SANDBOX: 'off', OUTBOUND_ALLOW: '127.0.0.1' })
  const post = (url: string, payload: object) => logged.inject({ method: 'POST', url, headers: asAdmin, payload })
  const { session_id: id } = (await post('/pse/sessions', { title: 'Lamps' })).json()
  // Port 9 is the discard service, which is not installed.
  const answer = await post(`/pse/sessions/${id}/inputs`, { inputs: [{ kind: 'url', url: 'http://127.0.0.1:9/' }] })
  t.match([answer.statusCode, answer.json().code], [502, 'url_unreachable'])
  t.same(lines.filter(({ level }) => level >= 40), [])
  t.match(lines.at(-1), { level: 30, msg: 'request', status: 502, code: 'url_unreachable' })
  await sql`alter table account_project rename to account_project_gone`.execute(logged.db)
  t.equal((await logged.inject({ url: '/account/projects', headers: asAdmin })).statusCode, 500)
  t.match(lines.filter(({ level }) => level >= 40), [{ level: 50, msg: 'request failed', code: 'internal' }])
})

t.test('a request to an instance that stops is answered as a problem', async (t) => {
  const { logged } = await startLogged({ SANDBOX: 'off' })
  const url = await logged.listen({ host: '127.0.0.1', port: 0 })
  const answers: Response[] = []
  logged.onDrain(async () => { answers.push(await fetch(`${url}/account/me`, { headers: asAdmin })) })
  await logged.close()
  const [answer] = answers
  t.same([answer?.status, answer?.headers.get('content-type'), answer?.headers.get('retry-after')],
    [503, 'application/problem+json', '2'])
  t.match(await answer?.json(), { code: 'shutting_down', title: 'This instance is shutting down', request_id: /./ })
})
