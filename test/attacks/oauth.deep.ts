import { sql } from 'kysely'
import * as oauth from 'oauth4webapi'
import t from '../tap.js'
import { hashToken } from '../../lib/security/tokens.js'
import { asAdmin } from '../app.js'
import {
  askAsDevice, authorizationOf, bearer, callback, connect, listTools, redeem, refresh, refusalOf, register, startOauth,
  visitorOf
} from '../oauth.js'
import { makeWorkspace } from '../routes/account/actors.js'
import { Visitor } from '../visitor.js'

const limits = JSON.stringify({ oauth_registrations_per_hour: 1_000, oauth_clients: 1_000 })
const { app, url, server } = await startOauth(t, { LIMITS: limits })
const { id: ada, visitor } = await visitorOf(app, url, 'Ada', 'admin')
const insecure = { [oauth.allowInsecureRequests]: true }

/** A token request, to the letter as an attacker writes it. */
const ask = async (fields: Record<string, string>) => {
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: answer.status, body: await answer.json() as Record<string, unknown> }
}

const codeFor = async (client: oauth.Client, more: Record<string, string> = {}) => {
  const authorization = await authorizationOf(server, client, more)
  const { location = '' } = await visitor.decide(await visitor.ask(authorization.url))
  return { ...authorization, location, code: new URL(location).searchParams.get('code') ?? '' }
}

t.test('a code goes to no address that the client has not registered (RFC 9700, 2.1)', async (t) => {
  const client = await register(server, { redirect_uris: ['https://app.example/callback'] })
  for (const uri of ['https://evil.example/', 'https://app.example/callback/../evil', 'https://app.example/callback?x=1',
    'https://app.example.evil.example/callback', 'https://app.example/callbac', 'http://app.example/callback']) {
    const { url: address } = await authorizationOf(server, client, { redirect_uri: uri })
    const { status, location, text } = await visitor.visit(address)
    t.same([status, location], [400, undefined], uri)
    t.match(text, /invalid_redirect_uri/)
  }
})

t.test('no client registers an address in the clear, or one that is a script', async (t) => {
  for (const uri of ['http://app.example/callback', 'javascript:alert(1)', 'data:text/html,x', 'https://app.example/#x']) {
    for (const more of [{}, { application_type: 'web' }]) {
      t.equal(await refusalOf(register(server, { redirect_uris: [uri], ...more })), 'invalid_redirect_uri', uri)
    }
  }
})

t.test('a code with another redirect, verifier or client is worth nothing (4.5)', async (t) => {
  const [client, other] = [await register(server), await register(server)]
  const grant = { grant_type: 'authorization_code', client_id: client.client_id, redirect_uri: callback }
  const mine = await codeFor(client)
  const injected = await codeFor(client)
  const wrong = [
    { ...grant, code: injected.code, code_verifier: mine.verifier },
    { ...grant, code: mine.code, code_verifier: mine.verifier, redirect_uri: 'http://127.0.0.1:7777/other' },
    { ...grant, code: mine.code, code_verifier: mine.verifier, client_id: other.client_id }
  ]
  for (const fields of wrong) t.match(await ask(fields), { status: 400, body: { error: 'invalid_grant' } })
  const none = await ask({ ...grant, code: mine.code })
  t.match(none, { status: 400, body: { error: 'invalid_grant' } }, 'without a verifier')
})

t.test('PKCE is not optional, and never plain (4.8.2)', async (t) => {
  const client = await register(server)
  const weak: Record<string, string>[] = [{ code_challenge: '', code_challenge_method: '' },
    { code_challenge_method: 'plain' },
    { code_challenge_method: '' }]
  for (const more of weak) {
    const { url: address } = await authorizationOf(server, client, more)
    const { status, location, text } = await visitor.visit(address)
    t.same([status, location], [400, undefined])
    t.match(text, /invalid_request/)
  }
})

t.test('a code that comes twice ends what the first has got, also when both come at once (4.5)', async (t) => {
  const client = await register(server)
  const first = await codeFor(client)
  const tokens = await redeem(server, client, first.location, first)
  t.equal((await listTools(url, tokens.access_token)).status, 200)
  t.equal(await refusalOf(redeem(server, client, first.location, first)), 'invalid_grant')
  t.equal((await listTools(url, tokens.access_token)).status, 401)
  t.equal(await refusalOf(refresh(server, client, String(tokens.refresh_token))), 'invalid_grant')
  const second = await codeFor(client)
  const taken = await Promise.all(Array.from({ length: 8 }, () =>
    refusalOf(redeem(server, client, second.location, second))))
  t.ok(taken.filter((one) => one === 'taken').length <= 1, taken.join())
})

t.test('a refresh token whose successor was used ends the family (4.14)', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  const next = await refresh(server, client, String(tokens.refresh_token))
  const last = await refresh(server, client, String(next.refresh_token))
  t.equal(await refusalOf(refresh(server, client, String(tokens.refresh_token))), 'invalid_grant')
  t.equal((await listTools(url, last.access_token)).status, 401)
  t.equal(await refusalOf(refresh(server, client, String(last.refresh_token))), 'invalid_grant')
})

t.test('a refresh token that comes again later than 30 s ends the family, used or not', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  const before = String(tokens.refresh_token)
  const next = await refresh(server, client, before)
  const age = (seconds: number) => sql`update account_oauth_state
    set consumed_at = now() - make_interval(secs => ${seconds}) where hash = ${hashToken(before)}`.execute(app.db)
  await age(25)
  t.equal((await refresh(server, client, before)).refresh_token, next.refresh_token)
  await age(31)
  t.equal(await refusalOf(refresh(server, client, before)), 'invalid_grant')
  t.equal((await listTools(url, next.access_token)).status, 401)
  t.equal(await refusalOf(refresh(server, client, String(next.refresh_token))), 'invalid_grant')
})

t.test('who stole a refresh token has none but those of the line, and another client repeats nothing', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  const other = await register(server)
  const next = await refresh(server, client, String(tokens.refresh_token))
  t.equal(await refusalOf(refresh(server, other, String(tokens.refresh_token))), 'invalid_grant')
  const stolen = await refresh(server, client, String(tokens.refresh_token))
  t.equal(stolen.refresh_token, next.refresh_token, 'so that the second to use it late is seen')
})

t.test('a token is taken by its resource alone (RFC 8707), and no refresh changes that', async (t) => {
  const tools = await connect({ server }, visitor)
  const api = await connect({ server }, visitor, { parameters: { resource: url, scope: 'account:read' } })
  const read = (token: string) => fetch(`${url}/account/me`, { headers: bearer(token) })
  t.same([(await read(tools.tokens.access_token)).status, (await read(api.tokens.access_token)).status], [401, 200])
  const list = async ({ tokens }: typeof api) => (await listTools(url, tokens.access_token)).status
  t.same([await list(tools), await list(api)], [200, 200], '/mcp is a part of the origin, and not the other way round')
  t.equal(await refusalOf(refresh(server, tools.client, String(tools.tokens.refresh_token), { resource: url })),
    'invalid_target')
  for (const resource of ['https://elsewhere.example/mcp', `${url}/account`, `${url}/mcp/x`]) {
    const { url: address } = await authorizationOf(server, tools.client, { resource })
    t.match((await visitor.visit(address)).text, /invalid_target/, resource)
  }
})

t.test('no refresh widens the scopes, and no consent gives a program approvals', async (t) => {
  const { client, tokens } = await connect({ server }, visitor, { parameters: { scope: 'agent:read approvals:write' } })
  t.equal(tokens.scope, 'agent:read')
  t.equal(await refusalOf(refresh(server, client, String(tokens.refresh_token), { scope: 'agent:read cloud:read' })),
    'invalid_scope')
  const api = await connect({ server }, visitor, { parameters: { resource: url, scope: 'agent:write' } })
  const decided = await fetch(`${url}/api/v1/agent/confirm`, {
    method: 'POST',
    headers: { ...bearer(api.tokens.access_token), 'content-type': 'application/json' },
    body: JSON.stringify({ confirmation_id: '01900000-0000-7000-8000-000000000000', decision: 'approve' })
  })
  t.same([decided.status, decided.headers.get('x-error-code')], [403, 'assistant_token'])
})

t.test('no other program gets approvals, whatever it calls itself, and the command only for the API', async (t) => {
  const scope = 'agent:read approvals:write'
  const grants = ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token']
  const other = await register(server, { client_name: 'Steward command line', grant_types: grants, response_types: [] })
  for (const fields of [{ client: other }, { client: other, resource: url }, { resource: `${url}/mcp` }]) {
    const { id, poll } = await askAsDevice({ server }, visitor, { scope, ...fields })
    t.match((await visitor.json('GET', `/oauth/consents/${id}/request`)).body,
      { scopes: ['agent:read'], may_approve: false })
    t.match(await visitor.json('POST', `/oauth/consents/${id}/decision`,
      { decision: 'allow', scopes: ['agent:read', 'approvals:write'] }), { status: 422 })
    await visitor.decide(id)
    t.equal((await poll()).scope, 'agent:read')
  }
  const { id, poll } = await askAsDevice({ server }, visitor, { scope })
  await visitor.decide(id)
  const tokens = await poll()
  const command = { client_id: 'steward-cli' }
  t.equal(await refusalOf(refresh(server, command, String(tokens.refresh_token), { scope })), 'invalid_scope',
    'nor does a refresh add it')
})

t.test('nobody else consents: no other site or browser, nobody who is not signed in, no token', async (t) => {
  const client = await register(server)
  const { url: address } = await authorizationOf(server, client)
  const id = await visitor.ask(address)
  const decision = `/oauth/consents/${id}/decision`
  const payload = JSON.stringify({ decision: 'allow' })
  const json = { 'content-type': 'application/json' }
  const foreign = await visitor.visit(decision, {
    method: 'POST', headers: { ...json, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, body: payload
  })
  t.same([foreign.status, foreign.headers.get('x-error-code')], [403, 'csrf_rejected'])
  const { visitor: eve } = await visitorOf(app, url, 'Eve', 'admin')
  t.equal((await eve.json('POST', decision, { decision: 'allow' })).status, 404)
  t.equal((await eve.json('GET', `/oauth/consents/${id}/request`)).status, 404)
  t.equal((await new Visitor(url).json('POST', decision, { decision: 'allow' })).status, 401)
  const byToken = await fetch(`${url}${decision}`, { method: 'POST', headers: { ...json, ...asAdmin }, body: payload })
  t.equal(byToken.status, 404)
  const { body: { continue_url: to } } = await visitor.json('POST', decision, { decision: 'allow' })
  const stolen = await eve.follow(String(to))
  t.same([stolen.status, stolen.location], [400, undefined], 'nor goes another browser on with it')
  t.equal((await visitor.json('POST', decision, { decision: 'allow' })).status, 404, 'nobody decides twice')
})

t.test('Steward leads nowhere that a stranger chose (4.11)', async (t) => {
  const evil = await register(server, { redirect_uris: ['https://evil.example/'] })
  const crafted: Record<string, string>[] = [
    { prompt: 'none' }, { response_type: 'token' }, { response_mode: 'nothing' }, { nonce: 'x' },
    { request_uri: 'https://evil.example/request' }, { request: 'eyJ' }]
  for (const more of crafted) {
    const { url: address } = await authorizationOf(server, evil, { redirect_uri: 'https://evil.example/', ...more })
    const { status, location } = await visitor.follow(address)
    t.ok(location === undefined || location.startsWith(`${url}/#/connect/`),
      `${JSON.stringify(more)} ${status} ${location}`)
  }
})

t.test('every answer to a client names this issuer (RFC 9207), so that no other mixes in', async (t) => {
  const client = await register(server)
  const { location, state } = await codeFor(client)
  t.equal(new URL(location).searchParams.get('iss'), url)
  t.throws(() => oauth.validateAuthResponse({ ...server, issuer: 'https://honest.example' }, client, new URL(location),
    state), /iss/)
})

t.test('what a browser shows of it stands in no frame, and says where it came from to nobody', async (t) => {
  for (const path of ['/oauth/device', '/oauth/authorize?client_id=nobody', '/']) {
    const { headers } = await visitor.visit(path)
    t.match(headers.get('content-security-policy'), /frame-ancestors 'none'/, path)
    t.same([headers.get('x-frame-options'), headers.get('referrer-policy')], ['DENY', 'no-referrer'], path)
  }
})

t.test('there is no implicit grant, no password grant and no client without a person', async (t) => {
  const client = await register(server)
  for (const grant of ['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer']) {
    const fields = { grant_type: grant, client_id: client.client_id, username: 'a', password: 'b' }
    const { status, body } = await ask(fields)
    t.match([status, body.error], [400, /^(unsupported_grant_type|unauthorized_client|invalid_request)$/], grant)
  }
  t.equal(await refusalOf(register(server, { grant_types: ['implicit'], response_types: ['token'] })),
    'invalid_client_metadata')
})

t.test('a token of one workspace is nothing at another\'s address', async (t) => {
  await makeWorkspace(app, 'Second', ['second.example'])
  const { tokens } = await connect({ server }, visitor)
  const send = (host: string) => app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...bearer(tokens.access_token), host, accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  })
  t.same([(await send('localhost')).statusCode, (await send('second.example')).statusCode], [200, 401])
  const headers = { host: 'second.example' }
  const there = await app.inject({ url: '/.well-known/oauth-authorization-server', headers })
  t.match(there.json().issuer, /^http:\/\/second\.example/)
})

t.test('who loses a right, or is let go, loses it at the next request', async (t) => {
  const { id, visitor: bob } = await visitorOf(app, url, 'Bob', 'approver')
  const { client, tokens } = await connect({ server }, bob, { parameters: { resource: url, scope: 'account:read' } })
  const read = () => fetch(`${url}/account/workspace`, { headers: bearer(tokens.access_token) })
  const change = (payload: object) =>
    app.inject({ method: 'PATCH', url: `/account/users/${id}`, headers: asAdmin, payload })
  t.equal((await read()).status, 200)
  await change({ role: 'none' })
  t.equal((await read()).status, 403)
  await change({ role: 'viewer', status: 'disabled' })
  t.equal((await read()).status, 401)
  t.equal(await refusalOf(refresh(server, client, String(tokens.refresh_token))), 'invalid_grant')
})

t.test('a client\'s document is fetched from nowhere inside (SSRF)', async (t) => {
  for (const id of ['https://127.0.0.1/client.json', 'https://localhost/client.json', 'https://[::1]/client.json',
    'https://169.254.169.254/latest/meta-data', 'https://10.0.0.1/client.json', 'http://app.example/client.json',
    `${url}/client.json`, 'https://user:pass@app.example/client.json']) {
    const { url: address } = await authorizationOf(server, { client_id: id })
    const { status, location, text } = await visitor.visit(address)
    t.same([status, location], [400, undefined], id)
    t.match(text, /invalid_client/)
    t.notMatch(text, /ECONN|refused|public one/, 'nothing of our network is told')
  }
})

t.test('a program\'s name cannot look like what stands around it', async (t) => {
  const client = await register(server, { client_name: `Steward\u202e\u0000\n ${'x'.repeat(300)}<b>` })
  const id = await visitor.ask((await authorizationOf(server, client)).url)
  t.match((await visitor.json('GET', `/oauth/consents/${id}/request`)).body, { client: { name: /^Steward x{72}$/ } })
})

t.test('the database keeps no token, no code and no secret of a client that could be used', async (t) => {
  const client = await register(server, { token_endpoint_auth_method: 'client_secret_post' })
  const { tokens } = await connect({ server }, visitor)
  const { code } = await codeFor(await register(server))
  const rows = await Promise.all(['account_token', 'account_assistant', 'account_oauth_state', 'account_oauth_client']
    .map((name) => sql`select to_json(t)::text as row from ${sql.table(name)} t`.execute(app.db)))
  const kept = JSON.stringify(rows.map((one) => one.rows))
  for (const secret of [tokens.access_token, String(tokens.refresh_token), code, String(client.client_secret)]) {
    t.ok(secret.length > 20)
    t.notOk(kept.includes(secret) || kept.includes(Buffer.from(secret).toString('hex')))
  }
  t.ok(kept.includes(ada))
})

t.test('a full table has room for the next program: the oldest that nobody let in goes', async (t) => {
  const few = await startOauth(t, { LIMITS: JSON.stringify({ oauth_registrations_per_hour: 100, oauth_clients: 3 }) })
  const clients = await Promise.all([1, 2, 3].map(() => register(few.server)))
  const kept = async () => (await sql<{ id: string }>`select id from account_oauth_client order by created_at`
    .execute(few.app.db)).rows.map(({ id }) => id)
  const [used, ...others] = await kept()
  await sql`update account_oauth_client set used_at = now() where id = ${used}`.execute(few.app.db)
  const next = await register(few.server)
  t.same(await kept(), [used, others[1], next.client_id])
  await sql`update account_oauth_client set used_at = now()`.execute(few.app.db)
  t.equal(await refusalOf(register(few.server)), 'temporarily_unavailable')
  t.equal(clients.length, 3)
})

t.test('nobody fills the table with programs, and an installation may have none register', async (t) => {
  const few = await startOauth(t, { LIMITS: JSON.stringify({ oauth_registrations_per_hour: 3, oauth_clients: 5 }) })
  const made = await Promise.all(Array.from({ length: 8 }, () => refusalOf(register(few.server))))
  const full = Array<string>(5).fill('temporarily_unavailable')
  t.same(made.toSorted(), ['taken', 'taken', 'taken', ...full].toSorted())
  const answer = await oauth.dynamicClientRegistrationRequest(few.server, { redirect_uris: [callback] }, insecure)
  t.equal(answer.status, 429)
  const closed = await startOauth(t, { OAUTH_REGISTRATION: 'off' })
  t.equal(closed.server.registration_endpoint, undefined)
  t.equal((await fetch(`${closed.url}/oauth/register`, { method: 'POST' })).status, 404)
})
