import { createECDH, randomUUID } from 'node:crypto'
import t from '../../tap.js'
import { insertDeliveries } from '../../../db/channels/deliveries.js'
import { openMessage, startPushSandbox } from 'steward-sandbox/push'
import { buildApp } from '../../app.js'
import { decideAs, makePeople, proposeProject, type Person } from '../../flows/voting.js'
import { callerOf, retryNow, work } from './world.js'

const push = await startPushSandbox()
t.teardown(() => push.close())
const app = await buildApp(t, { SANDBOX: 'off', OUTBOUND_ALLOW: '127.0.0.1' })
const [ada] = await makePeople(app, ['Ada']) as [Person]
const call = callerOf(app)
const list = async () => (await call(ada.headers, 'GET')).json()

const subscribe = async (events = ['asked']) => {
  const { endpoint: address, keys } = push.subscribe((await list()).push_key)
  const added = await call(ada.headers, 'POST', '', { kind: 'push', name: 'Phone', address, keys, events })
  t.equal(added.statusCode, 201, added.payload)
  return { id: String(added.json().channel.id), address, keys }
}
const last = () => JSON.parse(push.messages.at(-1)?.text ?? '')

t.test('the sandbox opens the example of RFC 8291', async (t) => {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  const body = Buffer.from('DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc' +
    'InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  'base64url')
  t.equal(openMessage({ ecdh, auth }, body), 'When I grow up, I want to be a watermelon')
  body.writeUInt8(body.readUInt8(120) ^ 1, 120)
  t.throws(() => openMessage({ ecdh, auth }, body))
})

t.test('a browser is pushed what is asked, encrypted for it, and then how it ended in the same place', async (t) => {
  const { id, address, keys } = await subscribe()
  const { items: [shown] } = await list()
  t.match(shown, { kind: 'push', confirmed: true, has_secret: true, address: new URL(address).origin })
  t.notMatch(JSON.stringify(shown), keys.auth, 'who reads the list cannot push')
  const asked = await proposeProject(app, ada.headers, 'Harbour')
  await work(app)
  t.match(push.messages, [{ endpoint: address, urgency: 'high', ttl: 86_400 }])
  t.match(last(), {
    title: /^Approval asked: .*Harbour/, body: /Ada asks; risk/, url: new RegExp(`/#/inbox/${asked.confirmation.id}$`)
  })
  const { tag } = last()
  await decideAs(app, ada, asked, false)
  await work(app)
  t.equal(push.messages.length, 2)
  t.match(last(), { title: /^Rejected by Ada/, tag })
  t.equal(push.messages[0]?.topic, push.messages[1]?.topic, 'one that waits is replaced')
  t.same(push.refusals, [])
  await call(ada.headers, 'DELETE', `/${id}`)
})

t.test('what is long is cut, so that it fits into one record', async (t) => {
  const { id } = await subscribe()
  await insertDeliveries(app.db, app.home.workspace_id, [{
    channel_id: id,
    user_id: ada.id,
    event: 'run_ended',
    subject_id: randomUUID(),
    facts: { title: '\u{1F6A2}'.repeat(9_000), detail: '"'.repeat(9_000) },
    wanted: 'completed'
  }])
  await retryNow(app)
  t.match(last(), { title: /^\u{1F6A2}+$/u, body: /^"+$/ })
  t.same(push.refusals, [])
  await call(ada.headers, 'DELETE', `/${id}`)
})

t.test('a service that is busy is asked again; of a subscription that is gone, the channel is off', async (t) => {
  const { id } = await subscribe()
  const before = push.messages.length
  push.manner = 'busy'
  const asked = await proposeProject(app, ada.headers, 'Later')
  await work(app)
  t.match((await list()).items, [{ last_error: 'The push service answered 429', enabled: true }])
  push.manner = 'take'
  await retryNow(app)
  t.equal(push.messages.length, before + 1)
  push.manner = 'gone'
  t.match((await call(ada.headers, 'POST', `/${id}/test`)).json(), { delivered: false, error: /add it again/ })
  t.match((await list()).items, [{ enabled: false, off_reason: 'subscription_gone' }])
  push.manner = 'take'
  await decideAs(app, ada, asked, false)
  await call(ada.headers, 'DELETE', `/${id}`)
})

t.test('a subscription with another key is refused by its service, and becomes a dead letter', async (t) => {
  const { endpoint: address, keys } = push.subscribe('another')
  const body = { kind: 'push', name: 'Old', address, keys, events: ['asked'] }
  const { channel: { id } } = (await call(ada.headers, 'POST', '', body)).json()
  const asked = await proposeProject(app, ada.headers, 'Old key')
  await work(app)
  for (let round = 0; round < 3; round++) await retryNow(app)
  t.same(push.refusals, Array(3).fill('another key'))
  t.match((await call(ada.headers, 'GET', `/${id}/deliveries?state=dead`)).json().items,
    [{ state: 'dead', last_error: 'The push service answered 403' }])
  await decideAs(app, ada, asked, false)
  await call(ada.headers, 'DELETE', `/${id}`)
})

t.test('what is no subscription is refused', async (t) => {
  const { endpoint, keys } = push.subscribe((await list()).push_key)
  const whole = { kind: 'push', name: 'X', events: [], address: endpoint, keys }
  const refused = async (body: object) => (await call(ada.headers, 'POST', '', { ...whole, ...body })).json()
  t.match(await refused({ address: 'http://10.0.0.1/' }), { errors: [{ pointer: '/address' }] })
  const offCurve = Buffer.alloc(65, 4).toString('base64url')
  for (const p256dh of ['', 'AAAA', offCurve]) {
    t.match(await refused({ keys: { ...keys, p256dh } }), { errors: [{ pointer: '/keys/p256dh' }] }, p256dh)
  }
  t.match(await refused({ keys: { ...keys, auth: 'AAAA' } }), { errors: [{ pointer: '/keys/auth' }] })
  t.match(await refused({ keys: undefined }), { code: 'channel_invalid' })
  const hook = { kind: 'webhook', address: 'https://hooks.example.com/x' }
  t.match(await refused(hook), { errors: [{ pointer: '/keys' }] })
})
