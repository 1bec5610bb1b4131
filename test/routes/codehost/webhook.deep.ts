import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { makePerson, problemOf } from '../account/actors.js'
import { steer } from './actors.js'
import { deliver, pushOf, secretOf, settleHooks, sign } from './hooks.js'

t.setTimeout(120_000)
const app = await buildApp(t, { WORKER: 'false' })

const countReceipts = async () =>
  Number((await app.db.selectFrom('codehost_receipt').select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()).count)

const receiptOf = async (id: string) =>
  (await app.inject({ url: `/codehost/receipts/${id}`, headers: asAdmin })).json()

const facts = () => app.db.selectFrom('codehost_activity').selectAll().orderBy('id').execute()

const ping = { zen: 'Keep it logically awesome.', hook_id: 1 }

t.test('J68: what GitHub publishes to check a signature by', async (t) => {
  t.equal(sign('Hello, World!', "It's a Secret to Everybody"),
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17')
})

t.test('J68: without the right signature nothing is stored', async (t) => {
  const before = await countReceipts()
  const body = JSON.stringify(ping)
  const right = sign(body, secretOf(app))
  const sha1 = `sha1=${createHmac('sha1', secretOf(app)).update(body).digest('hex')}`
  const wrong: Record<string, string | string[] | undefined>[] = [
    { 'x-hub-signature-256': undefined },
    { 'x-hub-signature-256': undefined, 'x-hub-signature': sha1 },
    { 'x-hub-signature-256': sha1 },
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': 'sha256=' },
    { 'x-hub-signature-256': right.slice(0, -1) },
    { 'x-hub-signature-256': `${right}0` },
    { 'x-hub-signature-256': right.toUpperCase() },
    { 'x-hub-signature-256': right.replace(/[a-f]/g, (letter) => letter.toUpperCase()) },
    { 'x-hub-signature-256': [right, right] },
    { 'x-hub-signature-256': sign(`${body} `, secretOf(app)) },
    { 'x-hub-signature-256': sign(body, 'another secret') },
    // Without credentials of its own it must not become a question of which fields are missing.
    { 'x-hub-signature-256': sign(body, 'another secret'), 'x-github-delivery': undefined }
  ]
  for (const headers of wrong) {
    const answer = await deliver(app, 'ping', body, { headers })
    t.same(problemOf(answer), {
      type: 'urn:steward:error:webhook_signature_invalid',
      title: 'The signature does not fit the body',
      status: 401,
      detail: 'The signature does not fit the body',
      code: 'webhook_signature_invalid'
    }, JSON.stringify(headers))
  }
  t.equal(await countReceipts(), before)
})

t.test('a webhook is stored, answered, and processed afterwards', async (t) => {
  const answer = await deliver(app, 'push', pushOf({}), {
    delivery: 'first', headers: { 'x-github-hook-id': '42', 'user-agent': 'GitHub-Hookshot/1' }
  })
  const receipt = answer.json()
  t.same([answer.statusCode, receipt], [202, {
    receipt_id: receipt.receipt_id, delivery_id: 'first', event: 'push', action: null, status: 'queued'
  }])
  await settleHooks(app)
  const shown = await receiptOf(receipt.receipt_id)
  t.same(shown, {
    ...receipt,
    status: 'processed',
    received_at: shown.received_at,
    processed_at: shown.processed_at,
    attempts: 1,
    error_code: null,
    repo_id: '7001',
    hook_id: '42',
    body_sha256: shown.body_sha256,
    body_bytes: JSON.stringify(pushOf({})).length,
    secret_id: shown.secret_id
  })
  t.match(shown.secret_id, /^[0-9a-f]{8}$/)
  t.equal((await facts()).length, 1)
})

t.test('J70: what came before changes nothing', async (t) => {
  const body = pushOf({ before: 'b', after: 'c', at: 1_780_000_060 })
  const first = (await deliver(app, 'push', body, { delivery: 'twice' })).json()
  await settleHooks(app)
  const before = await facts()
  const again = await deliver(app, 'push', body, { delivery: 'twice' })
  t.same([again.statusCode, again.json()], [202, { ...first, status: 'duplicate' }], 'the same delivery')
  const replay = await deliver(app, 'push', body, { delivery: 'another' })
  t.same([replay.statusCode, replay.json().status], [202, 'duplicate'], 'the same body')
  t.not(replay.json().receipt_id, first.receipt_id)
  const renamed = (await deliver(app, 'pull_request', body)).json()
  t.equal(renamed.status, 'queued')
  await settleHooks(app)
  t.match(await receiptOf(renamed.receipt_id), { status: 'ignored', error_code: 'shape_mismatch' }, 'as another event')
  t.same(await facts(), before)
})

t.test('J70: copies that arrive together have one effect', async (t) => {
  const body = pushOf({ before: 'c', after: 'd', at: 1_780_000_120 })
  const before = (await facts()).length
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) =>
    deliver(app, 'push', body, { delivery: `copy-${i % 20}` })))
  t.ok(answers.every(({ statusCode }) => statusCode === 202))
  t.equal(new Set(answers.map((answer) => answer.json().receipt_id)).size, 20)
  await settleHooks(app)
  t.equal((await facts()).length, before + 1)
})

t.test('J72: whatever comes is stored, and never breaks anything', async (t) => {
  const withText = (message: string) => JSON.stringify(pushOf({ before: 'd', after: 'e', at: 1_780_000_180 }))
    .replace('"Change it"', message).replace('"octavia"', '"oct\\u0000av\\ud800ia"')
  const cases: [string, string, string | Buffer, object][] = [
    ['an unknown event', 'something_new', '{"action":"invented"}', { status: 'ignored', action: 'invented' }],
    ['an array', 'push', '[]', { status: 'ignored', error_code: 'not_an_object' }],
    ['null', 'push', 'null', { status: 'ignored', error_code: 'not_an_object' }],
    ['no JSON', 'push', '{"ref":', { status: 'ignored', error_code: 'not_json' }],
    ['a name of Object', 'constructor', '{}', { status: 'ignored', error_code: null }],
    ['NUL and halves of pairs', 'push', withText('"\\u0000 \\ud800"'), { status: 'processed', repo_id: '7001' }],
    ['NUL as it is', 'push', 'null\0', { status: 'ignored', error_code: 'not_json' }],
    ['keys of prototypes', 'push', '{"__proto__":{"ref":"x"},"constructor":1}', { error_code: 'shape_mismatch' }],
    ['a time that is none', 'release', JSON.stringify({
      action: 'published',
      release: { id: 1, tag_name: 'v1', published_at: 'yesterday' },
      repository: { id: 7001, full_name: 'larkspur/web' }
    }), { status: 'ignored', error_code: 'shape_mismatch' }]
  ]
  for (const [name, event, body, expected] of cases) {
    const answer = await deliver(app, event, body)
    t.equal(answer.statusCode, 202, name)
    await settleHooks(app)
    t.match(await receiptOf(answer.json().receipt_id), expected, name)
  }
  t.match((await facts()).find(({ after }) => after === 'e'.repeat(40)), { actor: 'octav�ia' })
})

t.test('J72: forms, no type at all, and bytes that are no text', async (t) => {
  const json = JSON.stringify(pushOf({ before: 'e', after: 'f', at: 1_780_000_240 }))
  const form = await deliver(app, 'push', new URLSearchParams({ payload: json }).toString(),
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  const bare = await deliver(app, 'push', json, { headers: { 'content-type': undefined } })
  const odd = await deliver(app, 'ping', JSON.stringify(ping), { headers: { 'content-type': 'text/x-odd; a=b' } })
  t.same([form, bare, odd].map(({ statusCode }) => statusCode), [202, 202, 202])
  await settleHooks(app)
  t.match(await receiptOf(form.json().receipt_id), { status: 'processed', repo_id: '7001' })
  t.equal((await facts()).filter(({ after }) => after === 'f'.repeat(40)).length, 1)
  const bytes = await deliver(app, 'push', Buffer.from([0x22, 0xff, 0xfe, 0x22]))
  t.same([bytes.statusCode, bytes.json().code, bytes.json().offset], [400, 'not_utf8', 1])
  const empty = await deliver(app, 'push', '')
  t.same([empty.statusCode, empty.json().code], [401, 'webhook_signature_invalid'])
})

t.test('the headers of delivery and event are required, after the signature is verified', async (t) => {
  for (const name of ['x-github-delivery', 'x-github-event']) {
    for (const value of [undefined, 'a b', 'ü', 'x'.repeat(101)]) {
      const answer = await deliver(app, 'ping', ping, { headers: { [name]: value } })
      t.same([answer.statusCode, answer.json().code], [400, 'invalid_request'], `${name}: ${value}`)
      t.match(answer.json().errors[0].pointer, `/headers/${name}`)
    }
  }
})

t.test('G52: a body that is too large is refused before it is read', async (t) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/webhooks/codehost',
    headers: {
      'content-length': '26214401',
      'x-hub-signature-256': sign('x', secretOf(app)),
      'content-type': 'application/json'
    },
    payload: 'x'
  })
  t.same([answer.statusCode, answer.json().code], [413, 'payload_too_large'])
})

t.test('J71: a large one, with what its size is made of', async (t) => {
  const host = { CODEHOST_URL: 'http://127.0.0.1:9', CODEHOST_WEBHOOK_SECRET: 'known' }
  const app = await buildApp(t, { WORKER: 'false', ...host })
  const body = JSON.stringify({ ...ping, text: 'x'.repeat(2_000_000) })
  const answer = await deliver(app, 'ping', body)
  t.equal(answer.statusCode, 202)
  const url = `/codehost/receipts/${answer.json().receipt_id}`
  t.match((await app.inject({ url, headers: asAdmin })).json(), { body_bytes: body.length })
})

t.test('B15, B19: receipts are shown to admins, page by page', async (t) => {
  const url = '/codehost/receipts?limit=2&event=push'
  const first = (await app.inject({ url, headers: asAdmin })).json()
  const next = (await app.inject({ url: `${url}&cursor=${first.next_cursor}`, headers: asAdmin })).json()
  const ids = [...first.items, ...next.items].map((item: { receipt_id: string }) => item.receipt_id)
  t.same(ids, ids.toSorted().toReversed())
  t.equal(new Set(ids).size, 4)
  const { headers } = await makePerson(app, 'Mona', 'member')
  for (const path of ['/codehost/receipts', `/codehost/receipts/${ids[0]}`]) {
    const answer = await app.inject({ url: path, headers })
    t.same([answer.statusCode, answer.json().code], [403, 'insufficient_role'])
    t.equal((await app.inject({ url: path })).statusCode, 401)
  }
  const missing = await app.inject({ url: '/codehost/receipts/0199aaaa-0000-7000-8000-000000000000', headers: asAdmin })
  t.same([missing.statusCode, missing.json().code], [404, 'not_found'])
  const other = await app.inject({ url: `/codehost/receipts?limit=2&cursor=${first.next_cursor}`, headers: asAdmin })
  t.same([other.statusCode, other.json().code], [400, 'invalid_cursor'])
})

t.test('receipts are kept for thirty days', async (t) => {
  const kept = await countReceipts()
  const { receipt_id: id } = (await deliver(app, 'ping', { ...ping, hook_id: 2 })).json()
  await settleHooks(app)
  const old = new Date(Date.now() - 30.1 * 86_400_000)
  await app.db.updateTable('codehost_receipt').set({ received_at: old }).where('id', '=', id).execute()
  await app.jobs.enqueue(app.db, 'codehost.purge-receipts', {})
  await app.jobs.drain()
  t.equal(await countReceipts(), kept)
  t.equal((await receiptOf(id)).code, 'not_found')
})

t.test('J73: what the code host could not deliver is asked for again', async (t) => {
  const sandbox = steer(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  // A server that listens on TCP has such an address.
  const { port } = app.server.address() as AddressInfo
  const hook = { url: `http://127.0.0.1:${port}/webhooks/codehost` }
  await sandbox.call('PUT', '/hook', hook)
  await app.inject({ url: '/codehost/repos/7001', headers: asAdmin })
  await sandbox.commit({ repository: 'larkspur/web', message: 'It arrives', files: { 'a.txt': '1' } })
  await settleHooks(app)
  await sql`create function refuse() returns trigger language plpgsql as
    'begin raise exception \'\'down\'\' using errcode = \'\'57P03\'\'; end'`.execute(app.db)
  await sql`create trigger refuse before insert on codehost_receipt execute function refuse()`.execute(app.db)
  const sha = await sandbox.commit({ repository: 'larkspur/web', message: 'It is lost', files: { 'a.txt': '2' } })
  await sql`drop trigger refuse on codehost_receipt`.execute(app.db)
  const redeliver = async () => {
    await app.jobs.enqueue(app.db, 'codehost.redeliver', {})
    await app.jobs.drain()
    // Answers when what was sent was answered.
    await sandbox.call('GET', '/deliveries')
    await settleHooks(app)
  }
  const redeliveries = async () => (await sandbox.calls()).filter(({ operation }) => operation === 'redeliver').length
  await redeliver()
  t.equal((await facts()).filter(({ after }) => after === sha).length, 1)
  t.equal(await redeliveries(), 1)
  await redeliver()
  t.equal(await redeliveries(), 1, 'once is enough')
})
