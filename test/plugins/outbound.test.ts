import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from '../tap.js'
import { Outbound } from '../../plugins/outbound.js'
import { isPublicAddress } from '../../lib/outbound/request.js'

const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://here')
  const to = url.searchParams.get('to')
  if (to !== null) return response.writeHead(302, { location: to }).end()
  if (url.pathname === '/packed') {
    return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2_000_000)))
  }
  if (url.pathname === '/silent') return
  const sent = String(request.headers.authorization)
  response.writeHead(200, { 'content-type': 'text/plain', 'x-sent': sent }).end('hello')
})
await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
t.teardown(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo
const here = `http://127.0.0.1:${port}`
const named = (addresses: string[]) => async () => addresses.map((address) => ({ address, family: 4 }))
const open = new Outbound({ allow: [`127.0.0.1:${port}`] })

t.test('D30: public is only what is', async (t) => {
  const no = ['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0',
    '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1', '::1', '::', 'fe80::1', 'fc00::1', 'fd00:ec2::254',
    '::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', 'ff02::1', 'fe80::1%eth0',
    '2001:db8::1', 'nonsense', '']
  // One of each block of IANA's special-purpose registries, and what clouds serve to their machines.
  const special = ['0.1.2.3', '192.0.0.9', '192.0.0.170', '192.0.0.192', '192.31.196.1', '192.52.193.1', '192.88.99.1',
    '192.175.48.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '100.100.100.200', '168.63.129.16',
    '::ffff:168.63.129.16', '::168.63.129.16', '::8.8.8.8', '::808:808', '::ffff:0:8.8.8.8', '64:ff9b::808:808',
    '64:ff9b:1::1', '100::1', '100:0:0:1::1', '2001:1::1', '2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1',
    '2001:20::1', '2001:30::1', '2001:1ff::1', '2620:4f:8000::1', '3fff::1', '5f00::1', 'fec0::1', 'fd20:ce::254',
    '4000::1', '1::1']
  t.same(special.filter(isPublicAddress), [])
  t.same(no.filter(isPublicAddress), [])
  t.same(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'].filter((one) => !isPublicAddress(one)), [])
})

t.test('D30: addresses that are not public are not asked, however they are written', async (t) => {
  const closed = new Outbound()
  const written = [here, `http://localhost:${port}`, `http://2130706433:${port}`, `http://0x7f.1:${port}`,
    `http://0177.0.0.1:${port}`, `http://[::1]:${port}`, `http://[::ffff:7f00:1]:${port}`, 'http://169.254.169.254/',
    'http://[fd00:ec2::254]/', 'ftp://example.com/', 'file:///etc/passwd', 'http://user:secret@example.com/', 'nothing']
  for (const url of written) await t.rejects(closed.fetch({ url }), { code: 'url_not_allowed' }, url)
})

t.test('D31: a name is as good as every address behind it', async (t) => {
  const fetch = (addresses: string[]) =>
    new Outbound({ resolve: named(addresses) }).fetch({ url: `http://rebind.example:${port}/` })
  await t.rejects(fetch(['127.0.0.1']), { code: 'url_not_allowed' })
  await t.rejects(fetch(['93.184.216.34', '127.0.0.1']), { code: 'url_not_allowed' })
  await t.rejects(fetch([]), { code: 'url_unreachable' })
  let asked = 0
  const rebinding = new Outbound({
    resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }],
    allow: [`first.example:${port}`]
  })
  t.equal((await rebinding.fetch({ url: `http://first.example:${port}/` })).body.toString(), 'hello')
  await t.rejects(rebinding.fetch({ url: `http://second.example:${port}/` }), { code: 'url_not_allowed' })
})

t.test('D32: redirects are checked like the first address, and counted', async (t) => {
  const to = (url: string) => open.fetch({ url: `${here}/?to=${encodeURIComponent(url)}` })
  t.match(await to(`${here}/end`), { status: 200, url: `${here}/end` })
  for (const url of [`http://127.0.0.1:${port + 1}/`, 'http://169.254.169.254/', 'http://[::1]/', 'file:///etc/passwd']) {
    await t.rejects(to(url), { code: 'url_not_allowed' }, url)
  }
  await t.rejects(open.fetch({ url: `${here}/?to=%2F%3Fto%3D%2F`, maxRedirects: 0 }), { code: 'url_not_allowed' })
  t.equal((await open.fetch({ url: `${here}/?to=x`, method: 'POST', body: '' })).status, 302)
})

t.test('D33: what was meant for one origin is not sent to another', async (t) => {
  const both = new Outbound({ resolve: named(['127.0.0.1']), allow: [`127.0.0.1:${port}`, `other.example:${port}`] })
  const headers = { authorization: 'Bearer secret' }
  const answer = await both.fetch({ url: `${here}/?to=http://other.example:${port}/`, headers })
  t.equal(answer.headers['x-sent'], 'undefined')
  t.equal((await both.fetch({ url: `${here}/?to=/again`, headers })).headers['x-sent'], 'Bearer secret')
})

t.test('D34: size, unpacked, and time have limits', async (t) => {
  await t.rejects(open.fetch({ url: `${here}/packed`, maxBytes: 100_000 }), { code: 'url_too_large' })
  t.equal((await open.fetch({ url: `${here}/packed` })).body.length, 2_000_000)
  await t.rejects(open.fetch({ url: `${here}/silent`, timeoutMs: 50 }), { code: 'url_timeout' })
  const stop = new AbortController()
  const left = open.fetch({ url: `${here}/silent`, signal: stop.signal })
  stop.abort(new Error('left'))
  await t.rejects(left, { message: 'left' })
  await t.rejects(new Outbound({ allow: ['127.0.0.1'] }).fetch({ url: 'http://127.0.0.1:1/' }), { code: 'url_unreachable' })
})
