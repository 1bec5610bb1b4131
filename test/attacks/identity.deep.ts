import { sql } from 'kysely'
import t, { type Test } from '../tap.js'
import { makeKey } from 'steward-sandbox/openid'
import { asAdmin } from '../app.js'
import { makePerson, makeWorkspace } from '../routes/account/actors.js'
import {
  addProvider, Browser, buildWithProviders, changeProvider, startSandbox
} from '../routes/account/identity-browser.js'

const app = await buildWithProviders(t, { OUTBOUND_ALLOW: '127.0.0.1,localhost' })
const [honest, evil] = [await startSandbox(t), await startSandbox(t)]
const rules = { just_in_time: true, joins_by_email: true, domains: ['acme.example'] }
const ofHonest = await addProvider(app, honest, { name: 'Honest', ...rules })
const ofEvil = await addProvider(app, evil, { name: 'Evil', just_in_time: true })
const verified = (name: string) => ({ sub: name, email: `${name}@acme.example`, email_verified: true, name })

t.beforeEach(() => {
  for (const sandbox of [honest, evil]) sandbox.reset()
  honest.behaviour.person = verified('ada')
})

const countOf = async (table: 'account_session' | 'account_user' | 'account_identity') =>
  (await app.db.selectFrom(table).select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow()).count
const counts = async () => Promise.all((['account_session', 'account_user', 'account_identity'] as const).map(countOf))

/** Goes a wrong way, which must leave nothing behind. */
const refuses = async (t: Test, code: string, go: (browser: Browser) => Promise<{ json: () => object }>) => {
  const before = await counts()
  const browser = new Browser(app)
  const answer = (await go(browser)).json()
  t.match(answer, { code }, JSON.stringify(answer))
  t.same(await counts(), before, 'no session, no person, no identity')
  t.match(await browser.me(), { code: 'unauthenticated' })
}

t.test('what is tried below works when nothing is wrong', async (t) => {
  const ada = new Browser(app)
  t.equal((await ada.signIn(ofHonest)).statusCode, 302)
  t.match(await ada.me(), { user: { name: 'ada' } })
})

t.test('an ID token that is not signed, not for us, not of this sign-in or not of now is not believed', async (t) => {
  const now = Math.floor(Date.now() / 1_000)
  const stranger = makeKey()
  const tries: [string, Partial<typeof honest.behaviour>][] = [
    ['alg none', { signing: 'none' }],
    ['HS256 with the client\'s secret', { signing: { hmac: honest.client.secret } }],
    ['HS256 with the public key', { signing: { hmac: String(honest.key.jwk.n) } }],
    ['signed by another key', { signing: stranger }],
    ['signed by another key under our kid', { signing: { ...stranger, kid: honest.key.kid } }],
    ['another audience', { forged: { aud: 'somebody-else' } }],
    ['several audiences without azp', { forged: { aud: ['steward', 'somebody-else'] } }],
    ['several audiences, and azp is another', { forged: { aud: ['steward', 'other'], azp: 'other' } }],
    ['expired', { forged: { iat: now - 700, exp: now - 400 } }],
    ['not valid yet', { forged: { nbf: now + 4_000 } }],
    ['issued two minutes from now', { forged: { iat: now + 120, exp: now + 420 } }],
    ['another nonce', { forged: { nonce: 'of-somebody-else' } }],
    ['no nonce', { forged: { nonce: undefined } }],
    ['another issuer', { forged: { iss: evil.issuer } }],
    ['no subject', { forged: { sub: undefined } }]
  ]
  for (const [title, behaviour] of tries) {
    await t.test(title, async (t) => {
      Object.assign(honest.behaviour, behaviour)
      await refuses(t, 'identity_exchange_failed', (browser) => browser.signIn(ofHonest))
    })
  }
})

t.test('a user info of another person is not mixed in', async (t) => {
  honest.behaviour.info = { sub: 'grace' }
  await refuses(t, 'identity_exchange_failed', (browser) => browser.signIn(ofHonest))
})

t.test('a code of one browser is worth nothing in another, and none works twice', async (t) => {
  const [victim, attacker] = [new Browser(app), new Browser(app)]
  const stolen = await victim.visit(await victim.begin(ofHonest))
  await refuses(t, 'identity_state_mismatch', (browser) => browser.open(stolen))
  const own = new URL(await attacker.visit(await attacker.begin(ofHonest)))
  own.searchParams.set('code', new URL(stolen).searchParams.get('code') ?? '')
  const before = await counts()
  t.match((await attacker.open(own.href)).json(), { code: 'identity_exchange_failed' }, 'PKCE binds it to its sign-in')
  t.same(await counts(), before)
  t.match((await attacker.open(own.href)).json(), { code: 'identity_state_mismatch' }, 'an attempt works once')
  t.equal((await victim.signIn(ofHonest)).statusCode, 302)
})

t.test('an answer of another issuer is refused (RFC 9207), at the other\'s address too', async (t) => {
  honest.behaviour.iss = evil.issuer
  await refuses(t, 'identity_exchange_failed', (browser) => browser.signIn(ofHonest))
  honest.behaviour.iss = null
  await refuses(t, 'identity_exchange_failed', (browser) => browser.signIn(ofHonest))
  honest.behaviour.iss = undefined
  await refuses(t, 'identity_state_mismatch', async (browser) => {
    const back = await browser.visit(await browser.begin(ofHonest))
    return browser.open(back.replace(ofHonest, ofEvil))
  })
  const asked = evil.requests.filter((one) => one === 'POST /token').length
  // The evil one sends the browser to the honest one, with the state that is its own.
  await refuses(t, 'identity_exchange_failed', async (browser) => {
    const url = new URL(await browser.begin(ofEvil))
    const query = new URLSearchParams(url.searchParams)
    query.set('redirect_uri', String(url.searchParams.get('redirect_uri')))
    return browser.open(await browser.visit(`${honest.issuer}/authorize?${query}`))
  })
  t.equal(evil.requests.filter((one) => one === 'POST /token').length, asked, 'and the code is not sent to it')
})

t.test('no word of a provider leads to a person who is not its own', async (t) => {
  const { id } = await makePerson(app, 'Boss', 'admin')
  await app.db.updateTable('account_user').set({ email: 'boss@acme.example' }).where('id', '=', id).execute()
  evil.behaviour.person = verified('boss')
  await refuses(t, 'identity_email_taken', (browser) => browser.signIn(ofEvil))
  honest.behaviour.person = { ...verified('boss'), email_verified: false }
  await refuses(t, 'identity_not_allowed', (browser) => browser.signIn(ofHonest))
  honest.behaviour.person = { ...verified('boss'), email_verified: 'true' }
  await refuses(t, 'identity_not_allowed', (browser) => browser.signIn(ofHonest))
  honest.behaviour.person = verified('boss')
  const boss = new Browser(app)
  await boss.signIn(ofHonest)
  t.equal((await boss.me()).user.id, id, 'the domain\'s own provider does, once')
  honest.behaviour.person = { ...verified('boss'), sub: 'impostor' }
  await refuses(t, 'identity_email_taken', (browser) => browser.signIn(ofHonest))
  evil.behaviour.person = { sub: 'boss', name: 'Not the boss' }
  const other = new Browser(app)
  await other.signIn(ofEvil)
  t.not((await other.me()).user.id, id, 'the same subject of another issuer is somebody else')
  t.equal((await other.me()).user.role, 'viewer')
})

t.test('a provider of one workspace vouches for nobody in another', async (t) => {
  const there = await makeWorkspace(app, 'Harbour', ['harbour.example'])
  evil.behaviour.person = verified('ada')
  const ofThere = await addProvider(app, evil, { ...rules, name: 'Theirs' },
    { ...there.headers, host: 'harbour.example' })
  t.match((await new Browser(app).open(`/identity/${ofThere}/authorize`)).json(), { code: 'identity_not_found' })
  t.same((await new Browser(app).open('/identity/offer')).json(),
    { providers: [{ id: ofHonest, name: 'Honest' }, { id: ofEvil, name: 'Evil' }] })
  const ada = new Browser(app, 'harbour.example')
  const back = await ada.signIn(ofThere)
  t.equal(back.statusCode, 302, back.payload)
  t.equal((await ada.me()).workspace.name, 'Harbour')
  const back2 = await ada.visit(await ada.begin(ofThere))
  const first = new Browser(app)
  for (const [name, value] of ada.cookies) first.cookies.set(name, value)
  t.match((await first.open(back2)).json(), { code: 'identity_exchange_failed' }, 'the callback is another one')
  const elsewhere = await makeWorkspace(app, 'Quay', ['quay.example'])
  t.ok(elsewhere.id)
  const third = new Browser(app, 'quay.example')
  const begun = await ada.visit(await ada.begin(ofThere))
  for (const [name, value] of ada.cookies) third.cookies.set(name, value)
  t.match((await third.open(begun)).json(), { code: 'identity_state_mismatch' })
  t.match(await third.me(), { code: 'unauthenticated' })
})

t.test('an address to return to is one of this site', async (t) => {
  for (const path of ['//evil.example', 'https://evil.example/', '/\\evil.example', '\\\\evil.example',
    '/\t/evil.example']) {
    const query = new URLSearchParams({ return_to: path })
    const answer = await new Browser(app).open(`/identity/${ofHonest}/authorize?${query}`)
    t.match(answer.json(), { status: 400, code: 'invalid_request' }, path)
  }
})

t.test('an issuer leads to no private address, and neither does what its document names', async (t) => {
  const inner = await startSandbox(t)
  const port = new URL(inner.issuer).port
  for (const [at, issuer] of ['http://169.254.169.254', `http://[::1]:${port}`, `https://127.0.0.2:${port}`,
    'http://2130706434', 'https://metadata.internal'].entries()) {
    const id = await addProvider(app, { issuer: `${issuer}/${at}`, client: inner.client })
    const answer = await app.inject({ method: 'POST', url: `/account/identity-providers/${id}/test`, headers: asAdmin })
    const [check, ...more] = answer.json().checks
    t.match(check, { check: 'discovery', outcome: 'failed' }, issuer)
    t.same(more, [])
    t.match((await new Browser(app).open(`/identity/${id}/authorize`)).json(),
      { status: 502, code: 'identity_unavailable' })
    await app.inject({ method: 'DELETE', url: `/account/identity-providers/${id}`, headers: asAdmin })
  }
  t.same(inner.requests, [])
  const forbidden = `http://127.0.0.2:${port}`
  for (const member of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
    evil.behaviour.metadata = { [member]: `${forbidden}/${member}` }
    await changeProvider(app, ofEvil, { name: 'Evil' })
    await refuses(t, 'identity_unavailable', (browser) => browser.signIn(ofEvil))
  }
  t.same(inner.requests, [], 'nothing was asked there')
  evil.behaviour.redirect = inner.issuer
  await changeProvider(app, ofEvil, { name: 'Evil' })
  t.match((await new Browser(app).open(`/identity/${ofEvil}/authorize`)).json(), { code: 'identity_unavailable' })
  t.same(inner.requests, [], 'no redirect is followed')
})

t.test('a page that a document names is a web page', async (t) => {
  for (const authorization_endpoint of ['javascript:alert(1)', 'data:text/html,x', 'steward://x']) {
    evil.behaviour.metadata = { authorization_endpoint, end_session_endpoint: authorization_endpoint }
    await changeProvider(app, ofEvil, { name: 'Evil' })
    t.match((await new Browser(app).open(`/identity/${ofEvil}/authorize`)).json(), { code: 'identity_unavailable' })
  }
  evil.behaviour.metadata = { end_session_endpoint: 'javascript:alert(1)' }
  evil.behaviour.person = { sub: 'eve', name: 'Eve' }
  await changeProvider(app, ofEvil, { name: 'Evil' })
  const eve = new Browser(app)
  await eve.signIn(ofEvil)
  t.same((await eve.post('/account/identity-sign-out')).json(), { url: null })
})

t.test('a logout token is taken once, and only one that is whole', async (t) => {
  const home = app.home.workspace_id
  const send = async (token: string, path = `/identity/${home}/${ofHonest}/logout`) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await app.inject({ method: 'POST', url: path, headers, payload: `logout_token=${token}` })
    return answer.statusCode === 204 ? 'ended' : answer.json().code
  }
  const now = Math.floor(Date.now() / 1_000)
  honest.behaviour.person = { ...verified('lee'), sid: 'session-1' }
  const lee = new Browser(app)
  await lee.signIn(ofHonest)
  const whole = { sub: 'lee', sid: 'session-1' }
  const refused: [string, string][] = [
    ['alg none', honest.logoutToken(whole, 'none')],
    ['HS256', honest.logoutToken(whole, { hmac: honest.client.secret })],
    ['another key', honest.logoutToken(whole, { ...makeKey(), kid: honest.key.kid })],
    ['another audience', honest.logoutToken({ ...whole, aud: 'other' })],
    ['another issuer', honest.logoutToken({ ...whole, iss: evil.issuer })],
    ['of the other provider', evil.logoutToken(whole)],
    ['a nonce', honest.logoutToken({ ...whole, nonce: 'x' })],
    ['no event', honest.logoutToken({ ...whole, events: {} })],
    ['an ID token', honest.logoutToken({ ...whole, events: undefined })],
    ['no jti', honest.logoutToken({ ...whole, jti: undefined })],
    ['neither sub nor sid', honest.logoutToken({})],
    ['expired', honest.logoutToken({ ...whole, exp: now - 60 })],
    ['no expiry', honest.logoutToken({ ...whole, exp: undefined })],
    ['old', honest.logoutToken({ ...whole, iat: now - 4_000, exp: now + 60 })],
    ['issued two minutes from now', honest.logoutToken({ ...whole, iat: now + 120, exp: now + 180 })],
    ['typed as an access token', honest.logoutToken(whole, 'RS256', 'at+jwt')],
    ['no token', 'x.y.z']
  ]
  for (const [title, token] of refused) t.equal(await send(token), 'logout_token_refused', title)
  t.equal(await send(honest.logoutToken({ sub: 'lee', sid: 'session-2' })), 'ended')
  t.equal(await send(honest.logoutToken({ sub: 'somebody', sid: 'session-1' })), 'ended')
  t.equal((await lee.me()).user.name, 'lee', 'none of these ended the session')
  const token = honest.logoutToken({ sid: 'session-1' })
  t.equal(await send(token), 'ended')
  t.match(await lee.me(), { code: 'unauthenticated' })
  await lee.signIn(ofHonest)
  t.equal(await send(token), 'logout_token_refused', 'a replay ends nothing')
  t.equal((await lee.me()).user.name, 'lee')
  t.equal(await send(honest.logoutToken({ sub: 'lee' })), 'ended')
  t.match(await lee.me(), { code: 'unauthenticated' }, 'a subject alone ends all sessions of the person')
  t.equal(await send(honest.logoutToken(whole), `/identity/${home}/${home}/logout`), 'not_found')
})

t.test('a provider that is down ends nothing until the grace is over; one that refuses ends the session', async (t) => {
  const due = () => app.db.updateTable('account_session').set({ check_at: new Date(0) })
    .where('check_at', 'is not', null).execute()
  honest.behaviour.person = verified('kim')
  const kim = new Browser(app)
  await kim.signIn(ofHonest)
  honest.behaviour.status = 503
  await due()
  t.equal((await kim.me()).user.name, 'kim')
  const long = new Date(Date.now() - 71 * 60_000)
  await app.db.updateTable('account_identity_session').set({ answered_at: long }).execute()
  await due()
  t.match(await kim.me(), { code: 'unauthenticated' }, 'after the grace')
  honest.behaviour.status = undefined
  honest.behaviour.refreshes = false
  await kim.signIn(ofHonest)
  await due()
  t.equal((await kim.me()).user.name, 'kim', 'without refresh tokens the user info is asked')
  honest.behaviour.revoked = true
  await due()
  t.match(await kim.me(), { code: 'unauthenticated' })
  honest.reset()
  honest.behaviour.person = verified('kim')
  await kim.signIn(ofHonest)
  honest.behaviour.forged = { sub: 'somebody-else' }
  await due()
  t.match(await kim.me(), { code: 'unauthenticated' }, 'tokens of another person are a refusal')
  honest.reset()
  honest.behaviour.person = verified('kim')
  await kim.signIn(ofHonest)
  await changeProvider(app, ofHonest, { enabled: false })
  t.match(await kim.me(), { code: 'unauthenticated' }, 'a provider that is switched off vouches for nobody')
  await changeProvider(app, ofHonest, { enabled: true })
})

t.test('idle, nothing is asked of a provider', async (t) => {
  honest.behaviour.person = verified('zoe')
  await new Browser(app).signIn(ofHonest)
  await app.db.updateTable('account_session').set({ check_at: new Date(0) }).where('check_at', 'is not', null).execute()
  const { length } = honest.requests
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  t.equal(honest.requests.length, length)
})
