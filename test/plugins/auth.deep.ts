import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import t from '../tap.js'
import { makeToken as makeText } from '../../lib/security/tokens.js'
import { adminToken, asAdmin, buildApp } from '../app.js'
import { makePerson, makeToken, problemOf, signIn } from '../routes/account/actors.js'

/** There are more operations than credentials are refused in a minute by default. */
const limits = JSON.stringify({ refused_credentials_per_minute: 10_000 })
const app = await buildApp(t, { SANDBOX: 'off', LIMITS: limits })
const missing = '01900000-0000-7000-8000-000000000000'
const me = '/account/me'

type Headers = Record<string, string>
const get = (headers: Headers = {}, url = me) => app.inject({ url, headers })

const unauthenticated = (detail: string, code = 'unauthenticated', title = 'Credentials are missing or not valid') =>
  ({ type: `urn:steward:error:${code}`, title, status: 401, detail, code })

const operations = () => Object.entries(app.swagger().paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, { operationId: string, security?: unknown[] }>)
    .filter(([, operation]) => operation.security?.length !== 0)
    .map(([method, { operationId }]) =>
      ({ operationId, method: method.toUpperCase() as 'GET', url: path.replace(/\{[^}]+\}/g, missing) })))

t.test('A1: every operation but the public ones answers 401 without credentials', async (t) => {
  t.ok(operations().length > 20)
  for (const { operationId, method, url } of operations()) {
    const answer = await app.inject({ method, url })
    t.same([problemOf(answer), answer.headers['content-type'], answer.headers['www-authenticate']], [
      unauthenticated('Credentials are missing or not valid'), 'application/problem+json', 'Bearer realm="steward"'
    ], operationId)
  }
})

t.test('A4: a token that may only read is refused by every write, and the scope is named', async (t) => {
  const areas = ['agent', 'cloud', 'infrastructure', 'deployments', 'pse', 'content', 'codehost', 'account']
  const reader = await makeToken(app, asAdmin, areas.map((area) => `${area}:read`))
  for (const { operationId, method, url } of operations().filter(({ method }) => method !== 'GET')) {
    const answer = await app.inject({ method, url, headers: reader.headers })
    const { code, scope } = answer.json()
    t.same([answer.statusCode, code], [403, 'insufficient_scope'], operationId)
    t.match(scope, /^\w+:write$/)
    t.equal(answer.headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${scope}"`)
  }
})

t.test('A1: a malformed Authorization header is a 401, never a 500', async (t) => {
  const detail = 'There must be one Authorization header: Bearer <token>'
  const { secret } = await makeToken(app, asAdmin, ['account:read'])
  const long = `Bearer ${'x'.repeat(10_240)}`
  for (const value of ['', 'Bearer', 'Bearer ', 'Basic YTpi', secret, `Bearer ${secret} x`, long]) {
    const answer = await get({ authorization: value })
    t.same([problemOf(answer), answer.headers['www-authenticate']],
      [unauthenticated(detail), 'Bearer realm="steward", error="invalid_token"'], value.slice(0, 40))
  }
  t.equal((await get({ authorization: `bearer ${secret}` })).statusCode, 200, 'the scheme has no case')
  t.equal((await get({ authorization: `BEARER ${adminToken}` })).statusCode, 200)
})

t.test('A1: two Authorization headers are refused, whatever they hold', async (t) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  // A listening TCP server has such an address.
  const { port } = app.server.address() as AddressInfo
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const twice = ['authorization', `Bearer ${adminToken}`, 'authorization', `Bearer ${adminToken}`]
    httpRequest({ port, path: me, headers: ['host', 'x', ...twice] })
      .once('response', resolve).once('error', reject).end()
  })
  answer.resume()
  t.same([answer.statusCode, answer.headers['content-type']], [401, 'application/problem+json'])
})

t.test('A2: a wrong checksum is refused without a query', async (t) => {
  const { secret } = await makeToken(app, asAdmin, ['account:read'])
  const { pool } = app.database
  let connections = 0
  pool.on('acquire', () => { connections++ })
  const wrong = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0')
  for (const text of [wrong, 'stw_pat_', 'x', makeText('link'), secret.replace('pat', 'sess')]) {
    const answer = await get({ authorization: `Bearer ${text}` })
    t.same(problemOf(answer), unauthenticated('The token is not one of ours'), text.slice(0, 12))
  }
  t.equal((await get({ cookie: 'steward=stw_sess_nonsense' })).statusCode, 401)
  t.equal(connections, 0)
  t.equal((await get({ authorization: `Bearer ${secret}` })).statusCode, 200)
  t.ok(connections > 0)
})

t.test('A3: unknown, expired and revoked tokens say which they are', async (t) => {
  const unknown = await get({ authorization: `Bearer ${makeText('pat')}` })
  t.same(problemOf(unknown), unauthenticated('The token is not known'))

  const expired = await makeToken(app, asAdmin, ['account:read'])
  t.equal((await get(expired.headers)).statusCode, 200)
  await app.db.updateTable('account_token').set({ expires_at: sql`now()` }).where('id', '=', expired.id).execute()
  const past = await get(expired.headers)
  t.same([problemOf(past), past.headers['www-authenticate']], [
    unauthenticated('The token has expired', 'token_expired', 'The token has expired'),
    'Bearer realm="steward", error="invalid_token"'
  ])

  const revoked = await makeToken(app, asAdmin, ['account:read'])
  t.equal((await get(revoked.headers)).statusCode, 200)
  await app.inject({ method: 'DELETE', url: `/account/tokens/${revoked.id}`, headers: asAdmin })
  t.same(problemOf(await get(revoked.headers)),
    unauthenticated('The token has been revoked', 'token_revoked', 'The token has been revoked'))
})

t.test('A3: a disabled user is out at the next request', async (t) => {
  const person = await makePerson(app, 'Dora', 'member')
  const token = await makeToken(app, person.headers, ['account:read'])
  t.same([(await get(person.headers)).statusCode, (await get(token.headers)).statusCode], [200, 200])
  const payload = { status: 'disabled' }
  await app.inject({ method: 'PATCH', url: `/account/users/${person.id}`, headers: asAdmin, payload })
  t.match((await get(token.headers)).json(), { status: 401, code: 'token_revoked' })
  t.match((await get(person.headers)).json(), { status: 401, code: 'unauthenticated' })
})

t.test('A5: a token in the query string or the path is not looked at', async (t) => {
  for (const name of ['token', 'access_token', 'authorization', 'api_key']) {
    t.equal((await get({}, `${me}?${name}=${adminToken}`)).statusCode, 401, name)
  }
})

t.test('Authorization wins over the cookie', async (t) => {
  const person = await makePerson(app, 'Ada', 'viewer')
  const both = await get({ ...person.headers, ...asAdmin })
  t.match(both.json(), { via: 'token', user: { id: app.home.admin_id } })
  t.equal((await get({ ...person.headers, authorization: 'Bearer nonsense' })).statusCode, 401)
  t.equal((await get({ ...person.headers, authorization: '' })).statusCode, 401)
})

t.test('A11: a cookie alone does not write for another site\'s page', async (t) => {
  const person = await makePerson(app, 'Cora', 'member')
  const { cookie } = person.headers
  const post = (headers: Headers, name = 'Csrf') =>
    app.inject({ method: 'POST', url: '/account/projects', headers, payload: { name } })
  const refused: Headers[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
    { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }
  ]
  for (const headers of refused) {
    const answer = await post({ cookie, ...headers })
    t.match(answer.json(), { status: 403, code: 'csrf_rejected' }, JSON.stringify(headers))
  }
  t.equal((await post({ cookie, 'sec-fetch-site': 'same-origin' }, 'Csrf 1')).statusCode, 201)
  t.equal((await post({ cookie, host: 'steward.local', origin: 'http://steward.local' }, 'Csrf 2')).statusCode, 201)
  t.equal((await post({ ...asAdmin, 'sec-fetch-site': 'cross-site', origin: 'null' }, 'Csrf 3')).statusCode, 201)
  t.equal((await get({ cookie, 'sec-fetch-site': 'cross-site' })).statusCode, 200, 'reading is safe')
})

t.test('A10: a session ends when it is idle, when it is old, and at sign-out', async (t) => {
  const expire = async (column: 'idle_expires_at' | 'expires_at') => {
    const person = await makePerson(app, 'Ida', 'viewer')
    t.equal((await get(person.headers)).statusCode, 200)
    await app.db.updateTable('account_session').set({ [column]: sql`now()` }).where('user_id', '=', person.id).execute()
    t.same(problemOf(await get(person.headers)), unauthenticated('The session has ended; sign in again'), column)
  }
  await expire('idle_expires_at')
  await expire('expires_at')
  const person = await makePerson(app, 'Otto', 'viewer')
  const out = await app.inject({ method: 'POST', url: '/account/sign-out', headers: person.headers })
  t.equal(out.statusCode, 204)
  t.match(out.headers['set-cookie'], /^steward=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT/)
  t.equal((await get(person.headers)).statusCode, 401, 'the server\'s row is dead, not only the cookie')
})

t.test('use moves the idle end of a session, at most once a minute', async (t) => {
  const person = await makePerson(app, 'Uma', 'viewer')
  const age = sql<Date>`now() - interval '2 minutes'`
  await app.db.updateTable('account_session')
    .set({ last_used_at: age, idle_expires_at: sql`now() + interval '1 minute'` })
    .where('user_id', '=', person.id).execute()
  await get(person.headers)
  const { left } = await app.db.selectFrom('account_session')
    .select(sql<number>`extract(epoch from idle_expires_at - now())::integer`.as('left'))
    .where('user_id', '=', person.id).executeTakeFirstOrThrow()
  t.ok(left > 43_000 && left <= 43_200)
})

t.test('B19: HEAD, wrong paths and method overrides are no way around', async (t) => {
  const viewer = await makePerson(app, 'Vic', 'viewer')
  const ask = (method: 'HEAD' | 'GET', url: string, headers: Headers = viewer.headers) =>
    app.inject({ method, url, headers })
  t.equal((await ask('HEAD', me, {})).statusCode, 401)
  const head = await ask('HEAD', me)
  t.same([head.statusCode, head.body], [200, ''])
  t.equal((await ask('HEAD', '/account/users')).statusCode, 403)
  t.match((await ask('GET', '/account/users')).json(), { status: 403, code: 'insufficient_role', role: 'admin' })
  t.equal((await ask('GET', '/account/users/')).statusCode, 403, 'an empty id is an id')
  for (const url of ['/Account/users', '/account/Users', '//account/users', '/account//users', '/account%2fusers']) {
    t.match((await ask('GET', url)).json(), { status: 404, code: 'not_found' }, url)
  }
  const overriding = { ...viewer.headers, 'x-http-method-override': 'GET' }
  const override = await app.inject({ method: 'POST', url: me, headers: overriding })
  t.equal(override.statusCode, 405)
  t.equal((await get({ 'x-steward-ticket': missing })).statusCode, 401)
})

t.test('B15: a foreign id and a missing id have the same answer', async (t) => {
  const alice = await makePerson(app, 'Alice', 'member')
  const bob = await makePerson(app, 'Bob', 'member')
  const token = await makeToken(app, alice.headers, ['account:read'])
  const remove = (url: string) => app.inject({ method: 'DELETE', url, headers: bob.headers })
  const sessions = (await get(alice.headers, '/account/sessions')).json().items
  for (const [kind, id] of [['tokens', token.id], ['sessions', sessions[0].id]]) {
    const foreign = await remove(`/account/${kind}/${id}`)
    t.same(problemOf(foreign), problemOf(await remove(`/account/${kind}/${missing}`)), kind)
    t.equal(foreign.statusCode, 404)
  }
  t.equal((await get(token.headers)).statusCode, 200, 'nothing was touched')
  t.equal((await get(alice.headers)).statusCode, 200)
})

t.test('A10: over https the cookie is bound to the host and never goes in the clear', async (t) => {
  const secure = await buildApp(t, { SANDBOX: 'off', PUBLIC_URL: 'https://steward.example/base/' })
  const sue = { name: 'Sue', role: 'member' }
  const made = await secure.inject({ method: 'POST', url: '/account/users', headers: asAdmin, payload: sue })
  const { link } = made.json()
  t.match(link.url, /^https:\/\/steward\.example\/base\/setup#token=stw_link_[0-9A-Za-z]{36}$/)
  const { answer, cookie } = await signIn(secure, link.url)
  t.match(answer.headers['set-cookie'],
    /^__Host-steward=stw_sess_[0-9A-Za-z]{49}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const origin = 'https://steward.example'
  const payload = { name: 'Suzanne' }
  const renamed = await secure.inject({ method: 'PATCH', url: me, headers: { cookie, origin }, payload })
  t.equal(renamed.statusCode, 200, 'the public origin is ours behind a proxy too')
  const plain = cookie.replace('__Host-', '')
  t.equal((await secure.inject({ url: me, headers: { cookie: plain } })).statusCode, 401)
})
