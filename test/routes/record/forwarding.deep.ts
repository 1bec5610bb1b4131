import http from 'node:http'
import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import t from '../../tap.js'
import { canonicalJson } from '../../../lib/record/entry.js'
import { isSignedBy, type Checkpoint } from '../../../lib/record/checkpoint.js'
import { asAdmin, buildApp } from '../../app.js'
import { until } from '../../chat.js'

const app = await buildApp(t, { SANDBOX: 'off', OUTBOUND_ALLOW: '127.0.0.1' })

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, headers: asAdmin, ...(payload && { payload }) })
const base = '/account/audit/destinations'
const makeProject = (name: string) => call('POST', '/account/projects', { name })

/** An HTTP server that answers as `state` says, and keeps what it was sent. */
const startReceiver = async () => {
  const got: { headers: http.IncomingHttpHeaders, body: string, status: number }[] = []
  const state = { answer: (_body: string): { status: number, body?: string } => ({ status: 204 }) }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const { status, body: answer } = state.answer(body)
      got.push({ headers: request.headers, body, status })
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { got, state, port: (server.address() as AddressInfo).port }
}

interface Item { type: string, seq: number, operation?: string, target?: string | null }
const itemsOf = (body: string): Item[] => JSON.parse(body).data.items

/** Numbers what there is, and does what jobs have to do. */
const work = async () => {
  await call('GET', '/account/audit')
  await app.jobs.drain()
}

/** As if the pause after an attempt that failed were over. */
const retryNow = async () => {
  await app.db.updateTable('audit_destination').set({ next_attempt_at: new Date(0) })
    .where('next_attempt_at', 'is not', null).execute()
  const rows = await app.db.selectFrom('audit_destination').select(['workspace_id', 'id']).execute()
  for (const { workspace_id, id } of rows) {
    await app.jobs.enqueue(app.db, 'record.forward', { workspace_id, destination_id: id })
  }
  await app.jobs.drain()
}

t.test('a webhook gets every entry in order, signed, and a checkpoint behind what it signs', async (t) => {
  const { got, port } = await startReceiver()
  const url = `http://127.0.0.1:${port}/in`
  const added = await call('POST', base, { name: 'SIEM', kind: 'webhook', url, from: 'start' })
  t.equal(added.statusCode, 201)
  const { destination, secret } = added.json()
  t.match(secret, /^whsec_/)
  t.match(destination, { name: 'SIEM', kind: 'webhook', sends: 'all', has_secret: true, dead_letters: 0 })
  for (const name of ['A', 'B', 'C']) await makeProject(name)
  await work()
  const entries = got.flatMap(({ body }) => itemsOf(body)).filter(({ type }) => type === 'entry')
  t.same(entries.map(({ seq }) => seq), entries.map((_, index) => index + 1))
  t.equal(entries.filter(({ operation }) => operation === 'createProject').length, 3)
  for (const { headers, body } of got) {
    // The library checks id, time and signature.
    t.ok(new Webhook(secret).verify(body, headers as Record<string, string>))
    t.equal(canonicalJson(JSON.parse(body)), body)
  }
  got.length = 0
  await call('GET', '/account/audit/export')
  await app.jobs.drain()
  const [key] = (await app.inject({ url: '/.well-known/steward-audit-keys.json' })).json().keys
  const [checkpoint] = itemsOf(got.at(-1)?.body ?? '') as unknown as Checkpoint[]
  t.ok(checkpoint && isSignedBy(checkpoint, key))
  t.ok(JSON.parse(got.at(-1)?.body ?? '').type === 'audit.checkpoint')
  t.match((await call('GET', base)).json().items[0], { failing_since: null, last_error: null, next_attempt_at: null })
  await call('DELETE', `${base}/${destination.id}`)
})

t.test('a receiver that is down loses nothing, and gets each entry when it is back', async (t) => {
  const { got, state, port } = await startReceiver()
  const url = `http://127.0.0.1:${port}/`
  const { destination } = (await call('POST', base, { name: 'Down', kind: 'webhook', url })).json()
  state.answer = () => ({ status: 503 })
  for (const name of ['D', 'E']) await makeProject(name)
  await work()
  const shown = (await call('GET', base)).json().items[0]
  t.match(shown, { attempts: 1, last_error: 'It answered 503', dead_letters: 0 })
  t.ok(shown.failing_since && shown.next_attempt_at > shown.failing_since)
  await retryNow()
  state.answer = () => ({ status: 200 })
  await retryNow()
  const taken = got.filter(({ status }) => status === 200).flatMap(({ body }) => itemsOf(body))
    .filter(({ type }) => type === 'entry').map(({ seq }) => seq)
  t.ok(taken.length >= 2)
  t.same(taken, taken.map((_, index) => (taken[0] ?? 0) + index))
  const first = got.map(({ headers }) => headers['webhook-id'])
  t.ok(first.length >= 3 && first.every(Boolean))
  await call('DELETE', `${base}/${destination.id}`)
})

t.test('what a receiver refuses is set aside and seen; the rest goes on, and it can be sent again', async (t) => {
  const { got, state, port } = await startReceiver()
  const { destination } = (await call('POST', base,
    { name: 'Strict', kind: 'otlp', url: `http://127.0.0.1:${port}/v1/logs`, secret: 'Bearer abc' })).json()
  state.answer = (body) => ({ status: body.includes('poison') ? 400 : 200, body: '{}' })
  await call('POST', '/account/projects/poison/archive')
  for (const name of ['F', 'G']) await makeProject(name)
  await work()
  for (let round = 0; round < 4; round++) await retryNow()
  const letters = (await call('GET', `${base}/${destination.id}/dead-letters`)).json().items
  t.match(letters, [{ what: 'entries', error: 'It answered 400' }])
  t.equal(letters.length, 1)
  t.equal(letters[0].from_seq, letters[0].to_seq)
  t.equal((await call('GET', base)).json().items[0].dead_letters, 1)
  const records = got.filter(({ status }) => status === 200)
    .flatMap(({ body }) => JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords)
  const made = records.filter((record: object) => JSON.stringify(record).includes('createProject'))
  t.equal(made.length, 2)
  t.match(made[0], { timeUnixNano: /^\d{19}$/, severityNumber: 9, eventName: 'steward.record.direct' })
  t.ok(got.every(({ headers }) => headers.authorization === 'Bearer abc'))
  state.answer = () => ({ status: 200, body: '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"no"}}' })
  const resend = `${base}/${destination.id}/dead-letters/${letters[0].id}/resend`
  t.same((await call('POST', resend)).json(), { delivered: false, error: 'It rejected 1: no' })
  state.answer = () => ({ status: 200 })
  t.same((await call('POST', resend)).json(), { delivered: true, error: null })
  t.same((await call('GET', `${base}/${destination.id}/dead-letters`)).json().items, [])
  t.equal((await call('POST', resend)).json().code, 'dead_letter_not_found')
  await call('DELETE', `${base}/${destination.id}`)
})

/** @returns the messages of RFC 5424 in what was sent, by their lengths */
const framesOf = (bytes: Buffer): string[] => {
  const found: string[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(bytes.subarray(at, space).toString())
    found.push(bytes.subarray(space + 1, space + 1 + length).toString('utf8'))
    at = space + 1 + length
  }
  return found
}

t.test('syslog gets messages of RFC 5424, framed by their length in bytes', async (t) => {
  const chunks: Buffer[] = []
  const server = net.createServer((socket) => {
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const { destination } = (await call('POST', base,
    { name: 'Syslog', kind: 'syslog', url: `syslog+tcp://127.0.0.1:${port}` })).json()
  await makeProject('Zürich ✓')
  await call('POST', '/account/projects/nothing/archive')
  await work()
  const lines = await until(() => {
    const frames = framesOf(Buffer.concat(chunks))
    return frames.some((frame) => frame.includes('archiveProject')) && frames
  })
  const form = /^<1(08|10)>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ steward - (direct|checkpoint) - \{.*\}$/
  for (const line of lines) t.match(line, form)
  t.match(lines.find((line) => line.includes('createProject')), /^<110>/)
  t.match(lines.find((line) => line.includes('archiveProject')), /^<108>/, 'a refused one is a warning')
  t.same((await call('POST', `${base}/${destination.id}/test`)).json(), { delivered: true, error: null })
  await call('DELETE', `${base}/${destination.id}`)
})

t.test('a destination that cannot be one is refused, with the reason', async (t) => {
  const reasons: [object, RegExp][] = [
    [{ kind: 'webhook', url: 'http://10.0.0.1/' }, /not a public one/],
    [{ kind: 'webhook', url: 'ftp://example.com/' }, /http and https/],
    [{ kind: 'webhook', url: 'https://example.com/', secret: 'whsec_c2hvcnQ=' }, /24 to 64/],
    [{ kind: 'syslog', url: 'https://example.com/' }, /syslog\+tls/],
    [{ kind: 'syslog', url: 'syslog+tls://10.0.0.1:6514' }, /not a public one/],
    [{ kind: 'syslog', url: 'syslog+tls://localhost:6514' }, /not a public one/],
    [{ kind: 'syslog', url: 'syslog+tls://logs.example.com/path' }, /nothing else/],
    [{ kind: 'syslog', url: 'syslog+tls://logs.example.com', secret: 'x' }, /has none/],
    [{ kind: 'otlp', url: 'https://user:pw@example.com/v1/logs' }, /no credentials/]
  ]
  for (const [body, reason] of reasons) {
    const answer = await call('POST', base, { name: 'No', ...body })
    t.same([answer.statusCode, answer.json().code], [422, 'destination_invalid'], JSON.stringify(body))
    t.match(answer.json().detail, reason)
  }
  t.equal((await call('GET', base)).json().items.length, 0)
})

t.test('a destination is changed, turned off and never shows its secret', async (t) => {
  const { got, port } = await startReceiver()
  const url = `http://127.0.0.1:${port}/`
  const { destination, secret } = (await call('POST', base, { name: 'One', kind: 'webhook', url })).json()
  const off = (await call('PATCH', `${base}/${destination.id}`, { enabled: false, name: 'Two' })).json()
  t.match(off, { name: 'Two', enabled: false, revision: 2 })
  t.notOk(JSON.stringify((await call('GET', base)).json()).includes(secret))
  // What was sent before it was turned off.
  await work()
  got.length = 0
  await makeProject('H')
  await work()
  t.equal(got.length, 0)
  const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  await call('PATCH', `${base}/${destination.id}`, { enabled: true, secret: next })
  await app.jobs.drain()
  t.ok(got.length > 0 && new Webhook(next).verify(got[0]?.body ?? '', got[0]?.headers as Record<string, string>))
  const record = (await call('GET', '/account/audit/export')).payload
  t.notOk(record.includes(secret) || record.includes(next), 'nor does the record')
})
