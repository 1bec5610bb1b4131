import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { makeStranger } from './account/actors.js'

t.test('health and readiness need no credentials', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const health = await app.inject('/health')
  t.same([health.statusCode, health.json()], [200, { status: 'ok' }])
  const ready = await app.inject('/ready')
  t.same([ready.statusCode, ready.json().status], [200, 'ready'])
  const document = await app.inject('/openapi.json')
  t.equal(document.json().openapi, '3.1.0')
  const docs = await app.inject('/docs/')
  t.equal(docs.statusCode, 200)
  t.notMatch(docs.headers['content-security-policy'], /upgrade-insecure|https?:|unsafe/, 'a network without https, too')
})

t.test('the document is made once, is small on the wire, and asking for it again and again is limited', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off', LIMITS: '{"requests_per_minute":6}' })
  const ask = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const plain = await ask('/openapi.json')
  const zipped = await ask('/docs/json', { 'accept-encoding': 'br, gzip;q=0.8' })
  t.same([zipped.headers['content-encoding'], gunzipSync(zipped.rawPayload).toString()], ['gzip', plain.payload])
  t.equal(zipped.headers.etag, plain.headers.etag)
  t.equal((await ask('/docs/yaml', { 'accept-encoding': 'gzip;q=0' })).payload, plain.payload, 'JSON is YAML')
  const again = await ask('/openapi.json', { 'if-none-match': String(plain.headers.etag) })
  t.same([again.statusCode, again.payload], [304, ''])
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask('/openapi.json')))
  t.same(answers.map(({ statusCode }) => statusCode), [200, 200, 429, 429, 429])
})

t.test('the reference has a page for each operation, schema and error code, and each of its links leads somewhere', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off', LIMITS: '{"requests_per_minute":10000}' })
  const read = async (url: string) => {
    const { statusCode, payload } = await app.inject(url)
    return { statusCode, payload }
  }
  const { paths, components } = (await app.inject('/openapi.json')).json()
  const operations = Object.values<Record<string, { operationId?: string }>>(paths).flatMap(Object.values)
    .flatMap(({ operationId }) => operationId ?? [])
  t.ok(operations.length > 300)
  const pages = ['/docs/', '/docs/errors', ...operations.map((id) => `/docs/${id}`),
    ...Object.keys(components.schemas).map((name) => `/docs/schemas/${name}`)]
  const known = new Set(pages)
  const wrong: unknown[] = []
  for (const url of pages) {
    const { statusCode, payload } = await read(url)
    if (statusCode !== 200 || !/<h1>[^<]/.test(payload)) wrong.push([url, statusCode])
    for (const [, href = ''] of payload.matchAll(/<a\s+href="([^"]+)"/g)) {
      const { pathname } = new URL(href, `http://steward${url}`)
      if (pathname.startsWith('/docs/') && !known.has(pathname)) wrong.push([url, href])
    }
  }
  t.same(wrong, [])
  const index = await read('/docs/')
  t.same(operations.filter((id) => !index.payload.includes(`href="${id}"`)), [], 'the index leads to each operation')
  const { payload } = await read('/docs/createProject')
  for (const part of ['Create a project', '<code>POST /account/projects</code>', 'characters', 'curl -X POST']) {
    t.ok(payload.includes(part), part)
  }
})

t.test('a page that is not there, and a path that leaves the folders of files, are a 404', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  /** As it is: `fetch` would take the dots out. */
  const ask = (path: string) => new Promise<[number | undefined, string]>((resolve, reject) => {
    get(url, { path }, (answer) => {
      text(answer).then((body) => resolve([answer.statusCode, body]), reject)
    }).once('error', reject)
  })
  const paths = ['/docs/nothing', '/docs/schemas/Nothing', '/docs/constructor', '/docs/schemas/constructor',
    '/docs/../../package.json', '/docs/..%2f..%2fpackage.json', '/assets/../x', '/assets/..%2findex.html']
  for (const path of paths) {
    const [status, body] = await ask(path)
    t.equal(status, 404, path)
    t.match(JSON.parse(body), { status: 404, code: 'not_found' }, path)
  }
})

t.test('an unknown path is a 404 problem', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const answer = await app.inject('/nowhere')
  t.equal(answer.headers['content-type'], 'application/problem+json')
  t.match(answer.json(), { status: 404, code: 'not_found', type: 'urn:steward:error:not_found' })
})

t.test('B15: the metrics of the instance are no other workspace\'s', async (t) => {
  const app = await buildApp(t, { SANDBOX: 'off' })
  const ask = async (headers: Record<string, string>) => (await app.inject({ url: '/metrics', headers })).statusCode
  t.same([await ask(asAdmin), await ask(await makeStranger(app))], [200, 404])
})
