import { gzipSync } from 'node:zlib'
import t from '../tap.js'
import { authorizationOf, listTools, redeem, refresh } from '../oauth.js'
import { startDocuments, type Served } from './document-peer.js'

const { served, asked, peer, steward, url, server, visitor } = await startDocuments(t)

/** As editors and commands publish theirs: the port of a program's own listener is any (RFC 8252, 7.3). */
const documentOf = (path: string, more: object = {}): string => JSON.stringify({
  client_id: `${peer.url}${path}`,
  client_name: 'An editor',
  client_uri: 'https://editor.example',
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  ...more
})

const localhost = 'http://localhost:54545/callback'

t.test('a program that publishes its document is let in without a registration', async (t) => {
  served.set('/client.json', { body: documentOf('/client.json') })
  const client = { client_id: `${peer.url}/client.json` }
  const authorization = await authorizationOf(server, client, { redirect_uri: localhost })
  const id = await visitor.ask(authorization.url)
  const { body: request } = await visitor.json('GET', `/oauth/consents/${id}/request`)
  t.same(request.client, { id: client.client_id, name: 'An editor', host: peer.host })
  t.same(request.redirect, { kind: 'computer', host: 'localhost:54545' })
  const { location = '' } = await visitor.decide(id)
  const tokens = await redeem(server, client, location, authorization, localhost)
  t.equal((await listTools(url, tokens.access_token)).status, 200)
  const next = await refresh(server, client, String(tokens.refresh_token))
  t.equal((await listTools(url, next.access_token)).status, 200)
  const { body: { items } } = await visitor.json('GET', '/account/assistants')
  t.match(items, [{ client_id: client.client_id, client_host: peer.host, redirect_host: 'localhost:54545' }])
})

t.test('its document is asked for once, by a request that names no person', (t) => {
  t.same(asked.map(({ path }) => path), ['/client.json'])
  const { connection: _, ...headers } = asked[0]?.headers ?? {}
  t.same(headers, { accept: 'application/json', 'user-agent': 'steward', host: peer.host })
  t.end()
})

t.test('a packed document is read as well', async (t) => {
  const headers = { 'content-encoding': 'gzip' }
  served.set('/packed.json', { headers, body: gzipSync(documentOf('/packed.json')) })
  const { url: address } = await authorizationOf(server, { client_id: `${peer.url}/packed.json` },
    { redirect_uri: 'http://127.0.0.1:1/callback' })
  t.type(await visitor.ask(address), 'string')
})

t.test('what is no document of this client lets nobody in, and leads nowhere', async (t) => {
  const elsewhere = { location: `${peer.url}/client.json` }
  const wrong: Record<string, Served> = {
    '/other.json': { body: documentOf('/client.json') },
    '/moved.json': { status: 302, headers: elsewhere },
    '/large.json': { body: documentOf('/large.json', { client_name: 'x'.repeat(20_000) }) },
    '/page.json': { headers: { 'content-type': 'text/html' }, body: '<!doctype html>' },
    '/list.json': { body: '[]' },
    '/gone.json': { status: 410, body: documentOf('/gone.json') },
    '/bomb.json': { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(5_000_000, ' ')) },
    '/secret.json': { body: documentOf('/secret.json', { token_endpoint_auth_method: 'client_secret_post' }) },
    '/shared.json': { body: documentOf('/shared.json', { client_secret: 'x'.repeat(40) }) },
    '/clear.json': { body: documentOf('/clear.json', { redirect_uris: ['http://editor.example/callback', localhost] }) },
    '/script.json': { body: documentOf('/script.json', { redirect_uris: ['javascript:alert(1)', localhost] }) }
  }
  for (const [path, answer] of Object.entries(wrong)) {
    served.set(path, answer)
    const { url: address } = await authorizationOf(server, { client_id: `${peer.url}${path}` },
      { redirect_uri: localhost })
    const { status, location, text } = await visitor.visit(address)
    t.same([status, location], [400, undefined], path)
    t.match(text, /invalid_(client|client_metadata|redirect_uri)\b/, path)
  }
  t.equal(asked.filter(({ path }) => path === '/client.json').length, 1, 'no redirect is followed')
})

t.test('a code goes to no address that is not in the document', async (t) => {
  for (const uri of ['http://localhost:54545/other', 'https://localhost/callback', 'http://localhost.evil.example/callback',
    'http://localhost@evil.example/callback', 'https://editor.example/callback']) {
    const client = { client_id: `${peer.url}/client.json` }
    const { url: address } = await authorizationOf(server, client, { redirect_uri: uri })
    const { status, location } = await visitor.visit(address)
    t.same([status, location], [400, undefined], uri)
  }
})

t.test('the library writes nothing past the log', (t) => {
  t.equal(steward.errors, '')
  t.same(steward.output.split('\n').filter((line) => line !== '' && !line.startsWith('{')), [])
  t.end()
})
