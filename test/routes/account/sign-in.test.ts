import { sql } from 'kysely'
import t from '../../tap.js'
import { hashToken, makeToken as makeText } from '../../../lib/security/tokens.js'
import { asAdmin, buildApp } from '../../app.js'
import { fromRecord } from '../../recorded.js'
import { makePerson, problemOf, signIn } from './actors.js'

const app = await buildApp(t, { SANDBOX: 'off' })

type Headers = Record<string, string>
const post = (payload: object, headers: Headers = {}) =>
  app.inject({ method: 'POST', url: '/account/sign-in', headers, payload })
const invite = async (name: string): Promise<{ id: string, url: string, token: string }> => {
  const payload = { name, role: 'viewer' }
  const { user, link } = (await app.inject({ method: 'POST', url: '/account/users', headers: asAdmin, payload })).json()
  return { id: user.id, url: link.url, token: new URL(link.url).hash.replace('#token=', '') }
}
const gone = (code: string, title: string) =>
  ({ type: `urn:steward:error:${code}`, title, status: 410, detail: title, code })

t.test('a link signs in once and sets a cookie', async (t) => {
  const { id, token } = await invite('Una')
  const answer = await post({ token }, { 'user-agent': 'Browser 1' })
  const { user } = answer.json()
  t.same([answer.statusCode, answer.headers['cache-control']], [200, 'no-store'])
  t.match(user, { id, name: 'Una', role: 'viewer', revision: 1, first_sign_in_at: /Z$/ })
  t.match(answer.headers['set-cookie'],
    /^steward=stw_sess_[0-9A-Za-z]{49}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
  t.same(problemOf(await post({ token })), gone('link_used', 'The link was used, or a newer one took its place'))
  const rows = await app.db.selectFrom('account_session').selectAll().where('user_id', '=', id).execute()
  t.equal(rows.length, 1)
  const secret = String(answer.headers['set-cookie']).split(/[=;]/)[1] ?? ''
  t.ok(rows[0]?.hash.equals(hashToken(secret)), 'only the hash is at rest')
  const audit = await fromRecord(app).select(['operation', 'via', 'via_id', 'target', 'outcome', 'status'])
    .where('user_id', '=', id).execute()
  t.same(audit, [{
    operation: 'createBrowserSession',
    via: 'browser',
    via_id: rows[0]?.id,
    target: 'invitation',
    outcome: 'succeeded',
    status: 200
  }])
})

t.test('A12: of twenty who race with one link, one is in', async (t) => {
  const { id, token } = await invite('Ray')
  const answers = await Promise.all(Array.from({ length: 20 }, () => post({ token })))
  t.same(answers.map((answer) => answer.statusCode).sort(), [200, ...Array.from({ length: 19 }, () => 410)])
  const sessions = await app.db.selectFrom('account_session').select('id').where('user_id', '=', id).execute()
  t.equal(sessions.length, 1)
})

t.test('an expired, an unknown and a malformed link', async (t) => {
  const { id, token } = await invite('Exa')
  await app.db.updateTable('account_link').set({ expires_at: sql`now()` }).where('user_id', '=', id).execute()
  t.same(problemOf(await post({ token })), gone('link_expired', 'The link has expired'))
  const unknown = {
    type: 'urn:steward:error:unauthenticated',
    title: 'Credentials are missing or not valid',
    status: 401,
    detail: 'The link is not known',
    code: 'unauthenticated'
  }
  for (const text of [makeText('link'), makeText('pat'), 'x', token.slice(0, -1)]) {
    const answer = await post({ token: text })
    t.same([problemOf(answer), answer.headers['set-cookie']], [unknown, undefined])
  }
  for (const payload of [{}, { token: 1 }, { token: '' }, { token: 'x'.repeat(257) }, { token, user_id: id }]) {
    t.equal((await post(payload)).statusCode, 400, JSON.stringify(payload).slice(0, 40))
  }
})

t.test('A13: who guesses links waits, whatever they say of their address', async (t) => {
  const strict = await buildApp(t, { LIMITS: '{"refused_credentials_per_minute":4}' })
  const guess = (index: number, remoteAddress = '127.0.0.1') => strict.inject({
    method: 'POST',
    url: '/account/sign-in',
    payload: { token: makeText('link') },
    remoteAddress,
    headers: { 'x-forwarded-for': `198.51.100.${index}`, 'sec-fetch-site': 'same-origin' }
  })
  const answers = []
  // Twice as many as a minute allows: a minute may end among them.
  for (let index = 0; index < 10; index++) answers.push(await guess(index))
  t.equal(answers[0]?.statusCode, 401)
  const last = answers.at(-1)
  t.match([last?.statusCode, last?.json()], [429, { code: 'rate_limited' }])
  t.ok(Number(last?.headers['retry-after']) > 0)
  t.equal((await guess(0, '127.0.0.9')).statusCode, 401, 'another address is another guesser')
})

t.test('A6: another site\'s page cannot sign a browser in', async (t) => {
  const { token } = await invite('Lotte')
  const refused: Headers[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }]
  for (const headers of refused) {
    t.match((await post({ token }, headers)).json(), { status: 403, code: 'csrf_rejected' })
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = await app.inject({ method: 'POST', url: '/account/sign-in', headers, payload: `token=${token}` })
  t.equal(form.statusCode, 415)
  t.equal((await post({ token }, { 'sec-fetch-site': 'same-origin' })).statusCode, 200)
})

t.test('A10: signing in anew ends the browser\'s former session and makes a new one', async (t) => {
  const { id, url } = await invite('Nia')
  const first = await signIn(app, url)
  const again = (await app.inject({ method: 'POST', url: `/account/users/${id}/link`, headers: asAdmin })).json()
  const second = await post({ token: new URL(again.url).hash.replace('#token=', '') }, { cookie: first.cookie })
  const cookie = String(second.headers['set-cookie']).split(';')[0] ?? ''
  t.not(cookie, first.cookie)
  const me = async (value: string) => (await app.inject({ url: '/account/me', headers: { cookie: value } })).statusCode
  t.same([await me(first.cookie), await me(cookie)], [401, 200])
  const planted = `steward=${makeText('sess')}`
  const { token } = await invite('Fix')
  const fixed = await post({ token }, { cookie: planted })
  t.notMatch(fixed.headers['set-cookie'], planted, 'a planted session id is not taken over')
  t.equal(await me(planted), 401)
})

t.test('sessions are listed and ended by their owner', async (t) => {
  const person = await makePerson(app, 'Sid', 'viewer')
  const link = (await app.inject({ method: 'POST', url: `/account/users/${person.id}/link`, headers: asAdmin })).json()
  const other = await signIn(app, link.url)
  const list = async (headers: Headers, query = '') =>
    (await app.inject({ url: `/account/sessions${query}`, headers })).json()
  const { items } = await list(person.headers)
  t.same(items.map((item: { current: boolean }) => item.current), [false, true])
  t.same(items[1], {
    id: items[1].id,
    user_agent: 'lightMyRequest',
    current: true,
    created_at: items[1].created_at,
    last_used_at: items[1].created_at,
    idle_expires_at: new Date(Date.parse(items[1].created_at) + 12 * 3_600_000).toISOString(),
    expires_at: new Date(Date.parse(items[1].created_at) + 7 * 86_400_000).toISOString()
  })
  const page = await list(person.headers, '?limit=1')
  t.same((await list(person.headers, `?limit=1&cursor=${page.next_cursor}`)).items, [items[1]])
  for (const time of ['once', 'again']) {
    const url = `/account/sessions/${items[0].id}`
    t.equal((await app.inject({ method: 'DELETE', url, headers: person.headers })).statusCode, 204, time)
  }
  t.equal((await app.inject({ url: '/account/me', headers: other.headers })).statusCode, 401)
  t.same(await list(person.headers), { items: [items[1]], next_cursor: null })
})

t.test('signing out through a token ends no session', async (t) => {
  const person = await makePerson(app, 'Tom', 'viewer')
  t.equal((await app.inject({ method: 'POST', url: '/account/sign-out', headers: asAdmin })).statusCode, 204)
  t.equal((await app.inject({ url: '/account/me', headers: person.headers })).statusCode, 200)
})
