import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from '../tap.js'
import { build } from '../../app.js'
import { configuredAddresses } from '../../lib/codehost/addresses.js'
import { toCodehostError } from '../../lib/codehost/errors.js'
import { readConfig } from '../../plugins/config.js'
import { asAdmin, buildApp, makeEnvironment } from '../app.js'
import { actor, renewToken, steer } from '../routes/codehost/actors.js'

const app = await buildApp(t, { LIMITS: '{"codehost_timeout_ms":2000}' })
const sandbox = steer(app)
const { get, json } = actor(app)
const operation = 'listRepositories'

t.test('every failure of the code host has a code of ours, and none is a bare 500', async (t) => {
  const date = new Date().toUTCString()
  const inTen = String(Math.floor(Date.now() / 1_000) + 10)
  const thrown = (status: number, headers: Record<string, string> = {}, message = 'said so') =>
    Object.assign(new Error(message), { status, response: { headers: { date, ...headers }, data: { message } } })
  const cases: [unknown, number, string, number?][] = [
    [thrown(401), 409, 'codehost_reauth_required'],
    [thrown(403), 403, 'codehost_forbidden'],
    [thrown(403, { 'x-github-sso': 'required; url=https://x' }), 403, 'codehost_forbidden'],
    [thrown(451), 403, 'codehost_forbidden'],
    [thrown(404), 404, 'codehost_not_found'],
    [thrown(410), 404, 'codehost_not_found'],
    [thrown(409), 409, 'codehost_conflict'],
    [thrown(400), 422, 'codehost_validation'],
    [thrown(422), 422, 'codehost_validation'],
    [thrown(408), 504, 'codehost_timeout'],
    [thrown(504), 504, 'codehost_timeout'],
    [thrown(500), 502, 'codehost_error'],
    [thrown(503), 502, 'codehost_error'],
    [thrown(418), 502, 'codehost_bad_response'],
    [thrown(200), 502, 'codehost_bad_response'],
    [new Error('fetch failed'), 502, 'codehost_bad_response'],
    ['a text', 502, 'codehost_bad_response'],
    [undefined, 502, 'codehost_bad_response'],
    [thrown(429, { 'retry-after': '7' }), 503, 'codehost_rate_limited', 7],
    [thrown(403, { 'retry-after': '7' }), 503, 'codehost_rate_limited', 7],
    [thrown(403, { 'retry-after': new Date(Date.parse(date) + 9_000).toUTCString() }), 503, 'codehost_rate_limited', 9],
    [thrown(403, { 'retry-after': '0' }), 503, 'codehost_rate_limited', 1],
    [thrown(403, { 'retry-after': '99999' }), 503, 'codehost_rate_limited', 3_600],
    [thrown(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inTen }), 503, 'codehost_rate_limited', 10],
    [thrown(403, {}, 'You have exceeded a secondary rate limit'), 503, 'codehost_rate_limited', 60],
    [thrown(429), 503, 'codehost_rate_limited', 60]
  ]
  for (const [error, status, code, wait] of cases) {
    const answer = toCodehostError(error)
    t.same([answer.statusCode, answer.code], [status, code])
    if (wait === undefined) continue
    t.ok(Math.abs(Number(answer.members.retry_after) - wait) <= 1, `${String(answer.members.retry_after)} s`)
  }
})

t.test('where the code host is', async (t) => {
  const at = (env: Record<string, string>) => {
    const { web, api, graphql } = configuredAddresses(readConfig(env)) ?? {}
    return [web, api, graphql]
  }
  t.same(at({ CODEHOST_CLIENT_ID: 'x', CODEHOST_CLIENT_SECRET: 'y' }),
    ['https://github.com', 'https://api.github.com', 'https://api.github.com/graphql'])
  t.same(at({ CODEHOST_URL: 'https://code.example.com/' }),
    ['https://code.example.com', 'https://code.example.com/api/v3', 'https://code.example.com/api/graphql'])
  t.same(at({ CODEHOST_URL: 'https://x.example.com', CODEHOST_API_URL: 'https://api.x.example.com/' }),
    ['https://x.example.com', 'https://api.x.example.com', 'https://api.x.example.com/graphql'])
  t.same(at({}), [undefined, undefined, undefined])
})

t.test('I63: an error of the code host is reported as such, and never as an empty list', async (t) => {
  const cases: [Record<string, unknown>, number, string, number][] = [
    [{ kind: 'cut' }, 502, 'codehost_bad_response', 1],
    [{ kind: 'bad_json' }, 502, 'codehost_bad_response', 1],
    [{ kind: 'huge', bytes: 17_000_000 }, 502, 'codehost_bad_response', 1],
    [{ kind: 'error_500', times: 2 }, 502, 'codehost_error', 2],
    [{ kind: 'error_502', times: 2 }, 502, 'codehost_error', 2],
    [{ kind: 'drop', times: 2 }, 502, 'codehost_error', 2],
    [{ kind: 'hang' }, 504, 'codehost_timeout', 1],
    [{ kind: 'forbidden' }, 403, 'codehost_forbidden', 1],
    [{ kind: 'not_found' }, 404, 'codehost_not_found', 1],
    [{ kind: 'error', status: 409 }, 409, 'codehost_conflict', 1],
    [{ kind: 'error', status: 422 }, 422, 'codehost_validation', 1],
    [{ kind: 'error', status: 200 }, 502, 'codehost_bad_response', 1],
    [{ kind: 'unauthorized' }, 409, 'codehost_reauth_required', 1]
  ]
  for (const [fault, status, code, times] of cases) {
    await renewToken(app, 'octavia')
    await sandbox.fault({ ...fault, operation })
    const calls = await sandbox.during(async () => {
      const answer = await get('/repos')
      t.same([answer.statusCode, answer.json().code], [status, code], String(fault.kind))
      const { authorize_url: ours, ...problem } = answer.json()
      t.equal(ours !== undefined, code === 'codehost_reauth_required', 'where to connect again')
      t.notMatch(JSON.stringify(problem), /Unicorn|Bad credentials|gho_|127\.0\.0\.1|octokit|Error:/, '47: none of its words')
    })
    t.equal(calls.length, times, `${String(fault.kind)}: requests`)
    await renewToken(app, 'octavia')
    t.equal((await json('/repos')).items.length, 3)
  }
})

t.test('a read is repeated once, and then it is well', async (t) => {
  for (const kind of ['error_500', 'error_502', 'drop']) {
    await sandbox.fault({ kind, operation })
    t.equal((await json('/repos')).items.length, 3, kind)
  }
  await sandbox.fault({ kind: 'slow', operation, delay_ms: 100 })
  t.equal((await get('/repos')).statusCode, 200)
})

t.test('I63: limits, each with when to come again; searches have one of their own', async (t) => {
  const cases: [Record<string, unknown>, number][] = [
    [{ kind: 'rate_limit', retry_after: 120 }, 120], [{ kind: 'throttle', retry_after: 9 }, 9],
    [{ kind: 'secondary_limit', retry_after: 7 }, 7], [{ kind: 'secondary_limit' }, 60]
  ]
  for (const [fault, seconds] of cases) {
    await renewToken(app, 'octavia')
    await sandbox.fault(fault)
    const answer = await get('/repos')
    t.same([answer.statusCode, answer.json().code], [503, 'codehost_rate_limited'])
    t.ok(Math.abs(Number(answer.headers['retry-after']) - seconds) <= 3, `${String(answer.headers['retry-after'])} s`)
    t.same(await sandbox.during(() => get('/repos')), [], 'and nothing is asked until then')
  }
  await renewToken(app, 'octavia')
  await sandbox.fault({ kind: 'rate_limit', operation: 'searchCommits' })
  t.equal((await get('/commits/search?q=fix')).statusCode, 503)
  t.equal((await get('/repos')).statusCode, 200)
})

t.test('D33: no link and no redirect leads to another host, nor does the token go there', async (t) => {
  const seen: unknown[] = []
  const evil = createServer(({ url, headers }, response) => {
    seen.push([url, headers.authorization])
    response.end('[]')
  })
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => evil.close(resolve)))
  // A server that listens on TCP has such an address.
  const url = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`

  await sandbox.fault({ kind: 'foreign_next', operation, url: `${url}/user/repos?page=2` })
  const first = await json('/repos?limit=2&visibility=private')
  t.type(first.next_cursor, 'string')
  const calls = await sandbox.during(() => get(`/repos?limit=2&visibility=private&cursor=${first.next_cursor}`))
  t.match(calls, [{ operation, query: /page=2/ }], 'only the number is taken')
  for (const address of [`${url}/evil`, 'javascript:alert(1)', '//x', `${url}/?page=1e9`]) {
    await renewToken(app, 'octavia')
    await sandbox.fault({ kind: 'foreign_next', operation, url: address })
    t.equal((await get('/repos')).json().code, 'codehost_bad_response', address)
  }
  for (const address of [url, `${url}@127.0.0.1/`, 'file:///etc/passwd', '/api/v3/user/repos', '']) {
    await renewToken(app, 'octavia')
    await sandbox.fault({ kind: 'redirect', operation, url: address, times: 5 })
    t.equal((await get('/repos')).json().code, 'codehost_bad_response', address)
    await sandbox.clear()
  }
  t.same(seen, [])
})

t.test('F46: no log line holds a token', async (t) => {
  const lines: string[] = []
  const environment = await makeEnvironment(t)
  const stream = { write: (line: string) => lines.push(line) }
  const steward = await build(readConfig(environment), { level: 'trace', stream })
  t.teardown(() => steward.close())
  await steward.ready()
  const token = await renewToken(steward, 'octavia')
  for (const kind of ['cut', 'error_500', 'unauthorized', 'drop', 'bad_json']) {
    await steer(steward).fault({ kind, times: 2 })
    await steward.inject({ url: '/codehost/repos', headers: asAdmin })
    await steward.inject({ url: '/codehost/repos/7001/commits', headers: asAdmin })
    await steer(steward).clear()
  }
  t.ok(lines.length > 10)
  t.notMatch(lines.join(''), new RegExp(`${token}|gho_`))
  const rows = await steward.db.selectFrom('codehost_identity').selectAll().execute()
  t.notMatch(rows[0]?.access_token?.toString('latin1') ?? '', /gho_/, '45: nor does a row')
})

t.test('I63: a host that does not answer ten times in a row is left alone for a while', async (t) => {
  await renewToken(app, 'octavia')
  await sandbox.fault({ kind: 'error_500', times: 10 })
  for (let i = 0; i < 5; i++) t.equal((await get('/repos')).json().code, 'codehost_error')
  const calls = await sandbox.during(async () => t.equal((await get('/repos')).json().code, 'codehost_error'))
  t.same(calls, [])
})
