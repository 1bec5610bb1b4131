import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { makePerson } from '../account/actors.js'
import { Browser } from './browser.js'

interface TokenRequest { authorization: string | undefined, fields: Record<string, string> }
type Reply = [status: number, type: string, body: string]

/** An OAuth server as others write them: each test says how it answers for tokens. */
let answer: (request: TokenRequest) => Reply = () => [500, 'text/plain', '']
const requests: TokenRequest[] = []

const json = (value: unknown, status = 200): Reply => [status, 'application/json', JSON.stringify(value)]

const reply = async (request: IncomingMessage): Promise<Reply> => {
  const { method, url = '', headers: { authorization } } = request
  if (url === '/git/api/v3/user') return json({ id: 77, login: 'kim', name: null })
  if (method !== 'POST' || url !== '/git/login/oauth/access_token') return json({ message: 'Not Found' }, 404)
  const one = { authorization, fields: Object.fromEntries(new URLSearchParams(await text(request))) }
  requests.push(one)
  return answer(one)
}

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  reply(request).then(([status, type, body]) => response.writeHead(status, { 'content-type': type }).end(body),
    () => response.destroy())
})
await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
t.teardown(() => { server.close() })
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/git`

const app = await buildApp(t, {
  CODEHOST_URL: base,
  CODEHOST_CLIENT_ID: 'client+1',
  CODEHOST_CLIENT_SECRET: 's:cret&%',
  CODEHOST_SCOPES: 'repo read:org',
  LIMITS: '{"sign_ins_per_minute":10000}'
})
const person = await makePerson(app, 'Kim', 'member')
const browser = new Browser(app)
const [name = '', value = ''] = (person.headers.cookie ?? '').split('=')
browser.cookies.set(name, value)

const connect = async (code = 'c0de') => {
  requests.length = 0
  const url = new URL(await browser.begin('?mode=link'))
  t.equal(`${url.origin}${url.pathname}`, `${base}/login/oauth/authorize`)
  return browser.open(`/codehost-oauth/callback?code=${code}&state=${url.searchParams.get('state')}`)
}
const row = () => app.db.selectFrom('codehost_identity')
  .select(['account_id', 'login', 'state', 'scope', 'refresh_token', 'expires_at']).executeTakeFirst()

/** How long the token that is kept lives. */
const secondsLeft = async (): Promise<number | null> => {
  const at = (await row())?.expires_at
  return at ? (Number(at) - Date.now()) / 1_000 : null
}

t.test('tokens of every dialect are understood', async (t) => {
  const form = 'application/x-www-form-urlencoded'
  const issues: [string, Reply, { scope: string, seconds: number | null, refresh: boolean }][] = [
    ['JSON, everything said', json({ access_token: 't1', refresh_token: 'r', expires_in: 7200, scope: 'repo,gist' }),
      { scope: 'repo gist', seconds: 7200, refresh: true }],
    ['the life as text', json({ access_token: 't2', refresh_token: 'r', expires_in: '7200', scope: 'repo' }),
      { scope: 'repo', seconds: 7200, refresh: true }],
    ['no scope: what was asked for', json({ access_token: 't3', token_type: 'bearer' }),
      { scope: 'repo read:org', seconds: null, refresh: false }],
    ['an empty scope is none', json({ access_token: 't4', scope: '' }), { scope: '', seconds: null, refresh: false }],
    ['scopes as a list', json({ access_token: 't5', scope: ['repo', 'gist'] }),
      { scope: 'repo gist', seconds: null, refresh: false }],
    ['a life that is none', json({ access_token: 't6', expires_in: 0, refresh_token: null, scope: 'repo' }),
      { scope: 'repo', seconds: null, refresh: false }],
    ['a form', [200, form, 'access_token=t7&scope=repo%2Cgist&token_type=bearer&expires_in=60'],
      { scope: 'repo gist', seconds: 60, refresh: false }],
    ['a form that says it is text', [200, 'text/plain;charset=UTF-8', 'access_token=t8&scope=repo\n'],
      { scope: 'repo', seconds: null, refresh: false }],
    ['JSON that says it is HTML', [200, 'text/html', '{"access_token":"t9","scope":"repo"}'],
      { scope: 'repo', seconds: null, refresh: false }],
    ['JSON with status 201', [201, 'application/json', '{"access_token":"t10","scope":"repo"}'],
      { scope: 'repo', seconds: null, refresh: false }]
  ]
  for (const [what, issued, { scope, seconds, refresh }] of issues) {
    answer = () => issued
    t.equal((await connect()).statusCode, 302, what)
    const kept = await row()
    t.match(kept, { account_id: '77', login: 'kim', state: 'active', scope }, what)
    t.equal(kept?.refresh_token !== null, refresh, what)
    const left = await secondsLeft()
    t.ok(seconds === null ? left === null : left !== null && left <= seconds + 60 && left > seconds - 60, what)
  }
})

t.test('an answer without a token connects no account and changes nothing', async (t) => {
  const before = await row()
  const failures: [string, Reply, number, string][] = [
    ['a refusal with status 200', json({ error: 'bad_verification_code' }), 400, 'oauth_exchange_failed'],
    ['with a token beside it', json({ error: 'invalid_grant', access_token: 'x' }), 400, 'oauth_exchange_failed'],
    ['as a form', [200, 'text/plain', 'error=bad_verification_code'], 400, 'oauth_exchange_failed'],
    ['with its proper status', json({ error: 'invalid_grant' }, 400), 400, 'oauth_exchange_failed'],
    ['an error that is none of the standard', json({ error: { code: 7 } }), 400, 'oauth_exchange_failed'],
    ['no token', json({ token_type: 'bearer' }), 400, 'oauth_exchange_failed'],
    ['a token that is no text', json({ access_token: 12 }), 400, 'oauth_exchange_failed'],
    ['a token with a line break', json({ access_token: 'a\r\nx: y' }), 400, 'oauth_exchange_failed'],
    ['nothing', [200, 'application/json', ''], 400, 'oauth_exchange_failed'],
    ['a page', [200, 'text/html', '<h1>Sign in</h1>'], 400, 'oauth_exchange_failed'],
    ['unavailable', json({}, 503), 502, 'codehost_error'],
    ['a limit', json({}, 429), 503, 'codehost_rate_limited'],
    ['a limit with the status of a refusal', json({ message: 'You have exceeded a secondary rate limit' }, 403), 503,
      'codehost_rate_limited'],
    ['a limit with status 200', json({ error: 'slow_down' }), 503, 'codehost_rate_limited']
  ]
  for (const [what, issued, status, code] of failures) {
    answer = () => issued
    const refused = await connect()
    t.match([refused.statusCode, refused.json()], [status, { code }], what)
  }
  t.same(await row(), before)
})

t.test('the secret is sent in the body; after a refusal in a header, and from then on there', async (t) => {
  answer = () => json({ access_token: 'b', scope: 'repo' })
  await connect('c1')
  const { code_verifier, ...inBody } = requests[0]?.fields ?? {}
  t.match(code_verifier, /^[\w-]{43,}$/)
  t.same(inBody, {
    grant_type: 'authorization_code',
    client_id: 'client+1',
    client_secret: 's:cret&%',
    code: 'c1',
    redirect_uri: 'http://localhost:80/codehost-oauth/callback'
  })
  t.equal(requests[0]?.authorization, undefined)

  answer = ({ authorization }) => authorization === undefined
    ? json({ error: 'invalid_client' }, 401)
    : json({ access_token: 'h', refresh_token: 'r1', expires_in: 3600, scope: 'repo' })
  t.equal((await connect('c2')).statusCode, 302)
  const inHeader = requests.at(-1)
  t.match([requests.length, inHeader?.fields.code, inHeader?.fields.client_secret], [2, 'c2', undefined])
  t.equal(inHeader?.authorization, `Basic ${Buffer.from('client%2B1:s%3Acret%26%25').toString('base64')}`)
  await connect('c3')
  t.equal(requests.length, 1, 'it is not asked the wrong way again')

  answer = () => json({ error: 'invalid_client' }, 401)
  t.match((await connect('c4')).json(), { code: 'oauth_exchange_failed' })
  t.equal(requests.length, 2, 'refused both ways is refused')
})

t.test('without rotation the first refresh token stays in use', async (t) => {
  answer = () => json({ access_token: 'n1', refresh_token: 'r1', expires_in: 3600, scope: 'repo' })
  await connect()
  const kept = await row()
  await app.db.updateTable('codehost_identity')
    .set({ refresh_at: new Date(0), expires_at: new Date(1) }).execute()
  answer = () => json({ access_token: 'n2', expires_in: 3600 })
  requests.length = 0
  const connection = await browser.open('/codehost/connection')
  t.match(connection.json(), { login: 'kim', scopes: ['repo'] })
  t.match(requests, [{ fields: { grant_type: 'refresh_token', refresh_token: 'r1' } }])
  t.ok(kept?.refresh_token && (await row())?.refresh_token?.equals(kept.refresh_token))
  t.ok((await secondsLeft() ?? 0) > 3_000)
})
