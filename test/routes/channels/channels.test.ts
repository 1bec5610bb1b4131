import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { makePeople, type Person } from '../../flows/voting.js'
import { makeStranger, problemOf } from '../account/actors.js'
import { callerOf, startReceiver } from './world.js'

const app = await buildApp(t, { SANDBOX: 'off', OUTBOUND_ALLOW: '127.0.0.1' })
const call = callerOf(app)
const receiver = await startReceiver(t)
const webhook = { kind: 'webhook', name: 'Pager', address: receiver.url, events: ['asked'] }

t.test('a channel is added, listed, changed under its name, tested, and removed', async (t) => {
  const added = await call(asAdmin, 'POST', '', webhook)
  t.equal(added.statusCode, 201)
  t.equal(added.headers['cache-control'], 'no-store')
  const { channel, secret, code } = added.json()
  t.match([secret, code], [/^whsec_/, null])
  t.same(channel, {
    id: channel.id,
    kind: 'webhook',
    name: 'Pager',
    address: receiver.url,
    events: ['asked'],
    quiet: null,
    digest: null,
    has_secret: true,
    confirmed: true,
    enabled: true,
    off_reason: null,
    failing_since: null,
    paused_until: null,
    last_error: null,
    last_sent_at: null,
    sandbox_url: null,
    revision: 1,
    created_at: channel.created_at,
    updated_at: channel.updated_at
  })
  t.same((await call(asAdmin, 'GET')).json().items, [channel])
  const changed = await call(asAdmin, 'PATCH', `/${channel.id}`, { name: 'Night', enabled: false })
  t.match(changed.json(), { name: 'Night', enabled: false, events: ['asked'], revision: 2 })
  t.match((await call(asAdmin, 'PATCH', `/${channel.id}`, { address: 'https://other.example' })).json(),
    { code: 'unknown_field', errors: [{ pointer: '/address' }] })
  t.match((await call(asAdmin, 'POST', `/${channel.id}/test`)).statusCode, 200)
  t.match(receiver.got.map(({ body }) => JSON.parse(body)), [{ type: /test/ }])
  t.equal((await call(asAdmin, 'DELETE', `/${channel.id}`)).statusCode, 204)
  t.same((await call(asAdmin, 'GET')).json().items, [])
})

t.test('nobody else finds a channel, neither a colleague nor another workspace', async (t) => {
  const { channel } = (await call(asAdmin, 'POST', '', webhook)).json()
  const [colleague] = await makePeople(app, ['Cora']) as [Person]
  const stranger = await makeStranger(app)
  for (const headers of [colleague.headers, stranger]) {
    t.same((await call(headers, 'GET')).json().items, [])
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Mine' }], ['POST', '/test', undefined], ['GET', '/deliveries', undefined], ['DELETE', '', undefined]
    ] as const) {
      const answer = await call(headers, method, `/${channel.id}${path}`, body)
      t.match(problemOf(answer), { status: 404, code: 'channel_not_found' }, `${method} ${path}`)
    }
  }
  t.match((await call(asAdmin, 'GET')).json().items, [{ id: channel.id, name: 'Pager', revision: 1 }])
})
