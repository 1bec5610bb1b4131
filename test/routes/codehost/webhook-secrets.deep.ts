import { sql } from 'kysely'
import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { problemOf } from '../account/actors.js'
import { deliver } from './hooks.js'

const ping = { zen: 'Approachable is better than simple.', hook_id: 1 }
const host = { CODEHOST_URL: 'http://127.0.0.1:9', WORKER: 'false' }

t.test('J69: where no secret is configured, no webhook is accepted', async (t) => {
  const app = await buildApp(t, { ...host, CODEHOST_WEBHOOK_SECRET: ' , ' })
  for (const secret of ['', 'sandbox-webhook-secret', ' ']) {
    const answer = await deliver(app, 'ping', ping, { secret })
    t.same(problemOf(answer), {
      type: 'urn:steward:error:webhook_not_configured',
      title: 'No webhook secret is configured, so no webhook is accepted',
      status: 503,
      detail: 'No webhook secret is configured, so no webhook is accepted',
      code: 'webhook_not_configured'
    })
  }
  t.same(await app.db.selectFrom('codehost_receipt').selectAll().execute(), [])
})

t.test('J74: while rotating both secrets count, and never an empty one', async (t) => {
  const app = await buildApp(t, { ...host, CODEHOST_WEBHOOK_SECRET: 'the new one, the old one, an older one,' })
  const statuses = []
  for (const secret of ['the new one', 'the old one', 'an older one', '', ' the old one']) {
    statuses.push((await deliver(app, 'ping', { ...ping, secret }, { secret })).statusCode)
  }
  t.same(statuses, [202, 202, 401, 401, 401])
  const rows = await app.db.selectFrom('codehost_receipt').select('secret_id').execute()
  t.equal(new Set(rows.map((row) => row.secret_id)).size, 2, 'the receipts identify the secret')
})

const LIMITS = JSON.stringify({ refused_credentials_per_minute: 3, requests_per_minute: 5 })
const app = await buildApp(t, { ...host, CODEHOST_WEBHOOK_SECRET: 'the new one', LIMITS })
const secret = 'the new one'

t.test('J74, A13: the old one is refused, and limited by address; the right ones go on', async (t) => {
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await deliver(app, 'ping', ping, { secret: 'the old one' })).statusCode)
  t.same(statuses, [401, 401, 401, 429, 429])
  for (let i = 0; i < 12; i++) t.equal((await deliver(app, 'ping', { i }, { secret })).statusCode, 202)
})

t.test('J73: nothing is answered with yes before it is stored', async (t) => {
  await sql`create function refuse() returns trigger language plpgsql as
    'begin raise exception ''down'' using errcode = ''57P03''; end'`.execute(app.db)
  await sql`create trigger refuse before insert on codehost_receipt execute function refuse()`.execute(app.db)
  const answers = await Promise.all([1, 2, 3].map((n) => deliver(app, 'ping', ping, { delivery: `lost-${n}`, secret })))
  for (const answer of answers) {
    t.same([answer.statusCode, answer.json().code], [503, 'database_unavailable'])
    t.ok(answer.headers['retry-after'])
  }
  await sql`drop trigger refuse on codehost_receipt`.execute(app.db)
  const again = await deliver(app, 'ping', ping, { delivery: 'lost-1', secret })
  t.same([again.statusCode, again.json().status], [202, 'queued'], 'the code host sends it once more')
})
