import { sql } from 'kysely'
import t, { type Test } from '../../tap.js'
import { hashToken } from '../../../lib/security/tokens.js'
import { asAdmin, type App } from '../../app.js'
import { fromRecord } from '../../recorded.js'
import { makePerson, problemOf } from '../account/actors.js'
import { Browser, startWithHost } from './browser.js'

const { app, host, control } = await startWithHost(t, {
  CODEHOST_SIGN_IN: 'larkspur=viewer,larkspur/platform=member', LIMITS: '{"sign_ins_per_minute":10000}'
})

const problem = (code: string, status: number, title: string) =>
  ({ type: `urn:steward:error:${code}`, title, status, detail: title, code })
const mismatch = problem('oauth_state_mismatch', 400, 'This is not the answer to something that this browser asked')
const failed = problem('oauth_exchange_failed', 400, 'The code host did not confirm who you are')
const denied = problem('oauth_denied', 400, 'You did not allow the connection at the code host')
const notAllowed = problem('sign_in_not_allowed', 403, 'Your account of the code host may not sign in here')

const countOf = async (table: 'account_session' | 'account_user' | 'codehost_identity' | 'codehost_authorization') =>
  Number((await app.db.selectFrom(table).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count)
const counts = async () => [await countOf('account_session'), await countOf('account_user'),
  await countOf('codehost_identity')]

/** @returns what a wrong way leaves behind: nothing */
const leavesNothing = async (t: Test, go: () => Promise<unknown>) => {
  const before = await counts()
  await go()
  t.same(await counts(), before, 'no session, no user, no identity')
}

t.test('A9: the browser is sent away with a state and a PKCE challenge, and keeps no verifier', async (t) => {
  const browser = new Browser(app)
  const answer = await browser.open('/codehost-oauth/authorize')
  t.same([answer.statusCode, answer.headers['cache-control']], [302, 'no-store'])
  const url = new URL(String(answer.headers.location))
  t.equal(url.origin + url.pathname, `${host.url}/login/oauth/authorize`)
  const { state = '', code_challenge = '', ...rest } = Object.fromEntries(url.searchParams)
  t.same(rest, {
    response_type: 'code',
    client_id: 'sandbox-client',
    redirect_uri: 'http://localhost:80/codehost-oauth/callback',
    scope: 'read:org',
    code_challenge_method: 'S256'
  })
  t.match(state, /^[\w-]{22,}$/)
  t.match(code_challenge, /^[\w-]{43}$/)
  const [cookie] = [answer.headers['set-cookie']].flat()
  t.match(cookie, /^steward-oauth-[0-9a-f]{12}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  const row = await app.db.selectFrom('codehost_authorization').selectAll()
    .orderBy('created_at', 'desc').executeTakeFirstOrThrow()
  t.notOk(JSON.stringify(row).includes(state), 'the state is kept as a hash')
  t.ok(row.state_hash.equals(hashToken(state)))
  await control('POST', '/settings', { require_pkce: true })
  t.equal((await browser.signIn('octavia')).statusCode, 302)
})

t.test('a new person joins by the highest rule that fits, and is found again by the account\'s id', async (t) => {
  const bruno = new Browser(app)
  const back = await bruno.signIn('bruno', '?return_to=/setup')
  t.same([back.statusCode, back.headers.location], [302, 'http://localhost/setup'])
  const me = await bruno.me()
  t.match(me, { via: 'browser', user: { name: 'Bruno Hartmann', email: null, role: 'member', status: 'active' } })
  await control('PATCH', '/users', { login: 'bruno', to: 'bruno-h' })
  await control('POST', '/users', { login: 'bruno' })
  const again = new Browser(app)
  await again.signIn('bruno-h')
  t.equal((await again.me()).user.id, me.user.id, 'under another name')
  const impostor = await new Browser(app).signIn('bruno')
  t.same([impostor.statusCode, problemOf(impostor)], [403, notAllowed], 'the name alone does not identify the account')
  await control('PATCH', '/users', { login: 'bruno', to: 'not-bruno' })
  await control('PATCH', '/users', { login: 'bruno-h', to: 'bruno' })
  const audit = await fromRecord(app).select(['operation', 'via', 'target', 'outcome', 'status'])
    .where('user_id', '=', me.user.id).executeTakeFirst()
  t.same(audit, {
    operation: 'completeCodehostAuthorization',
    via: 'browser',
    target: 'codehost:5002',
    outcome: 'succeeded',
    status: 302
  })
})

t.test('a person without a rule is refused and audited; the token is revoked', async (t) => {
  await leavesNothing(t, async () => {
    const answer = await new Browser(app).signIn('mallory')
    t.same([answer.statusCode, problemOf(answer)], [403, notAllowed])
  })
  const [row] = await fromRecord(app).select(['via', 'user_id', 'outcome', 'status'])
    .where('target', '=', 'codehost:5003').execute()
  t.same(row, { via: 'system', user_id: null, outcome: 'sign_in_not_allowed', status: 403 })
  const { counts } = await control('GET', '/calls')
  t.ok((counts.deleteToken ?? 0) > 0)
})

t.test('A6, A7: two tabs at once both come in; a state works once and in one browser', async (t) => {
  const browser = new Browser(app)
  const [first, second] = await Promise.all([browser.begin('?return_to=/a'), browser.begin('?return_to=/b')])
  const [toSecond, toFirst] = [await browser.choose(second, 'octavia'), await browser.choose(first, 'octavia')]
  t.equal((await browser.open(toSecond)).headers.location, 'http://localhost/b')
  t.equal((await browser.open(toFirst)).headers.location, 'http://localhost/a')
  const cookieThen = browser.cookie
  await leavesNothing(t, async () => {
    t.same(problemOf(await browser.open(toFirst)), mismatch, 'replayed')
    const url = await browser.choose(await browser.begin(), 'octavia')
    t.same(problemOf(await new Browser(app).open(url)), mismatch, 'A6: in a browser that never began')
    const other = new Browser(app)
    await other.begin()
    t.same(problemOf(await other.open(url)), mismatch, 'in one that began something else')
    const [own = ''] = [...other.cookies.keys()]
    const name = [...browser.cookies.keys()].find((name) => name.includes('-oauth-')) ?? ''
    other.cookies.set(name, other.cookies.get(own) ?? '')
    t.same(problemOf(await other.open(url)), mismatch, 'with a cookie of its own making')
    for (const path of ['', '?code=x', '?state=x&code=x', '?error=access_denied']) {
      const answer = await browser.open(`/codehost-oauth/callback${path}`)
      t.same([answer.statusCode, problemOf(answer)], [400, mismatch], path)
    }
  })
  t.ok(cookieThen.includes('steward='))
})

t.test('an attempt lasts ten minutes', async (t) => {
  const browser = new Browser(app)
  const url = await browser.choose(await browser.begin(), 'octavia')
  await app.db.updateTable('codehost_authorization').set({ expires_at: sql`now()` }).execute()
  t.same(problemOf(await browser.open(url)), mismatch)
  await browser.begin()
  t.equal(await countOf('codehost_authorization'), 1, 'the next one sweeps the old ones away')
})

t.test('A8: a refusal with status 200 is none of a token', async (t) => {
  const browser = new Browser(app)
  await leavesNothing(t, async () => {
    const url = new URL(await browser.choose(await browser.begin(), 'octavia'))
    url.searchParams.set('code', 'used-or-invented')
    const answer = await browser.open(url.href)
    t.same([answer.statusCode, problemOf(answer), answer.headers['set-cookie']?.includes('steward=stw')],
      [400, failed, false])
  })
})

t.test('a person who denies access at the code host reads that nothing was changed', async (t) => {
  const browser = new Browser(app)
  await leavesNothing(t, async () => {
    const answer = await browser.signIn('')
    t.same([answer.statusCode, problemOf(answer)], [400, denied])
  })
  const url = new URL(await browser.choose(await browser.begin(), ''))
  url.searchParams.set('error', 'application_suspended')
  t.same(problemOf(await browser.open(url.href)), failed)
  const both = new URL(await browser.choose(await browser.begin(), 'octavia'))
  both.searchParams.set('error', 'server_error')
  t.same(problemOf(await browser.open(both.href)), failed, 'an error counts, whatever comes with it')
})

t.test('A10: signing in makes a new session, ends the one before, and takes over none', async (t) => {
  const browser = new Browser(app)
  await browser.signIn('octavia')
  const first = browser.cookies.get('steward') ?? ''
  const answer = await browser.signIn('octavia')
  t.match([answer.headers['set-cookie']].flat().find((cookie) => cookie?.startsWith('steward=')),
    /^steward=stw_sess_[0-9A-Za-z]{49}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
  t.not(browser.cookies.get('steward'), first)
  const me = (cookie: string) => app.inject({ url: '/account/me', headers: { cookie: `steward=${cookie}` } })
  t.same([(await me(first)).statusCode, (await browser.open('/account/me')).statusCode], [401, 200])
  const out = await app.inject({ method: 'POST', url: '/account/sign-out', headers: browser.headers })
  t.same([out.statusCode, (await browser.open('/account/me')).statusCode], [204, 401])
})

t.test('return_to is a path of this site, or the answer is 400', async (t) => {
  const foreign = ['//evil.test', 'https://evil.test', '/\\evil.test', '\\\\evil.test', '/\t/evil.test',
    'javascript:alert(1)', 'evil', '@evil.test', '///evil.test', '/\n/evil.test', 'http://localhost:80@evil.test/']
  for (const path of foreign) {
    const answer = await new Browser(app).open(`/codehost-oauth/authorize?return_to=${encodeURIComponent(path)}`)
    t.match([answer.statusCode, answer.json()],
      [400, { code: 'invalid_request', errors: [{ pointer: '/querystring/return_to', code: 'foreign' }] }], path)
  }
  const ours = ['/setup', '/a?b=c#d', '/..//evil.test', '/.//evil.test', '/%09/evil', '/a/%2F%2Fevil.test']
  for (const path of ours) {
    const answer = await new Browser(app).signIn('octavia', `?return_to=${encodeURIComponent(path)}`)
    t.equal(new URL(String(answer.headers.location), 'http://nowhere.test').host, 'localhost', path)
  }
  const twice = await new Browser(app).open('/codehost-oauth/authorize?return_to=/a&return_to=/b')
  t.match(twice.json(), { status: 400, code: 'invalid_request' })
})

t.test('a disabled user is refused with the same answer as a stranger', async (t) => {
  await control('POST', '/users', { login: 'dora' })
  await control('PUT', '/members', { login: 'dora', role: 'member' })
  const dora = new Browser(app)
  await dora.signIn('dora')
  const { user } = await dora.me()
  const payload = { status: 'disabled' }
  await app.inject({ method: 'PATCH', url: `/account/users/${user.id}`, headers: asAdmin, payload })
  await leavesNothing(t, async () => t.same(problemOf(await new Browser(app).signIn('dora')), notAllowed))
  t.equal((await dora.open('/account/me')).statusCode, 401)
})

t.test('the rules decide at every sign-in; a role that an admin gave stays until the rules change', async (t) => {
  await control('POST', '/users', { login: 'rhea' })
  await control('PUT', '/members', { login: 'rhea', role: 'member' })
  const rhea = new Browser(app)
  const roleAfter = async (payload?: object) => {
    const headers = asAdmin
    if (payload) await app.inject({ method: 'PATCH', url: `/account/users/${user.id}`, headers, payload })
    await rhea.signIn('rhea')
    return (await rhea.me()).user.role
  }
  await rhea.signIn('rhea')
  const { user } = await rhea.me()
  t.equal(user.role, 'viewer')
  t.equal(await roleAfter({ role: 'admin' }), 'admin')
  await control('PUT', '/teams', { team: 'platform', login: 'rhea', member: true })
  t.equal(await roleAfter(), 'member')
  await control('PUT', '/members', { login: 'rhea', role: null })
  t.same(problemOf(await new Browser(app).signIn('rhea')), notAllowed)
})

t.test('two tabs of a new person make one user', async (t) => {
  await control('POST', '/users', { login: 'tabea' })
  await control('PUT', '/members', { login: 'tabea', role: 'member' })
  const browsers = [new Browser(app), new Browser(app), new Browser(app)]
  const answers = await Promise.all(browsers.map((browser) => browser.signIn('tabea')))
  t.same(answers.map(({ statusCode }) => statusCode), [302, 302, 302])
  const ids = await Promise.all(browsers.map(async (browser) => (await browser.me()).user.id))
  t.equal(new Set(ids).size, 1)
})

t.test('a HEAD consumes no state, and other methods are not taken', async (t) => {
  for (const method of ['HEAD', 'POST', 'PUT'] as const) {
    t.equal((await app.inject({ method, url: '/codehost-oauth/callback' })).statusCode, 405, method)
  }
})

const link = async (t: App, person: { headers: Record<string, string> }) => {
  const browser = new Browser(t)
  const [name = '', value = ''] = (person.headers.cookie ?? '').split('=')
  browser.cookies.set(name, value)
  return browser
}

t.test('a signed-in person connects an account, which no other user can connect', async (t) => {
  await control('POST', '/users', { login: 'lena', id: 9001 })
  const browser = await link(app, await makePerson(app, 'Lena', 'viewer'))
  const { user } = await browser.me()
  t.equal((await browser.signIn('lena', '?mode=link&return_to=/sign-in')).headers.location, 'http://localhost/sign-in')
  const connection = (await browser.open('/codehost/connection')).json()
  t.same(connection, {
    account_id: '9001', login: 'lena', host: host.url, scopes: ['read:org'], connected_at: connection.connected_at
  })
  const elsewhere = new Browser(app)
  t.equal((await elsewhere.signIn('lena')).statusCode, 302)
  t.equal((await elsewhere.me()).user.id, user.id, 'and signs in with it, by no rule')

  const taken = await (await link(app, await makePerson(app, 'Thief', 'member'))).signIn('lena', '?mode=link')
  t.same([taken.statusCode, problemOf(taken)], [409, problem('codehost_account_taken', 409,
    'The account of the code host belongs to another user')])
  const other = await browser.signIn('mallory', '?mode=link')
  t.match([other.statusCode, other.json()], [409, { code: 'codehost_other_account' }])
  t.equal((await browser.signIn('lena', '?mode=link')).statusCode, 302, 'again is renewing')
})

t.test('connecting needs the same browser session at both ends, and no link of another site', async (t) => {
  const begin = (headers: Record<string, string>) =>
    app.inject({ url: '/codehost-oauth/authorize?mode=link', headers })
  t.match((await begin({})).json(), { status: 401, code: 'unauthenticated' })
  t.match((await begin(asAdmin)).json(), { status: 401, code: 'unauthenticated' })
  const person = await makePerson(app, 'Vera', 'viewer')
  const { cookie } = person.headers as { cookie: string }
  for (const site of ['cross-site', 'same-site']) {
    t.match((await begin({ cookie, 'sec-fetch-site': site })).json(), { status: 403, code: 'csrf_rejected' }, site)
  }
  t.equal((await begin({ cookie, 'sec-fetch-site': 'none' })).statusCode, 302)
  const browser = await link(app, person)
  const url = await browser.choose(await browser.begin('?mode=link'), 'not-bruno')
  browser.cookies.delete('steward')
  t.same(problemOf(await browser.open(url)), mismatch, 'signed out meanwhile')
  const again = await link(app, person)
  const callback = await again.choose(await again.begin('?mode=link'), 'not-bruno')
  const [name = '', value = ''] = ((await makePerson(app, 'Else', 'viewer')).headers.cookie ?? '').split('=')
  again.cookies.set(name, value)
  t.same(problemOf(await again.open(callback)), mismatch, 'another person is signed in by now')
})

t.test('a browser gets errors as a page without scripts', async (t) => {
  const browser = new Browser(app)
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const answer = await browser.open('/codehost-oauth/callback?state=%3Cscript%3E&code=x', { accept })
  t.same([answer.statusCode, answer.headers['content-type'], answer.headers['x-error-code']],
    [400, 'text/html; charset=utf-8', 'oauth_state_mismatch'])
  t.match(answer.headers['content-security-policy'], /^default-src 'none'; script-src 'self'/)
  t.match(answer.body, /http:\/\/localhost:80\/codehost-oauth\/callback: PUBLIC_URL must be/)
  t.notMatch(answer.body, /<script/)
  t.equal((await browser.open('/codehost-oauth/authorize?mode=both', { accept })).statusCode, 400)
})

t.test('the offer says whether sign-in with the code host is available', async (t) => {
  const answer = await app.inject('/codehost-oauth/offer')
  t.same([answer.statusCode, answer.json()], [200, { available: true, name: new URL(host.url).host, sandboxed: false }])
})
