import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import t from '../../tap.js'
import { buildApp, makeEnvironment, type App } from '../../app.js'
import { makePerson, makeToken, problemOf } from '../account/actors.js'
import { Browser, startHost } from './browser.js'

const { host, environment: named, control } = await startHost(t)
const environment = await makeEnvironment(t, {
  ...named, CODEHOST_SIGN_IN: 'larkspur=member', LIMITS: '{"sign_ins_per_minute":10000}'
})
const app = await buildApp(t, environment)
// The embedded database serves one process; a server of PostgreSQL serves any number of instances.
const apps = process.env.TEST_DATABASE_URL ? [app, await buildApp(t, environment)] : [app]

const reposOf = (browser: Browser, by: App = app) =>
  by.inject({ url: '/codehost/repos', headers: { cookie: browser.cookie } })
const callsOf = async (operation: string) => (await control('GET', `/calls?operation=${operation}`)).count
const rowOf = (login: string) => app.db.selectFrom('codehost_identity').selectAll().where('login', '=', login)
  .executeTakeFirstOrThrow()
const ageTokens = async (login: string, to: { refresh: string, expire: string }) => {
  const at = (interval: string) => sql<Date>`now() + ${interval}::interval`
  await app.db.updateTable('codehost_identity')
    .set({ refresh_at: at(to.refresh), expires_at: at(to.expire) }).where('login', '=', login).execute()
}
const dead = { refresh: '-20 minutes', expire: '-1 second' }
const due = { refresh: '-1 second', expire: '20 minutes' }

const reauth = {
  type: 'urn:steward:error:codehost_reauth_required',
  title: 'The code host does not accept the connection any more; connect again',
  status: 409,
  detail: 'The code host does not accept the connection any more; connect again',
  code: 'codehost_reauth_required',
  authorize_url: 'http://127.0.0.1:0/codehost-oauth/authorize?mode=link'
}
const unconnected = { status: 409, code: 'codehost_not_connected' }

/** A member of the organization who has just signed in. */
const signedIn = async (login: string) => {
  await control('POST', '/users', { login })
  await control('PUT', '/members', { login, role: 'member' })
  const browser = new Browser(app)
  await browser.signIn(login)
  return browser
}

t.beforeEach(async () => {
  await control('DELETE', '/faults')
  await control('POST', '/settings', { expiring_tokens: true, token_seconds: 3600 })
})

t.test('A14, H59, I66: a dead token is renewed once, whoever asks, and everybody is answered', async (t) => {
  const browser = await signedIn('anna')
  await ageTokens('anna', dead)
  await control('DELETE', '/calls')
  const answers = Array.from({ length: 20 }, (_, i) => reposOf(browser, apps[i % apps.length]))
  t.same((await Promise.all(answers)).map(({ statusCode }) => statusCode), Array.from({ length: 20 }, () => 200))
  t.equal(await callsOf('exchangeToken'), 1)
  const row = await rowOf('anna')
  t.match(row, { state: 'active', generation: 3, lease_until: null })
  t.ok(Number(row.expires_at) > Date.now() + 3_000_000)
})

t.test('a token is renewed before it expires; a failed renewal is no error until then', async (t) => {
  const browser = await signedIn('berta')
  await ageTokens('berta', due)
  await control('DELETE', '/calls')
  await control('POST', '/faults', { kind: 'error_500', operation: 'exchangeToken', times: 0 })
  t.same([(await reposOf(browser)).statusCode, (await reposOf(browser)).statusCode], [200, 200])
  t.equal(await callsOf('exchangeToken'), 1, 'the second waits a while')
  await control('DELETE', '/faults')
  await app.db.updateTable('codehost_identity').set({ lease_until: null }).where('login', '=', 'berta').execute()
  t.equal((await reposOf(browser)).statusCode, 200)
  t.match(await rowOf('berta'), { state: 'active', generation: 3 })
})

t.test('an expired token that cannot be renewed now is an upstream error, and the connection stays', async (t) => {
  const browser = await signedIn('carla')
  await ageTokens('carla', dead)
  await control('POST', '/faults', { kind: 'error_500', operation: 'exchangeToken', times: 0 })
  const answer = await reposOf(browser)
  t.match([answer.statusCode, answer.json()], [502, { code: 'codehost_error' }])
  await control('DELETE', '/faults')
  t.equal((await reposOf(browser)).statusCode, 200)
})

t.test('a refused token is renewed and used once more; refused again, the person must connect again', async (t) => {
  const browser = await signedIn('dorle')
  await control('DELETE', '/calls')
  await control('POST', '/faults', { kind: 'unauthorized', operation: 'listRepositories' })
  t.equal((await reposOf(browser)).statusCode, 200)
  t.same([await callsOf('exchangeToken'), await callsOf('listRepositories')], [1, 2])
  await control('DELETE', '/calls')
  await control('POST', '/faults', { kind: 'unauthorized', operation: 'listRepositories', times: 2 })
  const answer = await reposOf(browser)
  t.same([answer.statusCode, problemOf(answer)], [409, reauth])
  t.same([await callsOf('exchangeToken'), await callsOf('listRepositories')], [1, 2])
  t.same(problemOf(await reposOf(browser)), reauth)
  t.equal(await callsOf('listRepositories'), 2, 'the host is not asked again')
  t.equal((await browser.open('/account/me')).statusCode, 200, 'the session here is another matter')
  await browser.signIn('dorle')
  t.equal((await reposOf(browser)).statusCode, 200)
})

t.test('a token without a refresh token ends with the first refusal', async (t) => {
  await control('POST', '/settings', { expiring_tokens: false })
  const browser = await signedIn('elke')
  await control('DELETE', '/tokens', { login: 'elke' })
  t.same(problemOf(await reposOf(browser)), reauth)
  t.match(await rowOf('elke'), { state: 'needs_reauth', refresh_token: null })
})

t.test('a refused refresh ends the connection, after one request', async (t) => {
  const browser = await signedIn('frieda')
  await ageTokens('frieda', dead)
  await control('DELETE', '/tokens', { login: 'frieda' })
  await control('DELETE', '/calls')
  const answers = await Promise.all(Array.from({ length: 5 }, () => reposOf(browser)))
  for (const answer of answers) t.same(problemOf(answer), reauth)
  t.equal(await callsOf('exchangeToken'), 1)
  t.equal((await rowOf('frieda')).state, 'needs_reauth')
})

t.test('a sign-in during a refused refresh keeps the new tokens', async (t) => {
  const browser = await signedIn('gerda')
  await ageTokens('gerda', dead)
  await control('DELETE', '/tokens', { login: 'gerda' })
  await control('POST', '/faults', { kind: 'slow', operation: 'exchangeToken', delay_ms: 1_000 })
  const answer = reposOf(browser)
  while ((await rowOf('gerda')).lease_until === null) await setTimeout(10)
  await browser.signIn('gerda')
  t.equal((await answer).statusCode, 200)
  t.equal((await rowOf('gerda')).state, 'active')
})

t.test('disconnecting revokes the tokens at the host and deletes the stored rights', async (t) => {
  const browser = await signedIn('hanna')
  await reposOf(browser)
  await control('DELETE', '/calls')
  const id = (await rowOf('hanna')).account_id
  const remove = () => app.inject({ method: 'DELETE', url: '/codehost/connection', headers: browser.headers })
  const answer = await remove()
  t.same([answer.statusCode, answer.json()],
    [200, { account_id: id, login: 'hanna', revoked_upstream: true, revoke_url: null }])
  t.equal(await callsOf('deleteGrant'), 1, 'with its refresh token')
  t.match(await rowOf('hanna'), { state: 'disconnected', access_token: null, refresh_token: null, scope: '' })
  for (const again of [await reposOf(browser), await remove()]) t.match(again.json(), unconnected)
  const { user } = await browser.me()
  const anew = new Browser(app)
  t.equal((await anew.signIn('hanna')).statusCode, 302, 'who joined with it comes back with it')
  t.equal((await anew.me()).user.id, user.id)
})

t.test('a failed revocation still disconnects here, and the answer reports it', async (t) => {
  const browser = await signedIn('ida')
  await control('POST', '/faults', { kind: 'error_500', operation: 'deleteGrant', times: 0 })
  const answer = await app.inject({ method: 'DELETE', url: '/codehost/connection', headers: browser.headers })
  t.match(answer.json(), {
    login: 'ida', revoked_upstream: false, revoke_url: `${host.url}/settings/connections/applications/sandbox-client`
  })
  t.match(await rowOf('ida'), { state: 'disconnected', access_token: null })
})

t.test('H59: disconnected while a refresh is under way, nothing comes back to life', async (t) => {
  const browser = await signedIn('jutta')
  await ageTokens('jutta', dead)
  await control('POST', '/faults', { kind: 'slow', operation: 'exchangeToken', delay_ms: 1_000 })
  const answer = reposOf(browser)
  while ((await rowOf('jutta')).lease_until === null) await setTimeout(10)
  const gone = await app.inject({ method: 'DELETE', url: '/codehost/connection', headers: browser.headers })
  t.equal(gone.statusCode, 200)
  t.match((await answer).json(), unconnected)
  t.match(await rowOf('jutta'), { state: 'disconnected', access_token: null, refresh_token: null })
})

t.test('an invitation pins the account by its id, gives a role, and needs no rule', async (t) => {
  const admin = await makePerson(app, 'Ada', 'admin')
  const ada = new Browser(app)
  const [name = '', value = ''] = (admin.headers.cookie ?? '').split('=')
  ada.cookies.set(name, value)
  const invite = (payload: object, headers: Record<string, string> = ada.headers) =>
    app.inject({ method: 'POST', url: '/codehost/invitations', headers, payload })
  t.match((await invite({ login: 'mallory', role: 'viewer' })).json(), unconnected, 'her name is looked up there')
  await ada.signIn('octavia', '?mode=link')

  const answer = await invite({ login: 'mallory', role: 'viewer' })
  const { user } = answer.json()
  t.same([answer.statusCode, answer.headers.location], [201, `/account/users/${user.id}`])
  t.same(answer.json(), {
    account_id: '5003',
    login: 'mallory',
    user: {
      id: user.id,
      name: 'mallory',
      email: null,
      role: 'viewer',
      status: 'active',
      revision: 1,
      first_sign_in_at: null,
      created_at: user.created_at,
      updated_at: user.updated_at
    }
  })
  await control('PATCH', '/users', { login: 'mallory', to: 'mal' })
  const mallory = new Browser(app)
  t.equal((await mallory.signIn('mal')).statusCode, 302)
  t.match((await mallory.me()).user, { id: user.id, role: 'viewer' })

  const token = await makeToken(app, admin.headers, ['account:write', 'account:read'])
  const refusals: [number, string, object, Record<string, string>?][] = [
    [409, 'codehost_account_taken', { login: 'mal', role: 'admin' }],
    [404, 'codehost_not_found', { login: 'nobody-at-all', role: 'viewer' }],
    [404, 'codehost_not_found', { login: 'larkspur', role: 'viewer' }],
    [400, 'invalid_request', { login: '../mal', role: 'viewer' }],
    [400, 'invalid_request', { login: 'mal', role: 'owner' }],
    [400, 'unknown_field', { login: 'mal', role: 'viewer', user_id: user.id }],
    [403, 'insufficient_role', { login: 'mal', role: 'viewer' }, mallory.headers],
    [403, 'insufficient_scope', { login: 'mal', role: 'viewer' }, token.headers]
  ]
  const users = async () => (await app.db.selectFrom('account_user').select('id').execute()).length
  const before = await users()
  for (const [status, code, payload, headers] of refusals) {
    const refused = await invite(payload, headers)
    t.match([refused.statusCode, refused.json()], [status, { code }], JSON.stringify(payload))
  }
  t.equal(await users(), before, 'a refused invitation leaves no user')
})

t.test('a whole sign-in works over a socket, from the page where it begins', async (t) => {
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const page = await fetch(`${origin}/sign-in`)
  t.same([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
  t.match(page.headers.get('content-security-policy'), /^default-src 'none'; script-src 'self'/)
  const html = await page.text()
  t.match(html, /<a id="begin" class="primary" href="codehost-oauth\/authorize">/)
  t.notMatch(html, /<script(?! src="sign-in.js")/, 'nothing inline')
  t.equal((await fetch(`${origin}/sign-in.js`)).status, 200)

  const begun = await fetch(`${origin}/codehost-oauth/authorize?return_to=/sign-in`, { redirect: 'manual' })
  const cookie = begun.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ')
  const there = new URL(begun.headers.get('location') ?? '')
  t.equal(there.searchParams.get('redirect_uri'), `${origin}/codehost-oauth/callback`)
  there.searchParams.set('login', 'octavia')
  const back = (await fetch(there, { redirect: 'manual' })).headers.get('location') ?? ''
  const done = await fetch(back, { redirect: 'manual', headers: { cookie } })
  t.same([done.status, done.headers.get('location')], [302, `${origin}/sign-in`])
  const session = done.headers.getSetCookie().find((one) => one.startsWith('steward=')) ?? ''
  const me = await fetch(`${origin}/account/me`, { headers: { cookie: session.split(';')[0] ?? '' } })
  t.match(await me.json(), { via: 'browser', user: { status: 'active' } })
})

t.test('A10, A13: under https the cookies are the host\'s alone; who tries too often waits', async (t) => {
  const secure = await buildApp(t, {
    ...named,
    CODEHOST_SIGN_IN: 'larkspur=member',
    LIMITS: '{"sign_ins_per_minute":4}',
    PUBLIC_URL: 'https://steward.example'
  })
  const browser = new Browser(secure, 'steward.example')
  const begun = await browser.open('/codehost-oauth/authorize')
  t.match(begun.headers['set-cookie'],
    /^__Host-steward-oauth-[0-9a-f]{12}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  t.match(begun.headers.location, /redirect_uri=https%3A%2F%2Fsteward\.example%2Fcodehost-oauth%2Fcallback/)
  const done = await browser.open(await browser.choose(String(begun.headers.location), 'bruno'))
  t.match(done.headers.location, /^https:\/\/steward\.example\//)
  t.match([done.headers['set-cookie']].flat().find((one) => one?.startsWith('__Host-steward=')),
    /^__Host-steward=stw_sess_[0-9A-Za-z]{49}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  t.equal((await browser.me()).user.name, 'Bruno Hartmann')
  for (const path of ['authorize', 'callback']) {
    let last
    // Twice as many as a minute allows: a minute may end among them.
    for (let i = 0; i < 10; i++) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` }
      last = await secure.inject({ url: `/codehost-oauth/${path}`, headers })
    }
    t.match([last?.statusCode, last?.json()], [429, { code: 'rate_limited' }], path)
    t.ok(Number(last?.headers['retry-after']) > 0)
  }
})
