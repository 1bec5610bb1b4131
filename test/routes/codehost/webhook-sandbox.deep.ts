import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { until } from '../../chat.js'
import { problemOf } from '../account/actors.js'
import { steer } from './actors.js'
import { deliver, pushOf, secretOf, settleHooks } from './hooks.js'

const ping = { zen: 'Anything added dilutes everything else.', hook_id: 1 }
const invalid = {
  type: 'urn:steward:error:webhook_signature_invalid',
  title: 'The signature does not fit the body',
  status: 401,
  detail: 'The signature does not fit the body',
  code: 'webhook_signature_invalid'
}
const refused = {
  type: 'urn:steward:error:webhook_not_configured',
  title: 'No webhook secret is configured, so no webhook is accepted',
  status: 503,
  detail: 'No webhook secret is configured, so no webhook is accepted',
  code: 'webhook_not_configured'
}

t.test('J69: where no code host is named, only the sandbox of this very start can sign a webhook', async (t) => {
  const apps = [await buildApp(t, { WORKER: 'false' }), await buildApp(t, { WORKER: 'false' })] as const
  const [first, second] = apps.map(secretOf)
  t.match(first, /^[0-9a-f]{64}$/)
  t.not(first, second, 'each start has one of its own')
  for (const secret of ['sandbox-webhook-secret', 'sandbox-client-secret', '', String(second)]) {
    t.same(problemOf(await deliver(apps[0], 'push', pushOf({}), { secret })), invalid, secret)
  }
  t.same(await apps[0].db.selectFrom('codehost_receipt').selectAll().execute(), [], 'and nothing is stored')
  t.equal((await deliver(apps[0], 'ping', ping)).statusCode, 202)
})

t.test('a push at the sandbox reaches the Steward that started it', async (t) => {
  const app = await buildApp(t, { WORKER: 'false' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const stored = await until(async () => {
    // The sandbox gets the URL of webhooks right after the start.
    await steer(app).call('POST', '/commits', { repository: 'larkspur/web', files: { 'a.txt': 'a' } })
    await settleHooks(app)
    const { items } = (await app.inject({ url: '/codehost/receipts', headers: asAdmin })).json()
    return items[0] as object | undefined
  })
  t.match(stored, { event: 'push', status: 'processed' })
})

t.test('J69: what others can reach takes no webhook while no code host is named', async (t) => {
  const others = ['https://steward.example', 'http://10.0.0.7:3000', 'http://localhost.example', 'http://0.0.0.0:3000']
  for (const url of others) {
    const app = await buildApp(t, { WORKER: 'false', PUBLIC_URL: url })
    t.equal(secretOf(app), '', url)
    for (const secret of ['sandbox-webhook-secret', '']) {
      t.same(problemOf(await deliver(app, 'push', pushOf({}), { secret })), refused, `${url} ${secret}`)
    }
  }
  for (const url of ['http://localhost:8080', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
    const app = await buildApp(t, { WORKER: 'false', PUBLIC_URL: url })
    t.equal((await deliver(app, 'ping', ping)).statusCode, 202, url)
  }
})

t.test('G52: a sandbox sends no more than any other client may', async (t) => {
  const app = await buildApp(t, { WORKER: 'false' })
  const answer = await deliver(app, 'ping', { ...ping, text: 'x'.repeat(1_048_576) })
  t.match([answer.statusCode, answer.json()], [413, { code: 'payload_too_large' }])
})

t.test('G52: signed webhooks have a limit of their own, which forged ones do not use up', async (t) => {
  const LIMITS = JSON.stringify({ webhooks_per_minute: 3, requests_per_minute: 1 })
  const app = await buildApp(t, { WORKER: 'false', LIMITS })
  for (let i = 0; i < 5; i++) t.equal((await deliver(app, 'ping', { i }, { secret: 'forged' })).statusCode, 401)
  // Three a minute; where a minute ends between them, three of the next as well.
  let taken = 0
  let answer = await deliver(app, 'ping', { taken })
  for (; answer.statusCode === 202 && taken < 7; taken++) answer = await deliver(app, 'ping', { taken })
  t.ok(taken >= 3 && taken <= 6, `${taken} are taken`)
  t.match(answer.json(), { status: 429, code: 'rate_limited', detail: 'More than 3 requests in a minute' })
  t.ok(Number(answer.headers['retry-after']) > 0)
})
