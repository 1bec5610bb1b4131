import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from '../../tap.js'
import { build } from '../../../app.js'
import { readConfig } from '../../../plugins/config.js'
import type { OpenidSandbox } from 'steward-sandbox/openid'
import { makeEnvironment, type App } from '../../app.js'
import { fromRecord } from '../../recorded.js'
import { addProvider, Browser, changeProvider, startSandbox } from './identity-browser.js'

/**
 * Two instances of one installation, which know of each other by the database alone. An embedded one is of one process:
 * there both are the same.
 */
const startTwo = async (t: Test, more: object = {}) => {
  const sandbox = await startSandbox(t)
  const environment = await makeEnvironment(t, { SANDBOX: 'off', WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
  const one = await build(readConfig(environment))
  const two = process.env.TEST_DATABASE_URL ? await build(readConfig(environment)) : one
  t.teardown(() => Promise.all([...new Set([one, two])].map((app) => app.close())))
  const provider = await addProvider(one, sandbox, { just_in_time: true, scopes: ['offline_access'], ...more })
  return { sandbox, one, two, provider }
}

type Two = Awaited<ReturnType<typeof startTwo>>

/** The same browser, whose next request goes to another instance. */
const at = (app: App, { cookies }: Browser): Browser => {
  const there = new Browser(app)
  for (const [name, value] of cookies) there.cookies.set(name, value)
  return there
}

const signIn = async (app: App, { sandbox, provider }: Pick<Two, 'sandbox' | 'provider'>, person: object) => {
  sandbox.behaviour.person = { ...person }
  const browser = new Browser(app)
  const { statusCode, payload } = await browser.signIn(provider)
  if (statusCode !== 302) throw new Error(payload)
  return browser
}

const logOut = async (app: App, provider: string, token: string): Promise<string> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = `/identity/${app.home.workspace_id}/${provider}/logout`
  const { statusCode, payload } = await app.inject({ method: 'POST', url, headers, payload: `logout_token=${token}` })
  return statusCode === 204 ? 'ended' : String((JSON.parse(payload) as { code: unknown }).code)
}

const due = ({ db }: App) =>
  db.updateTable('account_session').set({ check_at: new Date(0) }).where('check_at', 'is not', null).execute()

const recorded = (app: App, operation: string) =>
  fromRecord(app).select(['target', 'outcome']).where('operation', '=', operation).execute()

const tokenRequests = ({ requests }: OpenidSandbox) => requests.filter((one) => one === 'POST /token').length

/** Stands before the provider's token endpoint: a request waits there until the test lets it go on. */
const holdTokens = async (t: Test, { issuer }: OpenidSandbox) => {
  const waiting: (() => void)[] = []
  const arrivals = createServer()
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    await new Promise<void>((resolve) => { waiting.push(resolve); arrivals.emit('held') })
    const { authorization = '', 'content-type': type = '' } = request.headers
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST', headers: { authorization, 'content-type': type }, body: Buffer.concat(chunks)
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }
  arrivals.on('request', (request, response) => { void forward(request, response) })
  await new Promise<void>((resolve) => { arrivals.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { arrivals.closeAllConnections(); arrivals.close() })
  // A server that listens on TCP has such an address.
  const url = `http://127.0.0.1:${(arrivals.address() as AddressInfo).port}`
  return { url, held: () => once(arrivals, 'held'), letGo: () => waiting.splice(0).forEach((go) => go()) }
}

t.test('a logout token that one instance takes ends the session at the other with the next request', async (t) => {
  const { sandbox, one, two, provider } = await startTwo(t)
  const [office, home] = [
    await signIn(two, { sandbox, provider }, { sub: 'ada', sid: 'office' }),
    await signIn(one, { sandbox, provider }, { sub: 'ada', sid: 'home' })
  ]
  const both = [at(one, office), office, home, at(two, home)]
  for (const browser of both) t.match(await browser.me(), { via: 'browser' }, 'each is known at both')
  const asked = sandbox.requests.length
  t.equal(await logOut(one, provider, sandbox.logoutToken({ sub: 'ada', sid: 'office' })), 'ended')
  t.match(await office.me(), { status: 401, code: 'unauthenticated' })
  t.match(await at(one, office).me(), { code: 'unauthenticated' })
  t.match([await home.me(), await at(two, home).me()], [{ via: 'browser' }, { via: 'browser' }],
    'the session at home was not named')
  t.equal(await logOut(two, provider, sandbox.logoutToken({ sub: 'ada' })), 'ended')
  t.match([await home.me(), await at(two, home).me()], [{ code: 'unauthenticated' }, { code: 'unauthenticated' }])
  // The keys for the logout tokens are all that was asked for: nobody waited for a check.
  t.same([...new Set(sandbox.requests.slice(asked))].filter((path) => !/jwks|openid-configuration/.test(path)), [])
})

t.test('a logout token that came to both instances at once, or again to the other, is taken once', async (t) => {
  const { sandbox, one, two, provider } = await startTwo(t)
  const first = await signIn(two, { sandbox, provider }, { sub: 'lee', sid: 'first' })
  const token = sandbox.logoutToken({ sub: 'lee' })
  const answers = await Promise.all([one, two, one, two].map((app) => logOut(app, provider, token)))
  const refused = Array<string>(3).fill('logout_token_refused')
  t.same(answers.toSorted(), ['ended', ...refused])
  t.match(await first.me(), { code: 'unauthenticated' })
  const again = await signIn(one, { sandbox, provider }, { sub: 'lee', sid: 'again' })
  t.equal(await logOut(two, provider, token), 'logout_token_refused')
  t.match(await at(two, again).me(), { via: 'browser' }, 'and ends nothing that began afterwards')
  t.same(await recorded(one, 'receiveIdentityLogout'),
    [{ target: `identity:${provider}:lee`, outcome: 'succeeded' }], 'the record has it once')
})

t.test('without a logout token the end comes with the check, which one instance makes for both', async (t) => {
  const { sandbox, one, two, provider } = await startTwo(t)
  const kim = await signIn(one, { sandbox, provider }, { sub: 'kim', sid: 'x' })
  const there = at(two, kim)
  sandbox.behaviour.revoked = true
  t.match(await there.me(), { via: 'browser' }, 'the provider\'s word is not old enough to be asked for again')
  await due(one)
  const before = tokenRequests(sandbox)
  await Promise.all([kim.me(), there.me(), kim.me(), there.me()])
  t.equal(tokenRequests(sandbox) - before, 1, 'a refresh token is shown once, by one of them')
  t.match([await kim.me(), await there.me()], [{ code: 'unauthenticated' }, { code: 'unauthenticated' }])
  t.same(await recorded(two, 'checkIdentitySession'), [{ target: `identity:${provider}:kim`, outcome: 'refused' }])
})

t.test('a logout token that comes while the other instance asks the provider holds against the answer', async (t) => {
  const { sandbox, one, two, provider } = await startTwo(t)
  const zoe = await signIn(one, { sandbox, provider }, { sub: 'zoe', sid: 'x' })
  const gate = await holdTokens(t, sandbox)
  sandbox.behaviour.metadata = { token_endpoint: gate.url }
  // The document is read anew.
  await changeProvider(one, provider, { enabled: true })
  await due(one)
  const there = at(two, zoe)
  const held = gate.held()
  const asking = there.me()
  await held
  t.equal(await logOut(one, provider, sandbox.logoutToken({ sub: 'zoe' })), 'ended')
  t.match(await zoe.me(), { code: 'unauthenticated' })
  gate.letGo()
  await asking
  t.match([await zoe.me(), await there.me()], [{ code: 'unauthenticated' }, { code: 'unauthenticated' }],
    'though the provider has confirmed it')
  t.same(await two.db.selectFrom('account_identity_session').select('id').execute(), [], 'no token is kept')
})
