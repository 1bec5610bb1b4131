import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from '../../../test/tap.js'
import {
  SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET, sandboxToken, startCodehostSandbox
} from '../src/codehost/index.js'

const sandbox = await startCodehostSandbox()
t.teardown(() => sandbox.close())

const api = (path: string, login = 'octavia', headers: Record<string, string> = {}) =>
  fetch(`${sandbox.url}/api/v3${path}`, { headers: { authorization: `token ${sandboxToken(login)}`, ...headers } })

const steer = async (method: string, path: string, body?: object) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${sandbox.controlUrl}${path}`,
    { method, ...(body && { headers, body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return await answer.json() as Record<string, unknown>
}

t.test('a private repository does not exist for who may not see it', async (t) => {
  t.equal((await api('/repos/larkspur/api')).status, 200)
  t.equal((await api('/repos/larkspur/api', 'mallory')).status, 404)
  t.equal((await api('/repositories/7002')).status, 200, 'by its id too')
  t.equal((await fetch(`${sandbox.url}/api/v3/user`)).status, 401)
})

t.test('lists have pages with links, and answers tags by which they are asked for again', async (t) => {
  const first = await api('/repos/larkspur/web/commits?per_page=2')
  t.match(first.headers.get('link'), /<[^>]*[?&]page=2[^>]*>; rel="next"/)
  t.equal((await first.json() as unknown[]).length, 2)
  const etag = first.headers.get('etag') ?? ''
  t.ok(etag)
  t.equal((await api('/repos/larkspur/web/commits?per_page=2', 'octavia', { 'if-none-match': etag })).status, 304)
})

t.test('a code is exchanged once, with its verifier; refusals have status 200', async (t) => {
  const verifier = 'v'.repeat(64)
  const query = new URLSearchParams({
    client_id: SANDBOX_CLIENT_ID,
    redirect_uri: 'http://127.0.0.1:1/callback',
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login: 'bruno'
  })
  const sent = await fetch(`${sandbox.url}/login/oauth/authorize?${query}`, { redirect: 'manual' })
  t.equal(sent.status, 302)
  const target = new URL(sent.headers.get('location') ?? '')
  t.equal(target.searchParams.get('state'), 'a state')
  const exchange = async (code_verifier: string) => {
    const answer = await fetch(`${sandbox.url}/login/oauth/access_token`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({
        client_id: SANDBOX_CLIENT_ID,
        client_secret: SANDBOX_CLIENT_SECRET,
        code: target.searchParams.get('code') ?? '',
        redirect_uri: 'http://127.0.0.1:1/callback',
        code_verifier
      })
    })
    return { status: answer.status, body: await answer.json() as Record<string, string> }
  }
  const { status, body } = await exchange(verifier)
  t.equal(status, 200)
  const user = await fetch(`${sandbox.url}/api/v3/user`, { headers: { authorization: `Bearer ${body.access_token}` } })
  t.match(await user.json(), { id: 5002, login: 'bruno' })
  const again = await exchange(verifier)
  t.same([again.status, typeof again.body.error, again.body.access_token], [200, 'string', undefined])
})

t.test('webhooks are signed, and sent again under the same id', async (t) => {
  const received: { headers: IncomingHttpHeaders, body: string }[] = []
  let status = 503
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body })
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  await steer('PUT', '/hook', { url: `http://127.0.0.1:${port}/hook`, secret: 'of this hook' })
  const { sha } = await steer('POST', '/commits', { repository: 'larkspur/web', files: { 'a.txt': 'a' } })
  const [push] = received
  t.match(push?.headers, { 'x-github-event': 'push', 'content-type': 'application/json' })
  t.equal(push?.headers['x-hub-signature-256'],
    `sha256=${createHmac('sha256', 'of this hook').update(push?.body ?? '').digest('hex')}`)
  t.match(JSON.parse(push?.body ?? ''), { ref: 'refs/heads/main', after: sha, repository: { id: 7001 } })
  const [hook] = await (await api('/repos/larkspur/web/hooks')).json() as { id: number }[]
  const path = `/repos/larkspur/web/hooks/${hook?.id}/deliveries`
  const [failed] = await (await api(path)).json() as { id: number, guid: string, status_code: number }[]
  t.equal(failed?.status_code, 503)
  status = 202
  const asked = await fetch(`${sandbox.url}/api/v3${path}/${failed?.id}/attempts`,
    { method: 'POST', headers: { authorization: `token ${sandboxToken('octavia')}` } })
  t.equal(asked.status, 202)
  // Answers when what was sent was answered.
  await steer('GET', '/deliveries')
  t.same(received.map(({ headers }) => headers['x-github-delivery']), [failed?.guid, failed?.guid])
  t.equal(received[1]?.body, push?.body)
})

t.test('the history of refs, newest first', async (t) => {
  const changes = await (await api('/repos/larkspur/web/activity?per_page=3')).json() as
    { timestamp: string, ref: string, activity_type: string }[]
  t.equal(changes.length, 3)
  t.match(changes[0], { ref: 'refs/heads/main', activity_type: 'push', before: /^[0-9a-f]{40}$/ })
  const times = changes.map(({ timestamp }) => timestamp)
  t.same(times, times.toSorted().toReversed())
})

t.test('faults hit what they are armed for, and no more often', async (t) => {
  await steer('POST', '/faults', { kind: 'secondary_limit', operation: 'listActivity', times: 1, retry_after: 9 })
  const limited = await api('/repos/larkspur/web/activity')
  t.same([limited.status, limited.headers.get('retry-after')], [403, '9'])
  t.equal((await api('/repos/larkspur/web/activity')).status, 200)
  await steer('POST', '/faults', { kind: 'cut', operation: 'listActivity', times: 1 })
  await t.rejects(api('/repos/larkspur/web/activity').then((answer) => answer.text()))
  await steer('DELETE', '/tokens', { login: 'bruno' })
  t.equal((await api('/user', 'bruno')).status, 401)
  await steer('POST', '/reset')
  t.equal((await api('/user', 'bruno')).status, 200)
})
