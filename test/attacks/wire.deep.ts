import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from '../tap.js'
import { asAdmin, adminToken, buildApp } from '../app.js'
import { missing } from './belongings.js'

const app = await buildApp(t, { SANDBOX: 'off' })
await app.listen({ host: '127.0.0.1', port: 0 })
// A listening TCP server has such an address.
const { port } = app.server.address() as AddressInfo

/** Sends bytes as they are. @returns the statuses that came back until the server closed */
const raw = (bytes: string): Promise<string[]> => new Promise((resolve, reject) => {
  let text = ''
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  socket.setEncoding('latin1').on('data', (chunk) => { text += chunk })
  socket.once('error', reject).once('close', () => resolve([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => String(status))))
})

/** @returns the one answer that came back, whole */
const answerTo = (bytes: string | Buffer): Promise<{ status: number, type: string, body: Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8').on('data', (chunk) => { text += chunk })
    socket.once('error', reject).once('close', () => {
      const [headers = '', body = ''] = text.split('\r\n\r\n')
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(headers) ?? []
      const [, type = ''] = /^content-type: (.*)$/mi.exec(headers) ?? []
      resolve({ status: Number(status), type, body: JSON.parse(body || 'null') as Record<string, unknown> })
    })
  })

const head = `Host: x\r\nAuthorization: Bearer ${adminToken}\r\nContent-Type: application/json\r\n`
const smuggled = 'GET /account/me HTTP/1.1\r\nHost: x\r\n\r\n'

t.test('C29: a request that two servers could read in two ways is refused, and the connection closed', async (t) => {
  const body = '{"name":"x"}'
  const cases: Record<string, string> = {
    'length and chunked': `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'two lengths': `Content-Length: 0\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    'two lengths in one': `Content-Length: 0, ${body.length}\r\n\r\n${body}`,
    'a signed length': `Content-Length: +${body.length}\r\n\r\n${body}`,
    'chunked twice': `Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'not quite chunked': `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'a folded header': 'X-Folded: a\r\n b\r\nContent-Length: 0\r\n\r\n',
    'a space before the colon': `Content-Length : ${body.length}\r\n\r\n${body}`,
    'a bare line feed': `Content-Length: ${body.length}\n\n${body}`
  }
  for (const [name, rest] of Object.entries(cases)) {
    t.same(await raw(`POST /account/projects HTTP/1.1\r\n${head}${rest}`), ['400'], name)
  }
  const { items } = (await app.inject({ url: '/account/projects', headers: asAdmin })).json()
  t.same(items, [], 'none of them made anything')
})

t.test('C29: what is no request is refused in the form of every error', async (t) => {
  const get = 'GET /health HTTP/1.1\r\n'
  const close = 'Connection: close\r\n\r\n'
  const cases: Record<string, [bytes: string, status: number, code: string]> = {
    'headers of 20 kB': [`${get}Host: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    'an address of 20 kB': [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'headers_too_large'],
    'no method': ['\u0000\u0001 / HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    'another protocol': ['HELO x\r\n\r\n', 400, 'malformed_request'],
    'a name with a space': [`${get}Host: x\r\nX Y: z\r\n\r\n`, 400, 'malformed_request'],
    'two lengths': [`${get}Host: x\r\nContent-Length: 0\r\nContent-Length: 2\r\n\r\n`, 400, 'malformed_request'],
    'no Host': [`${get}${close}`, 400, 'malformed_request']
  }
  for (const [name, [bytes, status, code]] of Object.entries(cases)) {
    const answer = await answerTo(bytes)
    t.same([answer.status, answer.type], [status, 'application/problem+json'], name)
    t.match(answer.body, { type: `urn:steward:error:${code}`, title: /./, status, detail: /./, code, request_id: /./ }, name)
  }
  t.same(await answerTo(`${get}Host: x\r\nExpect: a-miracle\r\n${close}`),
    { status: 200, type: 'application/json; charset=utf-8', body: { status: 'ok' } }, 'an expectation is no demand')
})

t.test('C28: bodies that are no plain JSON are refused as what they are', async (t) => {
  const post = (payload: string | Buffer, headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/account/projects', payload, headers: { ...asAdmin, ...headers } })
  const json = { 'content-type': 'application/json' }
  const utf16 = Buffer.from('{"name":"x"}', 'utf16le')
  const deep = `{"name":"x","description":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const cases: [string, number, string, string | Buffer, Record<string, string>][] = [
    ['100,000 deep', 400, 'malformed_json', deep, json],
    ['__proto__', 400, 'malformed_json', '{"name":"x","__proto__":{"role":"admin"}}', json],
    ['constructor', 400, 'malformed_json', '{"name":"x","constructor":{"prototype":{"a":1}}}', json],
    ['compressed', 415, 'unsupported_media_type', gzipSync('{"name":"x"}'), { ...json, 'content-encoding': 'gzip' }],
    ['utf-16', 415, 'unsupported_media_type', utf16, { 'content-type': 'application/json; charset=utf-16' }],
    ['a form', 415, 'unsupported_media_type', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['several parts', 415, 'unsupported_media_type', '--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['plain text', 415, 'unsupported_media_type', '{"name":"x"}', { 'content-type': 'text/plain' }],
    ['too much', 413, 'payload_too_large', `{"name":"${'x'.repeat(1_100_000)}"}`, json]
  ]
  for (const [name, status, code, payload, headers] of cases) {
    const answer = await post(payload, headers)
    t.same([answer.statusCode, answer.json().code], [status, code], name)
  }
})

t.test('text that is not UTF-8 is refused with the byte that is wrong, and nothing is written', async (t) => {
  const close = 'Connection: close\r\n'
  const post = (body: Buffer, type = 'application/json', path = '/account/projects') => answerTo(Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\n${close}` +
      `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`), body]))
  const named = (...name: (string | number[])[]) => Buffer.concat([Buffer.from('{"name":"'),
    ...name.map((part) => Buffer.from(part as string)), Buffer.from('"}')]) // Buffer.from takes both.
  const broken: [name: string, body: Buffer, offset: number][] = [
    ['Latin-1', named('M', [0xfc], 'nchen'), 10],
    ['a character cut short', named([0xe2, 0x82]), 9],
    ['a character cut short that begins as U+FFFD does', named('ab', [0xef, 0xbf]), 11],
    ['after U+FFFD itself', named('\ufffd', [0xef, 0xbf, 0x41]), 12],
    ['an overlong slash', named([0xc0, 0xaf]), 9],
    ['half of a surrogate pair', named('é', [0xed, 0xa0, 0x80]), 11],
    ['beyond Unicode', named([0xf5, 0x80, 0x80, 0x80]), 9],
    ['the last byte', Buffer.concat([named('x'), Buffer.from([0x80])]), 12],
    ['the first byte', Buffer.from([0xff, 0xfe]), 0]
  ]
  for (const [name, body, offset] of broken) {
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      t.match(await post(body, type), { status: 400, body: { code: 'not_utf8', offset } }, `${name}, ${type}`)
    }
  }
  for (const charset of ['iso-8859-1', '"windows-1252"', 'UTF-16LE']) {
    const refused = { status: 415, body: { code: 'unsupported_media_type', detail: /: send the body as UTF-8$/ } }
    t.match(await post(named('x'), `application/json; charset=${charset}`), refused, charset)
    t.match(await post(named('x'), `application/x-www-form-urlencoded;charset=${charset}`,
      `/identity/${missing}/${missing}/logout`), refused, `${charset} in a logout`)
  }
  t.match(await post(Buffer.from([0x61, 0xff]), 'application/x-www-form-urlencoded',
    `/identity/${missing}/${missing}/logout`), { status: 400, body: { code: 'not_utf8', offset: 1 } })
  t.same(await post(named([0xff]), 'application/json', '/mcp'), {
    status: 400,
    type: 'application/json; charset=utf-8',
    body: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }
  })
  const get = (query: string) =>
    answerTo(Buffer.from(`GET /content?${query} HTTP/1.1\r\n${head}${close}\r\n`, 'latin1'))
  for (const [query, detail] of [
    ['q=M%FCnchen', /^%FC in the query/], ['q=100%', /^% in the query/], ['q=%zz', /^%zz in/], ['q=%E2%82', /^%E2%82 in/],
    ['%FF=1', /^%FF in/], ['q=M\u00fcnchen', /^The request is not valid HTTP$/]
  ] as const) {
    t.match(await get(query), { status: 400, body: { code: 'malformed_request', detail } }, query)
  }
  const { items } = (await app.inject({ url: '/account/projects', headers: asAdmin })).json()
  t.same(items, [], 'none of them made anything')
  for (const [type, name] of [
    ['application/json; charset=UTF-8', 'München'], ['application/json;charset="utf8"', '東京 𝄞'],
    ['application/json; charset=us-ascii', 'Plain'], ['application/json', 'With U+FFFD: \ufffd']
  ] as const) t.match(await post(named(name), type), { status: 201, body: { name } }, type)
  t.match(await post(Buffer.concat([Buffer.from('\ufeff'), named('After a mark')])), { status: 201 })
  t.equal((await get('q=M%C3%BCnchen')).status, 200)
})

t.test('a path segment that is too long was answered in the framework\'s own JSON', async (t) => {
  const answer = await app.inject({ url: `/account/projects/${'x'.repeat(800)}`, headers: asAdmin })
  t.same([answer.statusCode, answer.headers['content-type'], answer.json().code],
    [404, 'application/problem+json', 'not_found'])
})

t.test('a version beyond the database\'s integer was a 500', async (t) => {
  for (const version of ['9'.repeat(20), '2147483648']) {
    const url = `/content/${missing}/versions/${version}/restore`
    const answer = await app.inject({ method: 'POST', url, headers: asAdmin })
    t.match([answer.statusCode, answer.json()],
      [400, { code: 'invalid_request', errors: [{ pointer: '/params/version', code: 'maximum' }] }])
  }
})

t.test('C28: of a member that comes twice, the last is both checked and used', async (t) => {
  const headers = { ...asAdmin, 'content-type': 'application/json' }
  const post = async (payload: string) =>
    (await app.inject({ method: 'POST', url: '/account/projects', payload, headers })).json()
  t.match(await post('{"name":"Twice","name":{}}'), { status: 400, code: 'invalid_request' })
  t.match(await post('{"name":{},"name":"Twice"}'), { name: 'Twice' })
})
