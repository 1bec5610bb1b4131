import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { asAdmin, buildApp } from '../app.js'
import t from '../tap.js'
import Fastify from 'fastify'
import { answerError } from '../../lib/http/problem.js'
import { fieldsOf } from '../../schemas/unknown.js'
import { Overloaded, RateLimited, ShuttingDown } from '../../schemas/errors.js'
import { CodehostNotConfigured } from '../../schemas/codehost/errors.js'

const app = await buildApp(t)
const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))

interface Sent { method: string, path: string, headers?: Record<string, string>, body?: string | Buffer }

/** By Node's own client, which sends what is asked of it. @returns the answer, with its body as it came */
const send = ({ method, path, headers = {}, body }: Sent) => new Promise<{
  status: number, header: (name: string) => string | undefined, text: string
}>((resolve, reject) => {
      const { hostname, port } = address
      const asked = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve({
          status: answer.statusCode ?? 0,
          header: (name) => answer.headers[name]?.toString(),
          text: Buffer.concat(parts).toString()
        }))
      }).on('error', reject)
      asked.end(body)
    })

const problem = (status: number, code: string, title: string, detail: string, more: object = {}) =>
  ({ type: `urn:steward:error:${code}`, title, status, detail, code, ...more })

/** @returns the body without what differs from request to request */
const bodyOf = (text: string): object => {
  const { request_id: id, ...body } = JSON.parse(text) as { request_id: string }
  if (typeof id !== 'string') throw new Error(`No request_id: ${text}`)
  return body
}

const projects = '/account/projects'
const one = `${projects}/01a222f6-4568-77a1-9d4f-2a27e995f07f`
const json = { ...asAdmin, 'content-type': 'application/json' }

t.test('another method of a known path is 405, and Allow says which it takes', async (t) => {
  for (const [method, path, allow] of [
    ['DELETE', projects, 'GET, HEAD, OPTIONS, POST'],
    ['PUT', one, 'GET, HEAD, OPTIONS, PATCH'],
    ['GET', '/api/v1/agent/chat', 'OPTIONS, POST'],
    ['PUT', '/ready', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/content/brands/x?y=z', 'GET, HEAD, OPTIONS, PUT'],
    ['TRACE', projects, 'GET, HEAD, OPTIONS, POST']
  ] as const) {
    const { status, header, text } = await send({ method, path, headers: { 'content-length': '0' } })
    t.same([status, header('allow'), header('content-type'), bodyOf(text)], [405, allow, 'application/problem+json',
      problem(405, 'method_not_allowed', 'This address does not take this method', `It takes ${allow}, not ${method}`)
    ], `${method} ${path}`)
  }
})

t.test('an unknown path is 404 for every method, and says nothing of methods', async (t) => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, header, text } = await send({ method, path: '/account/nothing/here', headers: { 'content-length': '0' } })
    t.same([status, header('allow'), bodyOf(text)],
      [404, undefined, problem(404, 'not_found', 'There is nothing here', `No ${method} here`)], method)
  }
})

t.test('OPTIONS is answered without a body, for a path and for all, and opens nothing to other origins', async (t) => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
  const { status, header, text } = await send({ method: 'OPTIONS', path: projects, headers })
  t.same([status, header('allow'), text], [204, 'GET, HEAD, OPTIONS, POST', ''])
  t.equal(header('access-control-allow-origin'), undefined)
  const all = await send({ method: 'OPTIONS', path: '*' })
  t.same([all.status, all.header('allow'), all.text], [204, 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT', ''])
})

t.test('HEAD is GET without its body', async (t) => {
  for (const path of [projects, '/ready', '/openapi.json']) {
    const [got, head] = [await send({ method: 'GET', path, headers: asAdmin }), await send({ method: 'HEAD', path, headers: asAdmin })]
    const names = ['content-type', 'content-length', 'etag', 'cache-control', 'vary']
    t.same([head.status, head.text], [got.status, ''], path)
    t.same(names.map(head.header), names.map(got.header), path)
  }
  const missing = await send({ method: 'HEAD', path: one, headers: asAdmin })
  t.same([missing.status, missing.text], [404, ''])
})

t.test('a body that is compressed, or of another type, is 415, whatever it holds', async (t) => {
  const title = 'The body must be application/json'
  const body = gzipSync('{"name":"Compressed"}')
  const refused = async (headers: Record<string, string>, sent: string | Buffer, detail = title) => {
    const answer = await send({ method: 'POST', path: projects, headers: { ...asAdmin, ...headers }, body: sent })
    t.same([answer.status, bodyOf(answer.text)], [415, problem(415, 'unsupported_media_type', title, detail)], detail)
    return answer
  }
  for (const encoding of ['gzip', 'br', 'gzip, identity', 'unheard-of']) {
    const answer = await refused({ ...json, 'content-encoding': encoding }, body,
      `A body with Content-Encoding ${encoding} is not read: send it as it is`)
    t.equal(answer.header('accept-encoding'), 'identity')
  }
  for (const type of ['text/plain', 'application/xml', 'nonsense', 'application/merge-patch+json']) {
    await refused({ 'content-type': type }, '{"name":"Foreign"}')
  }
  await refused({ 'content-type': 'application/json; charset=utf-16' }, '{"name":"Foreign"}',
    'The charset utf-16 is not read: send the body as UTF-8')
  const plain = await send({
    method: 'POST', path: projects, headers: { ...json, 'content-encoding': 'Identity' }, body: '{"name":"Plain"}'
  })
  t.equal(plain.status, 201, 'no encoding at all, in words')
})

t.test('what does not have its form is told with a value that has it', async (t) => {
  const title = 'The request does not fit the schema'
  const invalid = (pointer: string, code: string, message: string) =>
    problem(400, 'invalid_request', title, `${pointer} ${message}`, { errors: [{ pointer, code, message }] })
  const id = 'must be an id such as 0197a5f2-6c1e-7b3a-9d40-5e8f1a2b3c4d'
  const get = async (path: string) => bodyOf((await send({ method: 'GET', path, headers: asAdmin })).text)
  const post = async (path: string, body: object) =>
    bodyOf((await send({ method: 'POST', path, headers: json, body: JSON.stringify(body) })).text)
  t.same(await get('/content/brands/nope'), invalid('/params/project_id', 'format', id))
  t.same(await get('/codehost/repos?full_name=nope'), invalid('/querystring/full_name', 'pattern',
    'must look like larkspur/web. The field: Only the one of this name, owner/name'))
  t.same(await post('/deployments/apps', { name: 'x', source: { repo: 'no repository' }, target: {} }),
    invalid('/source/repo', 'pattern', 'must look like larkspur/web. The field: The repository at the code host: ' +
      'owner/name, or its numeric id, which survives a new name'))
  t.same(await post(projects, { name: '  ' }), invalid('/name', 'pattern', 'must not be blank'))
  t.same(await post('/account/identity-providers', {
    name: 'Firm', issuer: 'https://login.example.com', client_id: 'steward', secret: 'ä'
  }), invalid('/secret', 'pattern',
    'must look like a-secret-of-the-provider. The field: Write-only. null: a public client'))
})

t.test('a write that is refused for NUL in its path is in the record', async (t) => {
  const path = `${projects}/a%00b`
  const { status, text } = await send({ method: 'PATCH', path, headers: json, body: '{"name":"Nul"}' })
  const message = 'holds NUL or half of a surrogate pair'
  t.same([status, bodyOf(text)], [400, problem(400, 'invalid_text', 'Text with NUL or lone surrogates cannot be stored',
    `/params/project_id ${message}`, { errors: [{ pointer: '/params/project_id', code: 'invalid_text', message }] })])
  const { items } = JSON.parse((await send({ method: 'GET', path: '/account/audit?limit=20', headers: asAdmin })).text) as {
    items: { operation: string, target: string | null, outcome: string }[]
  }
  t.match(items.find(({ operation }) => operation === 'updateProject'), { target: 'a\ufffdb', outcome: 'invalid_text' })
})

/** Every pattern that a request is held against, with its schema. */
const patternsOf = (document: Record<string, unknown>): Map<string, Record<string, unknown>> => {
  const found = new Map<string, Record<string, unknown>>()
  const seen = new Set<string>()
  const walk = (value: unknown, path: string, example?: unknown): void => {
    if (Array.isArray(value)) return value.forEach((item, index) => { walk(item, `${path}/${index}`) })
    if (typeof value !== 'object' || value === null) return
    const fields = fieldsOf(value)
    const { $ref: ref, pattern } = fields
    // The example of a parameter stands beside its schema.
    if (typeof pattern === 'string') found.set(path, example === undefined ? fields : { ...fields, examples: [example] })
    if (typeof ref === 'string' && !seen.has(ref)) {
      seen.add(ref)
      walk(ref.slice(2).split('/').reduce<unknown>((at, name) => fieldsOf(at)[name], document), ref)
    }
    for (const [name, child] of Object.entries(fields)) walk(child, `${path}/${name}`, name === 'schema' ? fields.example : undefined)
  }
  for (const [path, operations] of Object.entries(fieldsOf(document.paths))) {
    for (const [method, operation] of Object.entries(fieldsOf(operations))) {
      const { parameters, requestBody } = fieldsOf(operation)
      walk(parameters, `${method} ${path}`)
      walk(requestBody, `${method} ${path}`)
    }
  }
  return found
}

t.test('every pattern of a request has an example that it takes', async (t) => {
  const document = JSON.parse((await send({ method: 'GET', path: '/openapi.json' })).text) as Record<string, unknown>
  const patterns = patternsOf(document)
  t.ok(patterns.size > 60, `${patterns.size} patterns`)
  for (const [path, { pattern, examples, anyOf }] of patterns) {
    if (pattern === '\\S' || anyOf) continue
    const [example]: unknown[] = Array.isArray(examples) ? examples : []
    t.match(example, new RegExp(String(pattern), 'u'), path)
  }
})

t.test('429 and 503 say when to come again, also where the code knows no better', async (t) => {
  const bare = Fastify()
  bare.setErrorHandler(answerError)
  const errors = [RateLimited, Overloaded, ShuttingDown, CodehostNotConfigured]
  for (const define of errors) bare.get(`/${define.code}`, async () => { throw define() })
  bare.get('/later', async () => { throw Overloaded().withHeaders({ 'retry-after': '30' }) })
  for (const { code, status } of errors) {
    const answer = await bare.inject({ url: `/${code}` })
    t.same([answer.statusCode, answer.headers['retry-after']], [status, '5'], code)
  }
  t.equal((await bare.inject({ url: '/later' })).headers['retry-after'], '30')
})
