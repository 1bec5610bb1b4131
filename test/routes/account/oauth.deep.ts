import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import * as oauth from 'oauth4webapi'
import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { hashToken } from '../../../lib/security/tokens.js'
import { allScopes } from '../../../schemas/account/scopes.js'
import {
  askAsDevice, authorizationOf, bearer, callback, clientAuth, command, connect, listTools, refresh, refusalOf, register,
  startOauth, visitorOf
} from '../../oauth.js'
import { Visitor } from '../../visitor.js'

const { app, url, server } = await startOauth(t)
const { id: ada, visitor } = await visitorOf(app, url, 'Ada', 'approver')
const grantable = allScopes.filter((scope) => scope !== 'approvals:write')

const assistants = async (of = visitor) =>
  (await of.json('GET', '/account/assistants')).body.items as Record<string, unknown>[]

interface Entry { operation: string, target: string | null }

/** @returns what the record says of it, as soon as it is numbered */
const recordedOf = async (target: string): Promise<string[]> => {
  for (;;) {
    const { items } = (await app.inject({ url: '/account/audit?limit=100', headers: asAdmin })).json()
    const found = (items as Entry[]).filter((one) => one.target === target).map(({ operation }) => operation)
    if (found.length > 1) return found.toReversed()
    await sleep(100)
  }
}

t.test('the metadata says what is there, and no more (RFC 8414, RFC 9728)', async (t) => {
  const answer = await fetch(`${url}/.well-known/oauth-authorization-server`)
  t.same(await answer.json(), {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    registration_endpoint: `${url}/oauth/register`,
    revocation_endpoint: `${url}/oauth/revoke`,
    device_authorization_endpoint: `${url}/oauth/device_authorization`,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_modes_supported: ['form_post', 'fragment', 'query'],
    response_types_supported: ['code'],
    scopes_supported: grantable,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA']
  })
  for (const [path, resource] of [['/mcp', `${url}/mcp`], ['', url]]) {
    const protectedBy = await (await fetch(`${url}/.well-known/oauth-protected-resource${path}`)).json()
    t.same(protectedBy, {
      resource,
      authorization_servers: [url],
      resource_name: 'Steward',
      bearer_methods_supported: ['header'],
      scopes_supported: grantable,
      resource_documentation: `${url}/docs`
    })
  }
  const refused = await fetch(`${url}/mcp`, { method: 'POST' })
  t.same([refused.status, refused.headers.get('www-authenticate')],
    [401, `Bearer realm="steward", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`])
})

t.test('a program is let in, works, refreshes, is seen and disconnected', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  t.match(tokens, { token_type: 'bearer', expires_in: 900, scope: 'agent:read agent:write cloud:read' })
  t.match(tokens.access_token, /^stw_oat_/)
  t.match(tokens.refresh_token, /^stw_ort_/)
  t.equal((await listTools(url, tokens.access_token)).status, 200)
  const next = await refresh(server, client, String(tokens.refresh_token))
  t.equal((await listTools(url, next.access_token)).status, 200)
  t.equal((await listTools(url, tokens.access_token)).status, 401, 'the token before is replaced')
  const [seen] = await assistants()
  const { id, created_at: _, last_used_at: used, expires_at: __, ...rest } = seen ?? {}
  t.type(used, 'string')
  t.same(rest, {
    user_id: ada,
    name: 'A test',
    client_id: client.client_id,
    client_host: null,
    redirect_host: '127.0.0.1:7777',
    resource: 'mcp',
    scopes: ['agent:read', 'agent:write', 'cloud:read']
  })
  const tokensOfAda = await visitor.json('GET', '/account/tokens')
  t.same(tokensOfAda.body.items, [], 'it is none of the tokens that she made')
  t.equal((await visitor.json('DELETE', `/account/assistants/${String(id)}`)).status, 204)
  t.equal((await listTools(url, next.access_token)).status, 401)
  t.equal(await refusalOf(refresh(server, client, String(next.refresh_token))), 'invalid_grant')
  t.same(await assistants(), [])
  t.same(await recordedOf(String(id)), ['decideAuthorization', 'disconnectAssistant'])
})

t.test('the person chooses among what is asked, and what nobody asked for is refused', async (t) => {
  const client = await register(server)
  const authorization = await authorizationOf(server, client, { scope: 'cloud:read content:read approvals:write' })
  const id = await visitor.ask(authorization.url)
  const asked = await visitor.json('GET', `/oauth/consents/${id}/request`)
  const { expires_at: _, ...request } = asked.body
  t.same(request, {
    id,
    client: { id: client.client_id, name: 'A test', host: null },
    redirect: { kind: 'computer', host: '127.0.0.1:7777' },
    user_code: null,
    resource: 'mcp',
    workspace: 'Workspace',
    person: 'Ada',
    scopes: ['cloud:read', 'content:read'],
    may_approve: false
  })
  const more = await visitor.json('POST', `/oauth/consents/${id}/decision`, { decision: 'allow', scopes: ['pse:read'] })
  t.match([more.status, more.body.code], [422, 'scope_not_asked'])
  const { location = '' } = await visitor.decide(id, { decision: 'allow', scopes: ['cloud:read'] })
  const parameters = oauth.validateAuthResponse(server, client, new URL(location), authorization.state)
  const answer = await oauth.authorizationCodeGrantRequest(server, client, clientAuth, parameters, callback,
    authorization.verifier, { [oauth.allowInsecureRequests]: true })
  t.match(await oauth.processAuthorizationCodeResponse(server, client, answer), { scope: 'cloud:read' })
})

t.test('a refusal goes back to the program, as the protocol says it', async (t) => {
  const client = await register(server)
  const { url: address, state } = await authorizationOf(server, client)
  const { location = '' } = await visitor.decide(await visitor.ask(address), { decision: 'deny' })
  t.same(Object.fromEntries(new URL(location).searchParams), {
    error: 'access_denied', error_description: 'The person did not let the program in', state, iss: url
  })
})

t.test('a program that names no scope of ours and no resource may read, with the tools', async (t) => {
  for (const scope of ['', 'offline_access', 'openid profile']) {
    const { tokens } = await connect({ server }, visitor, { parameters: { scope, resource: '' } })
    t.equal(tokens.scope, grantable.filter((one) => one.endsWith(':read')).join(' '), scope)
    t.equal((await listTools(url, tokens.access_token)).status, 200)
  }
})

t.test('words of OpenID Connect beside a scope change nothing: what was consented to is redeemed', async (t) => {
  for (const scope of ['openid agent:read', 'agent:read offline_access email', 'agent:read nonsense']) {
    const { tokens } = await connect({ server }, visitor, { parameters: { scope } })
    t.equal(tokens.scope, 'agent:read', scope)
  }
})

t.test('a program that names only what nobody can give it is told so, before a person is asked', async (t) => {
  const client = await register(server)
  const [unknown, never] = ['no such scope exists here', 'approvals:write is for people alone']
  for (const [scope, why] of [['nonsense', unknown], ['openid nonsense', unknown], ['approvals:write', never]] as const) {
    const { status, location, text } = await visitor.visit((await authorizationOf(server, client, { scope })).url)
    t.same([status, location], [400, undefined], scope)
    t.match(text, why)
    t.match(text, /a program can ask for agent:read agent:write .*<code>invalid_scope<\/code>/s)
    const device = await oauth.deviceAuthorizationRequest(server, { client_id: 'steward-cli' }, clientAuth, { scope },
      { [oauth.allowInsecureRequests]: true })
    t.match([device.status, await device.json()], [400, { error: 'invalid_scope', error_description: why }])
  }
})

t.test('a program that asks for the origin works at /mcp, however it writes the address', async (t) => {
  for (const resource of [url, `${url}/`]) {
    const { client, tokens } = await connect({ server }, visitor, { parameters: { resource, scope: 'agent:read' } })
    t.equal((await listTools(url, tokens.access_token)).status, 200, resource)
    const next = await refresh(server, client, String(tokens.refresh_token), { resource })
    t.equal((await listTools(url, next.access_token)).status, 200, resource)
  }
})

t.test('a refresh that is repeated within 30 s is answered again, and the connection lives', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  const before = String(tokens.refresh_token)
  const both = await Promise.all([1, 2, 3].map(() => refresh(server, client, before)))
  const [first] = both
  const kept = ({ access_token, refresh_token, scope }: oauth.TokenEndpointResponse) =>
    ({ access_token, refresh_token, scope })
  for (const one of both) t.same(kept(one), kept(first as oauth.TokenEndpointResponse), 'one line, whoever asks')
  t.same(kept(await refresh(server, client, before)), kept(both[0] as oauth.TokenEndpointResponse),
    'nor is an answer lost that never came')
  t.equal((await listTools(url, String(first?.access_token))).status, 200)
  const next = await refresh(server, client, String(first?.refresh_token))
  t.equal((await listTools(url, next.access_token)).status, 200)
  t.equal((await listTools(url, String(first?.access_token))).status, 401)
  const narrow = await refresh(server, client, String(next.refresh_token), { scope: 'cloud:read' })
  const wide = await refresh(server, client, String(next.refresh_token))
  t.same([narrow.scope, wide.scope], ['cloud:read', tokens.scope], 'and a question of its own has an answer of its own')
  t.equal((await listTools(url, wide.access_token)).status, 200)
})

t.test('a refresh whose process ended before it stored what it gives is answered when it comes again', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  const before = String(tokens.refresh_token)
  await sql`update account_oauth_state set consumed_at = now() where hash = ${hashToken(before)}`.execute(app.db)
  const next = await refresh(server, client, before)
  t.equal((await listTools(url, next.access_token)).status, 200)
})

t.test('a token for the API reads there, and changes nothing by itself', async (t) => {
  const { tokens } = await connect({ server }, visitor, { parameters: { resource: url, scope: 'account:read' } })
  const headers = bearer(tokens.access_token)
  const me = await fetch(`${url}/account/me`, { headers })
  t.match([me.status, (await me.json() as { scopes: string[] }).scopes], [200, ['account:read']])
  const write = await fetch(`${url}/account/sign-out`, { method: 'POST', headers })
  t.match([write.status, write.headers.get('x-error-code')], [403, 'assistant_token'])
})

t.test('a program gives its token back (RFC 7009), and is disconnected', async (t) => {
  const { client, tokens } = await connect({ server }, visitor)
  const options = { [oauth.allowInsecureRequests]: true }
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, clientAuth, String(tokens.refresh_token), options))
  t.equal((await listTools(url, tokens.access_token)).status, 401)
  const again = await connect({ server }, visitor)
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, clientAuth, again.tokens.access_token, options))
  t.equal((await listTools(url, again.tokens.access_token)).status, 200, 'another program\'s token is not its to give')
})

t.test('a device is let in by a code (RFC 8628)', async (t) => {
  const options = { [oauth.allowInsecureRequests]: true }
  const begun = await oauth.processDeviceAuthorizationResponse(server, command, await oauth.deviceAuthorizationRequest(
    server, command, clientAuth, { scope: 'agent:read account:read' }, options))
  const poll = async () => oauth.processDeviceCodeResponse(server, command,
    await oauth.deviceCodeGrantRequest(server, command, clientAuth, begun.device_code, options))
  t.equal(await refusalOf(poll()), 'authorization_pending')
  t.match(begun.user_code, /^[B-Z]{4}-[B-Z]{4}$/)
  const secretOf = (text: string) => /name="xsrf" value="(\w+)"/.exec(text)?.[1] ?? ''
  const page = await visitor.visit(begun.verification_uri)
  t.match(page.headers.get('content-security-policy'), /form-action 'self'; frame-ancestors 'none'/)
  const wrong = await visitor.form('/oauth/device', { xsrf: secretOf(page.text), user_code: 'BBBB-BBBB' })
  t.match(wrong.text, /No device shows this code/)
  const confirm = await visitor.form('/oauth/device', { xsrf: secretOf(wrong.text), user_code: begun.user_code })
  t.match(confirm.text, `<strong>${begun.user_code}</strong>`)
  const on = await visitor.form('/oauth/device',
    { xsrf: secretOf(confirm.text), user_code: begun.user_code, confirm: 'yes' })
  const id = await visitor.ask(on.location ?? '')
  t.match((await visitor.json('GET', `/oauth/consents/${id}/request`)).body,
    { user_code: begun.user_code, resource: 'api', redirect: { kind: 'device', host: null } })
  t.match((await visitor.decide(id)).text, /<h1>Connected<\/h1>/)
  const tokens = await poll()
  t.equal(tokens.scope, 'agent:read account:read')
  t.equal((await fetch(`${url}/account/me`, { headers: bearer(tokens.access_token) })).status, 200)
  t.equal(await refusalOf(poll()), 'invalid_grant')
})

const scope = 'agent:read agent:write account:read account:write'
const asked = `${scope} approvals:write`

/** Sends a request of the API with a token. */
const callWith = async (token: string, method: string, path: string, body?: object) => {
  const headers = { ...bearer(token), 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, body: await answer.json() as Record<string, unknown> }
}

t.test('the command approves in a person\'s name when they say so, and only then', async (t) => {
  const silent = await askAsDevice({ server }, visitor, { scope: asked })
  t.match((await visitor.json('GET', `/oauth/consents/${silent.id}/request`)).body,
    { scopes: scope.split(' '), may_approve: true })
  await visitor.decide(silent.id)
  t.equal((await silent.poll()).scope, scope, 'without their word, it has all but that')
  const said = await askAsDevice({ server }, visitor, { scope: asked })
  await visitor.decide(said.id, { decision: 'allow', scopes: asked.split(' ') })
  const first = await said.poll()
  t.equal(first.scope, asked)
  const tokens = await refresh(server, command, String(first.refresh_token))
  t.equal(tokens.scope, asked, 'a refresh keeps it')
  const [seen] = await assistants()
  t.same(seen?.scopes, asked.split(' '), 'and the settings show it')
  const call = (method: string, path: string, body?: object) => callWith(tokens.access_token, method, path, body)
  t.match((await call('GET', '/account/me')).body, { assistant: true, scopes: asked.split(' ') })
  const proposed = await call('POST', '/api/v1/agent/tool-calls',
    { name: 'createProject', arguments: { name: 'By a command' } })
  const { id, session_id, input_digest } = (await call('GET',
    `/api/v1/agent/confirmations/${(proposed.body.confirmation as { id: string }).id}`)).body
  const decision = { confirmation_id: id, session_id, input_digest, approved: true }
  t.match(await call('POST', '/api/v1/agent/confirm', decision), { status: 200, body: { status: 'approved' } })
  for (const [path, body] of [['/account/projects', { name: 'At once' }], ['/account/delegations', {}],
    ['/api/v1/agent/grants', {}], ['/api/v1/agent/confirmations/decide', {}]] as const) {
    t.match(await call('POST', path, body), { status: 403, body: { code: 'assistant_token' } }, path)
  }
})

t.test('who may approve nothing lets no command do it, nor does what the command did not ask for', async (t) => {
  const { visitor: viewer } = await visitorOf(app, url, 'Vera', 'viewer')
  for (const [person, fields] of [[viewer, { scope: asked }], [visitor, { scope }]] as const) {
    const { id } = await askAsDevice({ server }, person, fields)
    t.match((await person.json('GET', `/oauth/consents/${id}/request`)).body, { may_approve: false })
    t.match(await person.json('POST', `/oauth/consents/${id}/decision`,
      { decision: 'allow', scopes: ['agent:read', 'approvals:write'] }),
    { status: 422, body: { code: 'scope_not_asked', scope: 'approvals:write' } })
  }
  const { id: bob, visitor: operator } = await visitorOf(app, url, 'Bob', 'operator')
  const { id, poll } = await askAsDevice({ server }, operator, { scope: asked })
  await operator.decide(id, { decision: 'allow', scopes: asked.split(' ') })
  const { access_token: token } = await poll()
  const none = '01900000-0000-7000-8000-000000000000'
  const decision = { confirmation_id: none, session_id: none, input_digest: `sha256:${'0'.repeat(64)}`, approved: true }
  t.match(await callWith(token, 'POST', '/api/v1/agent/confirm', decision), { status: 404 })
  const payload = { role: 'viewer' }
  t.equal((await app.inject({ method: 'PATCH', url: `/account/users/${bob}`, headers: asAdmin, payload })).statusCode, 200)
  t.match(await callWith(token, 'POST', '/api/v1/agent/confirm', decision),
    { status: 403, body: { code: 'insufficient_role' } }, 'who loses the right loses it there, too')
})

t.test('whoever comes to the page for devices without a session gets the form, and it works', async (t) => {
  const options = { [oauth.allowInsecureRequests]: true }
  const begun = await oauth.processDeviceAuthorizationResponse(server, { client_id: 'steward-cli' },
    await oauth.deviceAuthorizationRequest(server, { client_id: 'steward-cli' }, clientAuth, {}, options))
  for (const address of ['/oauth/device', '/oauth/device/unknown']) {
    const stranger = new Visitor(url)
    const form = { xsrf: 'x', user_code: begun.user_code }
    const page = address === '/oauth/device' ? await stranger.form(address, form) : await stranger.visit(address)
    t.match([page.status, page.text], [400, /<h1>Connect a device<\/h1>/], address)
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? ''
    const next = await stranger.form('/oauth/device', { xsrf, user_code: begun.user_code })
    t.match([next.status, next.text], [200, `<strong>${begun.user_code}</strong>`], 'its session was kept')
  }
  for (const [type, body] of [['application/json', '{}'], ['text/plain', 'x'],
    ['application/x-www-form-urlencoded', `user_code=${'B'.repeat(70_000)}`]] as const) {
    const answer = await fetch(`${url}/oauth/device`, { method: 'POST', headers: { 'content-type': type }, body })
    t.equal(answer.status, 400, type)
  }
})
