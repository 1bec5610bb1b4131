import { Webhook } from 'standardwebhooks'
import t from '../../tap.js'
import { asAdmin, buildApp } from '../../app.js'
import { decideAs, endOf, makePeople, proposeProject, requireApprovals, type Person } from '../../flows/voting.js'
import { makeStranger } from '../account/actors.js'
import { callerOf, retryNow, startReceiver, work } from './world.js'

const app = await buildApp(t, { SANDBOX: 'off', OUTBOUND_ALLOW: '127.0.0.1' })
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]
const call = callerOf(app)

const add = async (person: Person, url: string, more: object = {}) => {
  const body = { kind: 'webhook', name: 'Pager', address: url, events: ['asked'], ...more }
  const added = await call(person.headers, 'POST', '', body)
  t.equal(added.statusCode, 201, added.payload)
  return added.json() as { channel: { id: string }, secret: string, code: null }
}
const remove = (person: Person, id: string) => call(person.headers, 'DELETE', `/${id}`)

t.test('a webhook hears what its person may decide, signed, once, and then how it ended', async (t) => {
  const [own, other] = [await startReceiver(t), await startReceiver(t)]
  const { channel, secret } = await add(ada, own.url)
  const { channel: others } = await add(bea, other.url)
  t.match(channel, { kind: 'webhook', confirmed: true, has_secret: true, enabled: true, last_error: null })
  const asked = await proposeProject(app, ada.headers, 'Harbour')
  await work(app)
  await work(app)
  t.equal(own.got.length, 1)
  t.equal(other.got.length, 0, 'whoever may not decide it hears nothing')
  const [first] = own.got
  const read = new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)
  t.match(read, {
    type: 'approval.asked',
    data: {
      title: /^Approval asked: .*Harbour/,
      url: new RegExp(`/#/inbox/${asked.confirmation.id}$`),
      approval: { confirmation_id: asked.confirmation.id, status: 'pending', requested_by: { name: 'Ada' } }
    }
  })
  await decideAs(app, ada, asked, true)
  await endOf(app, ada.headers, asked)
  await work(app)
  t.equal(own.got.length, 2)
  t.match(JSON.parse(own.got[1]?.body ?? ''), {
    type: 'approval.ended', data: { title: /^Approved by Ada: /, approval: { status: 'approved' } }
  })
  t.not(own.got[0]?.headers['webhook-id'], own.got[1]?.headers['webhook-id'])
  const { items } = (await call(ada.headers, 'GET', `/${channel.id}/deliveries`)).json()
  t.match(items, [{ event: 'asked', state: 'delivered', shown: 'approved', attempts: 0, last_error: null }])
  await Promise.all([remove(ada, channel.id), remove(bea, others.id)])
})

t.test('a channel that is down delays no other, and loses nothing', async (t) => {
  const [down, up] = [await startReceiver(t), await startReceiver(t)]
  const { channel: broken } = await add(ada, down.url, { name: 'Down' })
  const { channel: whole } = await add(ada, up.url, { name: 'Up' })
  down.state.status = 503
  const calls = [await proposeProject(app, ada.headers, 'One')]
  await work(app)
  calls.push(await proposeProject(app, ada.headers, 'Two'))
  await work(app)
  t.equal(up.got.length, 2)
  t.equal(down.got.length, 1, 'one attempt says that it is down: what comes next waits')
  t.match((await call(ada.headers, 'GET')).json().items.find(({ id }: { id: string }) => id === broken.id),
    { last_error: 'It answered 503', enabled: true })
  down.state.status = 200
  await retryNow(app)
  const ids = down.got.filter(({ status }) => status === 200).map(({ headers }) => headers['webhook-id'])
  t.equal(new Set(ids).size, 2)
  t.ok(ids.includes(down.got[0]?.headers['webhook-id']), 'the repetition has the id of the first attempt')
  for (const asked of calls) await decideAs(app, ada, asked, false)
  await Promise.all([remove(ada, broken.id), remove(ada, whole.id)])
})

t.test('what is refused for what it is becomes a dead letter, which is listed and sent again', async (t) => {
  const receiver = await startReceiver(t)
  const { channel } = await add(ada, receiver.url)
  receiver.state.status = 422
  const asked = await proposeProject(app, ada.headers, 'Dead')
  await work(app)
  for (let round = 0; round < 4; round++) await retryNow(app)
  t.equal(receiver.got.length, 3)
  const path = `/${channel.id}/deliveries`
  const { items: [dead] } = (await call(ada.headers, 'GET', `${path}?state=dead`)).json()
  t.match(dead, { state: 'dead', attempts: 3, last_error: 'It answered 422', shown: null, sent_at: null })
  receiver.state.status = 200
  t.equal((await call(ada.headers, 'POST', `${path}/${dead.id}/resend`)).statusCode, 204)
  await app.jobs.drain()
  t.equal(receiver.got.length, 4)
  t.same((await call(ada.headers, 'GET', `${path}?state=dead`)).json(), { items: [], next_cursor: null })
  t.match((await call(ada.headers, 'POST', `${path}/${dead.id}/resend`)).json(), { code: 'delivery_not_found' })
  await decideAs(app, ada, asked, false)
  await remove(ada, channel.id)
})

t.test('who may decide by a rule hears it, and what was decided before it was sent is not sent', async (t) => {
  const receiver = await startReceiver(t)
  const { channel } = await add(bea, receiver.url)
  const asked = await proposeProject(app, ada.headers, 'Shared')
  await requireApprovals(app, asked.confirmation.id, { approvals: 1, exclude_requester: true })
  await work(app)
  t.match(receiver.got.map(({ body }) => JSON.parse(body).data.title), [/Shared/])
  await decideAs(app, bea, asked, false)
  await work(app)
  t.match(JSON.parse(receiver.got[1]?.body ?? ''), { data: { title: /^Rejected by Bea/ } })
  receiver.state.status = 503
  const late = await proposeProject(app, ada.headers, 'Late')
  await requireApprovals(app, late.confirmation.id, { approvals: 1, exclude_requester: true })
  await work(app)
  await decideAs(app, bea, late, false)
  receiver.state.status = 200
  receiver.got.length = 0
  await work(app)
  await retryNow(app)
  t.equal(receiver.got.length, 0)
  await remove(bea, channel.id)
})

t.test('no line of a value looks like a line of the message', async (t) => {
  const receiver = await startReceiver(t)
  const { channel } = await add(ada, receiver.url)
  const description = 'A yard\nrisk: none\r\nWaits for nobody'
  const asked = await proposeProject(app, ada.headers, 'Forged', { arguments: { name: 'Forged', description } })
  await work(app)
  const { data: { lines } } = JSON.parse(receiver.got[0]?.body ?? '')
  t.same(lines.join('\n').split('\n').filter((line: string) => /^(?:risk|Waits for nobody)/.test(line)), [])
  t.match(lines.join('\n'), /^description: A yard\n {2}\| risk: none/m)
  await decideAs(app, ada, asked, false)
  await work(app)
  await remove(ada, channel.id)
})

t.test('quiet hours hold messages back until they end; a test comes all the same', async (t) => {
  const receiver = await startReceiver(t)
  const hour = (from: number) => `${String((new Date().getUTCHours() + from + 24) % 24).padStart(2, '0')}:00`
  const { channel } = await add(ada, receiver.url, { quiet: { from: hour(-1), until: hour(2), time_zone: 'UTC' } })
  const asked = await proposeProject(app, ada.headers, 'Night')
  await work(app)
  t.equal(receiver.got.length, 0)
  t.match((await call(ada.headers, 'POST', `/${channel.id}/test`)).json(), { delivered: true, error: null })
  t.match(JSON.parse(receiver.got[0]?.body ?? ''), { type: 'test' })
  const changed = await call(ada.headers, 'PATCH', `/${channel.id}`, { quiet: null })
  t.match(changed.json(), { quiet: null, revision: 2 })
  await retryNow(app)
  t.equal(receiver.got.length, 2)
  await decideAs(app, ada, asked, false)
  await remove(ada, channel.id)
})

t.test('a digest lists what still waits, and says nothing where nothing does', async (t) => {
  const receiver = await startReceiver(t)
  const { channel } = await add(ada, receiver.url, { events: [], digest: { at: '08:00', time_zone: 'Europe/Madrid' } })
  const digest = async () => {
    await app.db.updateTable('channel').set({ next_digest_at: new Date(0) }).where('id', '=', channel.id).execute()
    await app.jobs.enqueue(app.db, 'channels.sweep-digests', {})
    await app.jobs.drain()
  }
  await digest()
  t.equal(receiver.got.length, 0)
  const asked = await proposeProject(app, ada.headers, 'Waits')
  await digest()
  t.match(receiver.got.map(({ body }) => JSON.parse(body)), [{
    type: 'digest', data: { title: 'One approval waits for you', lines: [/Waits/] }
  }])
  const { next_digest_at: next } = await app.db.selectFrom('channel').select('next_digest_at')
    .where('id', '=', channel.id).executeTakeFirstOrThrow()
  t.ok(next && next.getTime() > Date.now() && next.getTime() <= Date.now() + 86_400_000)
  await decideAs(app, ada, asked, false)
  await remove(ada, channel.id)
})

t.test('what cannot be a channel is refused, and another person\'s is not there', async (t) => {
  const refused = async (body: object) =>
    (await call(ada.headers, 'POST', '', { name: 'X', events: [], ...body })).json()
  const hook = { kind: 'webhook', address: 'https://hooks.example.com/x' }
  t.match(await refused({ ...hook, address: 'http://10.0.0.1/' }), { code: 'channel_invalid', status: 422 })
  t.match(await refused({ ...hook, address: 'http://169.254.169.254/' }), { code: 'channel_invalid' })
  t.match(await refused({ ...hook, secret: 'short' }), { code: 'channel_invalid', errors: [{ pointer: '/secret' }] })
  t.match(await refused({ ...hook, digest: { at: '08:00', time_zone: 'Mars/Base' } }), { code: 'channel_invalid' })
  t.match(await refused({ kind: 'email', address: 'a@example.com' }), { code: 'channel_not_configured', status: 409 })
  t.match(await refused({ kind: 'slack' }), { code: 'channel_not_configured' })
  const { channel } = await add(ada, 'https://hooks.example.com/x')
  for (const headers of [bea.headers, asAdmin, await makeStranger(app)]) {
    t.match((await call(headers, 'POST', `/${channel.id}/test`)).json(), { code: 'channel_not_found', status: 404 })
    t.match((await call(headers, 'DELETE', `/${channel.id}`)).json(), { code: 'channel_not_found' })
  }
  await remove(ada, channel.id)
})
