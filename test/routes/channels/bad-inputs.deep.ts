import t from '../../tap.js'
import { startSlackSandbox } from 'steward-sandbox/slack'
import { simpleParser, startSmtpSandbox } from 'steward-sandbox/smtp'
import { asAdmin, buildApp } from '../../app.js'
import { until } from '../../chat.js'
import {
  confirmationOf, decideAs, makePeople, proposeProject, requireApprovals, type Person
} from '../../flows/voting.js'
import { callerOf, startReceiver, work } from './world.js'

/** What the four that are refused have in common: nothing is decided, the record has it, and a person is notified. */
const slack = await startSlackSandbox('xoxb-sandbox', 'sandbox-signing-secret')
const smtp = await startSmtpSandbox()
for (const { close } of [slack, smtp]) t.teardown(close)
const app = await buildApp(t, {
  SANDBOX: 'off',
  SLACK_BOT_TOKEN: 'xoxb-sandbox',
  SLACK_SIGNING_SECRET: 'sandbox-signing-secret',
  SLACK_API_URL: slack.url,
  SMTP_URL: smtp.url,
  MAIL_FROM: 'steward@example.com',
  OUTBOUND_ALLOW: '127.0.0.1'
})
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]
const call = callerOf(app)
const send = (path: string, signed: { headers: Record<string, string>, payload: string }) =>
  app.inject({ method: 'POST', url: `/slack/${path}`, ...signed })
const recorded = async (query: string) =>
  (await app.inject({ url: `/account/audit?${query}`, headers: asAdmin })).json().items

const { code } = (await call(bea.headers, 'POST', '', { kind: 'slack', name: 'Slack', events: ['asked'] })).json()
await send('commands', slack.sign({ command: '/steward', team_id: 'T0SANDBOX', user_id: 'U0BEA', text: code }))

/** Ada asks what Bea has to approve. */
const ask = async (name: string) => {
  const asked = await proposeProject(app, ada.headers, name)
  await requireApprovals(app, asked.confirmation.id, { approvals: 1, exclude_requester: true })
  await work(app)
  const card = [...slack.messages.values()].find(({ blocks }) => JSON.stringify(blocks).includes(name))
  if (!card) throw new Error('No card')
  return { asked, card, click: slack.click('U0BEA', structuredClone(card), 'approve') }
}

t.test('a forged signature: refused, in the record without a name, and admins are notified once', async (t) => {
  const receiver = await startReceiver(t)
  const made = await call(asAdmin, 'POST', '', { kind: 'webhook', name: 'Pager', address: receiver.url, events: [] })
  t.equal(made.statusCode, 201, made.payload)
  const { asked, click } = await ask('Forged')
  for (let count = 0; count < 3; count++) {
    t.equal((await send('interactions', slack.sign(click, Date.now(), 'forged'))).statusCode, 401)
  }
  const { 'x-slack-signature': _, ...unsigned } = slack.sign(click).headers
  t.equal((await send('interactions', { headers: unsigned, payload: '' })).statusCode, 401)
  await app.jobs.drain()
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { status: 'pending', votes: [] })
  const items = await recorded('operation=receiveSlackInteraction')
  t.match(items, Array(3).fill({ outcome: 'slack_signature_invalid', status: 401, user_id: null, via: 'system' }))
  t.equal(items.length, 3, 'what is not signed at all forges nothing')
  t.match(receiver.got.map(({ body }) => JSON.parse(body)),
    [{ type: 'attempt.refused', data: { title: /in the name of Slack were refused/ } }])
  t.equal(receiver.got.length, 1)
  await decideAs(app, bea, asked, false)
})

t.test('a replayed click: refused, in the record with its person, who is notified', async (t) => {
  const { asked, click } = await ask('Replayed')
  const signed = slack.sign(click)
  t.equal((await send('interactions', signed)).statusCode, 200)
  t.equal((await send('interactions', signed)).statusCode, 401)
  const words = [await until(() => slack.whispers.shift()), await until(() => slack.whispers.shift())]
  t.ok(words.some(({ user, text }) => user === 'U0BEA' && /arrived a second time.* refused/.test(text)))
  t.match(await recorded(`operation=receiveSlackInteraction&user_id=${bea.id}`),
    [{ outcome: 'slack_signature_invalid', status: 401, target: asked.confirmation.id }])
  await app.jobs.drain()
})

t.test('an old card of another plan: refused, in the record, and whoever clicked is notified', async (t) => {
  const { asked, click } = await ask('Stale')
  const old = { payload: click.payload?.replace(/(input_digest\\":\\")[^"\\]*/, '$1sha256:older') ?? '' }
  t.not(old.payload, click.payload)
  t.equal((await send('interactions', slack.sign(old))).statusCode, 200, 'Slack has said who it is')
  t.match(await until(() => slack.whispers.shift()), { user: 'U0BEA', text: /^Nothing was decided: / })
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { status: 'pending', votes: [] })
  const [entry] = await recorded(`operation=confirm&user_id=${bea.id}`)
  t.match(entry, { outcome: 'stale_preview', status: 409 })
  await app.jobs.drain()
  await decideAs(app, bea, asked, false)
})

t.test('a mail that was forwarded: refused, in the record, and whose mail it was is notified once', async (t) => {
  const mail = { kind: 'email', name: 'Mail', address: 'ada@example.com', events: ['asked'] }
  const { channel: { id } } = (await call(ada.headers, 'POST', '', mail)).json()
  const last = () => simpleParser(smtp.mails.at(-1)?.data ?? '')
  await call(ada.headers, 'POST', `/${id}/confirm`, { code: /: (\w{12})$/.exec(last().headers.subject ?? '')?.[1] })
  const asked = await proposeProject(app, ada.headers, 'Forwarded')
  await work(app)
  const delivery = /\/#\/inbox\/[\w-]+\?from=([\w-]+)/.exec(last().text)?.[1] ?? ''
  const open = ({ headers }: Pick<Person, 'headers'>, link = delivery) =>
    app.inject({ method: 'POST', url: `/account/deliveries/${link}/open`, headers })
  t.equal((await open(ada)).statusCode, 204, 'her own')
  for (let count = 0; count < 2; count++) {
    const refused = await open(bea)
    t.match([refused.statusCode, refused.json().code], [403, 'link_of_another'])
  }
  t.match((await open(bea, asked.confirmation.id)).json(), { code: 'delivery_not_found' })
  await app.jobs.drain()
  t.equal(last().headers.to, 'ada@example.com')
  t.match(last().text, /^Bea opened a link that was sent to you, without the right/)
  t.equal(smtp.mails.filter(({ data }) => /opened a link/.test(simpleParser(data).text)).length, 1)
  t.match(await recorded(`operation=openDelivery&user_id=${bea.id}&outcome=link_of_another`),
    [{ status: 403, target: delivery }, { status: 403, target: delivery }])
  await requireApprovals(app, asked.confirmation.id, { approvals: 2, exclude_requester: false })
  t.equal((await open(bea)).statusCode, 204, 'whoever may see it may have the link from anybody')
  t.match((await decideAs(app, ada, asked, false)).json(), { status: 'rejected' })
})

t.test('a link used by the API: refused, in the record, and whoever was sent it is notified once', async (t) => {
  const asked = await proposeProject(app, ada.headers, 'Straight')
  await work(app)
  const { confirmation: { id } } = asked
  const before = smtp.mails.length
  const notices = async () => {
    await app.jobs.drain()
    return smtp.mails.slice(before).map(({ data }) => simpleParser(data)).map(({ text }) => text.split('\r\n')[0])
  }
  const read = 'Bea opened a link that was sent to you, without the right to what it leads to'
  const decide = 'Bea tried to decide what was sent to you, without the right to it'
  for (const path of ['', '', '/thread', '/steps', '/steps/progress']) {
    const answer = await app.inject({ url: `/api/v1/agent/confirmations/${id}${path}`, headers: bea.headers })
    t.match([answer.statusCode, answer.json().code], [404, 'confirmation_not_found'], path)
  }
  t.same(await notices(), [read])
  t.match(await recorded(`operation=getConfirmation&user_id=${bea.id}`), [{ status: 404, target: id }])
  for (const approved of [true, false]) {
    t.match((await decideAs(app, bea, asked, approved)).json(), { status: 404, code: 'confirmation_not_found' })
  }
  t.same(await notices(), [read, decide])
  t.match(await recorded(`operation=confirm&user_id=${bea.id}&outcome=confirmation_not_found`),
    Array(2).fill({ status: 404 }))
  const missing = { ...asked, confirmation: { ...asked.confirmation, id: asked.run_id } }
  t.match((await decideAs(app, bea, missing, true)).json(), { code: 'confirmation_not_found' })
  t.same(await notices(), [read, decide], 'of what was sent to nobody, nobody hears')
  t.match(await confirmationOf(app, ada, id), { status: 'pending', votes: [] })
  await decideAs(app, ada, asked, false)
})

t.test('who was sent it and has lost the right since makes no attempt, nor does Steward\'s own look', async (t) => {
  const { asked } = await ask('Lost right')
  const before = smtp.mails.length
  await requireApprovals(app, asked.confirmation.id, { approvals: 1, exclude_requester: false })
  t.match((await decideAs(app, bea, asked, true)).json(), { code: 'confirmation_not_found' })
  await work(app)
  t.same(smtp.mails.slice(before).filter(({ data }) => /without the right/.test(data)), [])
  await decideAs(app, ada, asked, false)
})

t.test('admins see what no channel takes any more, and send it again', async (t) => {
  const receiver = await startReceiver(t)
  receiver.state.status = 400
  const hook = { kind: 'webhook', name: 'Down', address: receiver.url, events: ['asked'] }
  const { channel } = (await call(bea.headers, 'POST', '', hook)).json()
  const { asked } = await ask('Lost')
  await app.db.updateTable('channel_delivery')
    .set({ status: 'dead', next_attempt_at: null, last_error: 'It answered 400' })
    .where('channel_id', '=', channel.id).execute()
  const list = (headers: Record<string, string>) => app.inject({ url: '/account/deliveries', headers })
  t.match((await list(bea.headers)).json(), { status: 403, code: 'insufficient_role' })
  const { items } = (await list(asAdmin)).json()
  t.match(items, [{
    state: 'dead',
    event: 'asked',
    person: { id: bea.id, name: 'Bea' },
    channel: { kind: 'webhook', name: 'Down' },
    last_error: 'It answered 400',
    subject_id: asked.confirmation.id
  }])
  t.notMatch(JSON.stringify(items), receiver.url, 'where it should have gone is hers alone')
  const resend = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: `/account/deliveries/${items[0].id}/resend`, headers })
  t.equal((await resend(bea.headers)).statusCode, 403)
  receiver.state.status = 204
  t.equal((await resend(asAdmin)).statusCode, 204)
  await app.jobs.drain()
  t.match(JSON.parse(receiver.got.at(-1)?.body ?? ''), { type: 'approval.asked' })
  t.match((await resend(asAdmin)).json(), { code: 'delivery_not_found' })
  await decideAs(app, bea, asked, false)
})
