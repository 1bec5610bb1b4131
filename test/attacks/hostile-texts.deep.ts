import t from '../tap.js'
import { build } from '../../app.js'
import { readConfig } from '../../plugins/config.js'
import { asAdmin, buildApp, makeEnvironment } from '../app.js'
import { recordTables } from '../recorded.js'
import { fill } from './belongings.js'
import { digest } from './digest.js'
import { addressOf, walk, type Operation } from './operations.js'
import { sampleOf } from './samples.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000, wait_s: 1 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const idOf = await fill(app)
const { operations, resolve } = walk(app)
const reads = operations.filter(({ method, isPublic, streams }) => method === 'GET' && !isPublic && !streams)

const statements = ['\' or \'1\'=\'1', '\'; drop table workspace; --', '") or 1=1 --', '%', '_', '\\', '$1', '*/ ; --']

const ownAddress = (operation: Operation, more: (name: string) => string | undefined = () => undefined) =>
  addressOf(operation, ({ name, in: location, required, schema }) =>
    location === 'path'
      ? idOf(operation, name)
      : more(name) ?? (required ? String(sampleOf(schema, resolve)) : undefined))

const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload, headers: asAdmin })

/** Every request leaves its trace here; a read of the code host stores its answers. */
const recorded = [...recordTables, 'rate_window', 'codehost_repository',
  'codehost_repository_access', 'codehost_activity',
  'codehost_backfill', 'codehost_sync', 'cloud_cost', 'cloud_cost_cache', 'cloud_cost_usage']

t.test('E36: what looks like SQL is a value: it finds what holds it, and does nothing', async (t) => {
  for (const name of statements) t.equal((await post('/account/projects', { name })).statusCode, 201, name)
  for (const name of statements) {
    const found = await app.inject({ url: `/account/projects?q=${encodeURIComponent(name)}`, headers: asAdmin })
    const names: string[] = found.json().items.map((item: { name: string }) => item.name)
    t.same(names.toSorted(), statements.filter((one) => one.includes(name)).toSorted(), `q=${name}`)
  }
  const before = await digest(app, recorded)
  const asked = reads.flatMap((operation) => operation.parameters.filter(({ in: location }) => location === 'query')
    .map(({ name }) => ({ operation, name })))
  t.ok(asked.length > 60, `${asked.length} parameters`)
  for (const { operation, name } of asked) {
    for (const text of statements.slice(0, 3)) {
      const url = ownAddress(operation, (one) => one === name ? text : undefined)
      const answer = await app.inject({ url, headers: { ...asAdmin, 'if-none-match': text, 'last-event-id': text } })
      t.ok(answer.statusCode < 500 || answer.statusCode > 500, `${operation.id}, ${name}: ${answer.payload}`)
    }
  }
  t.same(await digest(app, recorded), before)
})

const script = '<script>alert(document.domain)</script><img src=x onerror=alert(1)>'

t.test('E38: HTML that was stored comes back as data, in a type that no browser runs', async (t) => {
  t.equal((await post('/account/projects', { name: `Markup ${script}`, description: script })).statusCode, 201)
  const types = new Map<string, string[]>()
  for (const operation of reads) {
    const { headers } = await app.inject({ url: ownAddress(operation), headers: { ...asAdmin, accept: '*/*' } })
    const type = String(headers['content-type'] ?? 'none').split(';')[0] ?? ''
    types.set(type, [...types.get(type) ?? [], operation.id])
    t.equal(headers['x-content-type-options'], 'nosniff', operation.id)
  }
  t.ok(reads.length > 60, `${reads.length} reads`)
  const data = ['application/json', 'application/problem+json']
  const others = Object.fromEntries([...types].filter(([type]) => !data.includes(type)))
  t.same(others, {
    'text/plain': ['getMetrics'],
    'text/markdown': ['exportChatSession', 'exportSpec'],
    'application/x-ndjson': ['exportAudit'],
    'text/calendar': ['getContentCalendar']
  }, 'which no browser runs')
  const found = (await app.inject({ url: '/account/projects?q=Markup', headers: asAdmin })).json()
  t.equal(found.items[0].description, script, 'unchanged')
  for (const url of ['/nowhere', '/account/me', '/account/projects/%zz']) {
    t.equal((await app.inject(url)).headers['x-content-type-options'], 'nosniff', url)
  }
})

t.test('E37: no text makes a second log line, nor moves the cursor of whoever reads it', async (t) => {
  const written: string[] = []
  const stream = { write: (line: string) => written.push(line) }
  const steward = await build(readConfig(await makeEnvironment(t, { WORKER: 'false' })), { level: 'trace', stream })
  t.teardown(() => steward.close())
  await steward.ready()
  const forged = '\r\n{"level":60,"msg":"forged"}\n\u001b[2J\u001b[31m\u0085\u2028"}\u0000'
  const header = forged.replace(/[^\t\u0020-\u00ff]/g, '')
  const path = encodeURIComponent(forged)
  const headers = { ...asAdmin, 'user-agent': header, 'x-request-id': header, traceparent: header, host: 'x' }
  const ask = (method: 'GET' | 'POST', url: string, payload?: object, more = {}) =>
    steward.inject({ method, url, headers: { ...headers, ...more }, ...(payload && { payload }) })
  await ask('POST', '/account/projects', { name: `Name ${forged.slice(0, 40)}` })
  await ask('GET', `/account/projects/${path}`)
  await ask('GET', `/account/projects?q=${path}`)
  await ask('GET', `/${path}`)
  await ask('POST', '/account/projects', { name: 'x' }, { 'idempotency-key': header })
  await ask('POST', '/account/projects', { name: 'x' }, { authorization: `Bearer ${header}` })
  await ask('POST', '/account/projects', { name: 'x' }, { 'content-type': header })
  await ask('POST', '/webhooks/codehost', { zen: forged }, { 'x-github-event': header })
  await ask('POST', '/api/v1/agent/chat', { message: forged, wait_s: 0 }, { prefer: 'wait=0' })
  await ask('GET', `/codehost-oauth/callback?error=${path}&state=${path}`)
  const requests = written.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  t.ok(requests.length >= 10, `${requests.length} requests in ${written.length} lines`)
  t.same(written.filter((line) => !/^\{[^\n\r]*\}\n$/.test(line)), [], 'one line of JSON each')
  t.same(written.filter((line) => /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/.test(line)), [])
  t.notMatch(written.map((line) => JSON.parse(line).msg).join(), /forged/)
})
