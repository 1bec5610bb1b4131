import { createHmac } from 'node:crypto'
import { connect, type AddressInfo } from 'node:net'
import t from '../tap.js'
import { makeToken as makeTokenText } from '../../lib/security/tokens.js'
import { build as buildOne } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { asAdmin, buildApp, makeEnvironment, type App } from '../app.js'
import { until } from '../chat.js'
import { makeToken, makeWorkspace, problemOf, signIn } from '../routes/account/actors.js'
import { Browser, startHost } from '../routes/codehost/browser.js'
import { deliver, secretOf } from '../routes/codehost/hooks.js'
import { allScopes } from '../../schemas/account/scopes.js'

t.setTimeout(120_000)

type Headers = Record<string, string>
interface Caller { id: string, name: string, headers: Headers }
const limits = JSON.stringify({ refused_credentials_per_minute: 1_000_000, sign_ins_per_minute: 1_000_000 })

/** The first workspace and two others; the last one has no host name. @returns a token and a session of each */
const build = async (environment: Headers = {}) => {
  const app = await buildApp(t, { LIMITS: limits, WORKER: 'false', ...environment })
  const home = app.home.workspace_id
  const callersOf = async (id: string, name: string, session: Headers): Promise<Caller[]> => [
    { id, name: `token of ${name}`, headers: (await makeToken(app, session, [...allScopes])).headers },
    { id, name: `session of ${name}`, headers: session }
  ]
  const admin = { name: 'Ada', role: 'admin' }
  const made = await app.inject({ method: 'POST', url: '/account/users', headers: asAdmin, payload: admin })
  const first = await signIn(app, made.json().link.url)
  const b = await makeWorkspace(app, 'B', ['b.example', 'bücher.example'])
  const c = await makeWorkspace(app, 'C')
  const patched = await app.inject({
    method: 'PATCH', url: `/account/workspaces/${home}`, headers: asAdmin, payload: { hosts: ['a.example'] }
  })
  if (patched.statusCode !== 200) throw new Error(patched.payload)
  const callers: Caller[] = [
    { id: home, name: 'ADMIN_TOKEN', headers: asAdmin },
    ...await callersOf(home, 'A', first.headers),
    ...await callersOf(b.id, 'B', b.headers),
    ...await callersOf(c.id, 'C', c.headers)
  ]
  return { app, callers, ids: { a: home, b: b.id, c: c.id } }
}

const { app, callers, ids } = await build()

/** @returns the workspace in which the request was answered, else the refusal */
const seen = async (at: App, host: string, headers: Headers, remoteAddress = '127.0.0.1'): Promise<string> => {
  const answer = await at.inject({ url: '/account/me', headers: { ...headers, host }, remoteAddress })
  return answer.statusCode === 200 ? answer.json().workspace.id : answer.json().code
}

t.test('B15: at a host name only its workspace\'s credentials are known; elsewhere each is its own\'s', async (t) => {
  t.equal(callers.length, 7)
  const hosts = { 'a.example': ids.a, 'b.example': ids.b, 'localhost:80': null, '192.0.2.7': null, 'no.example': null }
  for (const [host, of] of Object.entries(hosts)) {
    for (const { name, id, headers } of callers) {
      t.equal(await seen(app, host, headers), of === null || of === id ? id : 'unauthenticated', `${name} at ${host}`)
    }
  }
})

t.test('B15: a credential of another workspace is answered as one that nobody has', async (t) => {
  const ask = (headers: Headers) => app.inject({ url: '/account/me', headers: { ...headers, host: 'b.example' } })
  const notOurs: Headers = { authorization: `Bearer ${makeTokenText('pat', ids.b)}` }
  const ended: Headers = {
    ...callers.find(({ name }) => name === 'session of B')?.headers,
    cookie: `steward=${makeTokenText('sess', ids.b)}`
  }
  for (const { name, headers } of callers.filter(({ id }) => id !== ids.b)) {
    const [foreign, unknown] = [await ask(headers), await ask(headers.cookie ? ended : notOurs)]
    t.equal(foreign.statusCode, 401, name)
    t.same([problemOf(foreign), foreign.headers['www-authenticate']],
      [problemOf(unknown), unknown.headers['www-authenticate']], name)
  }
})

t.test('B15: a host name is the same in every spelling: port, case, final dot, punycode', async (t) => {
  const spellings = ['b.example:8443', 'b.example:', 'B.Example', 'b.example.', 'B.EXAMPLE.:80',
    'xn--bcher-kva.example', 'XN--Bcher-KVA.example.:443']
  for (const host of spellings) {
    for (const { name, id, headers } of callers) {
      t.equal(await seen(app, host, headers), id === ids.b ? id : 'unauthenticated', `${name} at ${host}`)
    }
  }
})

t.test('B15: names that only resemble one restrict nothing, and open nothing', async (t) => {
  for (const host of ['b.example.evil.example', 'xb.example', 'b.example%2e', 'b%2eexample', 'b.example,a.example']) {
    for (const { name, id, headers } of callers) t.equal(await seen(app, host, headers), id, `${name} at ${host}`)
    t.equal(await seen(app, host, {}), 'unauthenticated')
  }
})

t.test('B15: without TRUST_PROXY no header but Host names a host', async (t) => {
  const forged = {
    'x-forwarded-host': 'b.example',
    forwarded: 'host=b.example',
    'x-host': 'b.example',
    'x-original-host': 'b.example'
  }
  for (const { name, id, headers } of callers) {
    t.equal(await seen(app, 'a.example', { ...headers, ...forged }), id === ids.a ? id : 'unauthenticated', name)
  }
})

t.test('B15: the last X-Forwarded-Host counts behind a proxy that is named, and no other', async (t) => {
  const behind = await build({ TRUST_PROXY: '10.0.0.0/8' })
  for (const { name, id, headers } of behind.callers) {
    for (const [forwarded, host, peer, of] of [
      ['b.example', 'a.example', '10.1.2.3', behind.ids.b],
      ['a.example, b.example', 'a.example', '10.1.2.3', behind.ids.b],
      ['b.example, a.example', 'b.example', '10.1.2.3', behind.ids.a],
      ['b.example', 'a.example', '198.51.100.9', behind.ids.a]
    ] as const) {
      t.equal(await seen(behind.app, host, { ...headers, 'x-forwarded-host': forwarded }, peer),
        of === id ? id : 'unauthenticated', `${name}: ${forwarded} by ${peer}`)
    }
  }
})

await app.listen({ host: '127.0.0.1', port: 0 })
// A listening TCP server has such an address.
const { port } = app.server.address() as AddressInfo

/** Sends a request as it is. @returns the status, and the body */
const raw = (target: string, lines: string[]): Promise<{ status: number, body: Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    let text = ''
    const bytes = [`GET ${target} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n')
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8').on('data', (chunk) => { text += chunk })
    socket.once('error', reject).once('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n')
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), body: JSON.parse(body) })
    })
  })

const bearerOf = (id: string) => {
  const token = callers.find((one) => one.id === id && one.name.startsWith('token'))
  return `Authorization: ${token?.headers.authorization}`
}

t.test('C29: a request that names two hosts, or none that is one, is refused, whoever sends it', async (t) => {
  const requests: [string, string[]][] = [
    ['/account/me', ['Host: a.example', 'Host: b.example']],
    ['/account/me', ['Host: b.example', 'host: b.example']],
    ['http://b.example/account/me', ['Host: a.example']],
    ['http://a.example:81/account/me', ['Host: a.example']],
    ['http://x@a.example/account/me', ['Host: a.example']],
    ['/account/me', ['Host: a.example/b.example']],
    ['/account/me', ['Host: a.example b.example']],
    ['/account/me', ['Host: x@a.example']],
    ['/account/me', ['Host: a.example:80:80']],
    ['/account/me', ['Host: bücher.example']]
  ]
  for (const [target, hosts] of requests) {
    for (const id of [ids.a, ids.b]) {
      const { status, body } = await raw(target, [...hosts, bearerOf(id)])
      t.match([status, body], [400, { code: 'malformed_request' }], `${target} ${hosts.join()}`)
    }
  }
})

t.test('C29: a target in absolute form is of the host that it names', async (t) => {
  for (const host of ['a.example', 'A.example']) {
    const own = await raw('http://a.example/account/me', [`Host: ${host}`, bearerOf(ids.a)])
    t.match([own.status, own.body], [200, { workspace: { id: ids.a } }])
    const other = await raw('http://a.example/account/me', [`Host: ${host}`, bearerOf(ids.b)])
    t.match([other.status, other.body], [401, { code: 'unauthenticated' }])
  }
})

t.test('B15: a one-time link does not work, and is not used up, at the host name of another workspace', async (t) => {
  const made = await app.inject({
    method: 'POST', url: `/account/workspaces/${ids.b}/admins`, headers: asAdmin, payload: { name: 'Late' }
  })
  const { link } = made.json()
  t.match(link.url, /^http:\/\/b\.example:\d+\/setup#token=stw_link_/, 'it leads to its workspace')
  t.match(problemOf((await signIn(app, link.url, 'a.example')).answer), { status: 401, code: 'unauthenticated' })
  t.equal((await signIn(app, link.url, 'b.example')).answer.statusCode, 200)
})

t.test('B15: a change of host names counts from the next request on', async (t) => {
  const rename = (hosts: string[]) => app.inject({
    method: 'PATCH', url: `/account/workspaces/${ids.c}`, headers: asAdmin, payload: { hosts }
  })
  const [a] = callers.filter(({ id }) => id === ids.a)
  t.equal((await rename(['c.example'])).statusCode, 200)
  t.equal(await seen(app, 'c.example', a?.headers ?? {}), 'unauthenticated')
  t.equal((await rename([])).statusCode, 200)
  t.equal(await seen(app, 'c.example', a?.headers ?? {}), ids.a)
})

if (process.env.TEST_DATABASE_URL) {
  t.test('B15: a change of host names at one instance counts at another', async (t) => {
    const environment = await makeEnvironment(t, { SANDBOX: 'off', WORKER: 'false' })
    const [one, two] = [await buildOne(readConfig(environment)), await buildOne(readConfig(environment))]
    t.teardown(() => Promise.all([one.close(), two.close()]))
    await Promise.all([one.ready(), two.ready()])
    t.equal(await seen(two, 'b.example', asAdmin), two.home.workspace_id)
    const made = await one.inject({
      method: 'POST', url: '/account/workspaces', headers: asAdmin, payload: { name: 'B', hosts: ['b.example'] }
    })
    t.equal(made.statusCode, 201)
    await until(async () => await seen(two, 'b.example', asAdmin) === 'unauthenticated')
    t.equal(await seen(one, 'b.example', asAdmin), 'unauthenticated')
  })
}

t.test('B15: a webhook is of the workspace at whose host name it arrives, by that one\'s secret', async (t) => {
  const first = secretOf(app)
  const own = createHmac('sha256', first).update(`webhook ${ids.b}`).digest('hex')
  const at = (host: string, secret: string) => deliver(app, 'ping', { host, secret: secret.length },
    { secret, headers: { host } })
  const [ofA, ofB] = await Promise.all([at('a.example', first), at('b.example', own)])
  t.same([ofA.statusCode, ofB.statusCode], [202, 202])
  for (const [id, answer] of [[ids.a, ofA], [ids.b, ofB]] as const) {
    const row = await app.db.selectFrom('codehost_receipt').select('workspace_id')
      .where('id', '=', answer.json().receipt_id).executeTakeFirst()
    t.same(row, { workspace_id: id })
  }
  for (const [host, secret] of [['a.example', own], ['no.example', own], ['b.example', first]] as const) {
    t.match(problemOf(await at(host, secret)), { status: 401, code: 'webhook_signature_invalid' }, host)
  }
})

t.test('B15: sign-in with the code host is of the host name where it began; its rules are the first\'s', async (t) => {
  const { host, environment } = await startHost(t)
  const own = await build({ ...environment, CODEHOST_SIGN_IN: 'larkspur=member' })
  const atA = new Browser(own.app, 'a.example:80')
  t.equal((await atA.signIn('bruno')).statusCode, 302)
  t.equal((await atA.me()).workspace.id, own.ids.a)

  const atB = new Browser(own.app, 'b.example:80')
  const url = await atB.begin()
  t.equal(new URL(url).searchParams.get('redirect_uri'), 'http://b.example/codehost-oauth/callback')
  t.equal(new URL(url).origin, host.url)
  const refused = await atB.open(await atB.choose(url, 'bruno'))
  t.match(problemOf(refused), { status: 403, code: 'sign_in_not_allowed' }, 'no rule of A lets anybody into B')

  const carried = new Browser(own.app, 'a.example:80')
  const back = await atB.choose(await atB.begin(), 'bruno')
  for (const [name, value] of atB.cookies) carried.cookies.set(name, value)
  t.match(problemOf(await carried.open(back)), { status: 400, code: 'oauth_state_mismatch' })
})

t.test('B15: who has connected an account in a workspace signs in there with it, and nowhere else', async (t) => {
  const { environment } = await startHost(t)
  const own = await build(environment)
  const made = await own.app.inject({
    method: 'POST', url: `/account/workspaces/${own.ids.b}/admins`, headers: asAdmin, payload: { name: 'Bea' }
  })
  const { cookie } = await signIn(own.app, made.json().link.url, 'b.example')
  const browser = new Browser(own.app, 'b.example:80')
  const [name = '', value = ''] = cookie.split('=')
  browser.cookies.set(name, value)
  t.equal((await browser.signIn('octavia', '?mode=link')).statusCode, 302)
  const again = new Browser(own.app, 'b.example:80')
  t.equal((await again.signIn('octavia')).statusCode, 302)
  t.match(await again.me(), { user: { name: 'Bea' }, workspace: { id: own.ids.b } })
  const elsewhere = new Browser(own.app, 'a.example:80')
  t.match(problemOf(await elsewhere.signIn('octavia')), { status: 403, code: 'sign_in_not_allowed' })
})
