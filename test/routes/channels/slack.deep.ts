import t from '../../tap.js'
import { insertClick } from '../../../db/channels/clicks.js'
import { isFromSlack } from '../../../routes/channels/lib/send/send-slack.js'
import { startSlackSandbox, type SlackMessage } from 'steward-sandbox/slack'
import { asAdmin, buildApp } from '../../app.js'
import { until } from '../../chat.js'
import {
  confirmationOf, countProjects, decideAs, endOf, makePeople, proposeProject, requireApprovals, type Person,
  type Proposed
} from '../../flows/voting.js'
import { fromRecord } from '../../recorded.js'
import { callerOf, retryNow, work } from './world.js'

const slack = await startSlackSandbox('xoxb-sandbox', 'sandbox-signing-secret')
t.teardown(() => slack.close())
const app = await buildApp(t, {
  SANDBOX: 'off',
  SLACK_BOT_TOKEN: 'xoxb-sandbox',
  SLACK_SIGNING_SECRET: 'sandbox-signing-secret,older-secret',
  SLACK_API_URL: slack.url
})
const [ada, bea, cem] = await makePeople(app, ['Ada', 'Bea', 'Cem']) as [Person, Person, Person]
const call = callerOf(app)

const send = (path: string, signed: { headers: Record<string, string>, payload: string }) =>
  app.inject({ method: 'POST', url: `/slack/${path}`, ...signed })
const say = (user: string, text: string) =>
  send('commands', slack.sign({ command: '/steward', team_id: 'T0SANDBOX', user_id: user, text }))

/** Adds Slack in the settings, and says the code there. */
const link = async (person: Person, user: string): Promise<void> => {
  const added = await call(person.headers, 'POST', '', { kind: 'slack', name: 'Slack', events: ['asked'] })
  const { code } = added.json()
  const answer = await say(user, code)
  if (!/is linked/.test(answer.payload)) throw new Error(answer.payload)
}
await link(ada, 'U0ADA')
await link(bea, 'U0BEA')
await link(cem, 'U0CEM')

const twoOf = { approvals: 2, exclude_requester: true }
/** Ada asks what two others have to approve. */
const askTwo = async (name: string): Promise<Proposed> => {
  const asked = await proposeProject(app, ada.headers, name)
  await requireApprovals(app, asked.confirmation.id, twoOf)
  await work(app)
  return asked
}
const cardOf = (user: string, name: string): SlackMessage => {
  const found = [...slack.messages.values()].filter(({ channel, blocks }) =>
    channel === user.replace(/^U/, 'D') && JSON.stringify(blocks).includes(name))
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} cards`)
  return found[0]
}
const buttonsOf = ({ blocks }: SlackMessage) =>
  blocks.flatMap(({ elements }) => elements ?? []).map(({ action_id: id }) => id)
const press = async (user: string, card: SlackMessage, action: string) => {
  const answer = await send('interactions', slack.sign(slack.click(user, card, action)))
  t.equal(answer.statusCode, 200, answer.payload)
  return until(() => slack.whispers.shift())
}

t.test('the signature is the one of Slack\'s own documentation, for five minutes', async (t) => {
  const body = Buffer.from('token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&' +
    'channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&' +
    'text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F' +
    '96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c')
  const signed = {
    timestamp: '1531420618',
    signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    body
  }
  const secrets = ['8f742231b10e8888abcd99yyyzzz85a5']
  const at = (seconds: number) => new Date((1_531_420_618 + seconds) * 1_000)
  t.ok(isFromSlack(secrets, signed, at(0)))
  t.ok(isFromSlack(secrets, signed, at(300)))
  t.notOk(isFromSlack(secrets, signed, at(301)))
  t.notOk(isFromSlack(secrets, signed, at(-301)))
  t.notOk(isFromSlack(secrets, { ...signed, body: Buffer.concat([body, Buffer.from('&')]) }, at(0)))
  t.notOk(isFromSlack(['another'], signed, at(0)))
})

t.test('a code links once, and a guess does not', async (t) => {
  const { channel, code } = (await call(ada.headers, 'POST', '', { kind: 'slack', name: 'Two', events: [] })).json()
  t.match((await say('U0EVE', 'GUESS')).json(), { text: /not a code/ })
  t.match((await say('U0ADA', code.toLowerCase())).json(), { text: /is linked/ })
  t.match((await say('U0EVE', code)).json(), { text: /not a code/ })
  const { items } = (await call(ada.headers, 'GET')).json()
  t.match(items.find(({ id }: { id: string }) => id === channel.id), { confirmed: true, address: 'T0SANDBOX:U0ADA' })
  await call(ada.headers, 'DELETE', `/${channel.id}`)
})

t.test('a card that cannot show all of a plan has no Approve, says what is missing, and a click approves nothing',
  async (t) => {
    const description = 'x\n'.repeat(450)
    const asked = await proposeProject(app, ada.headers, 'Lengthy', {
      arguments: { name: 'Lengthy', description }
    })
    await requireApprovals(app, asked.confirmation.id, twoOf)
    await work(app)
    const card = cardOf('U0BEA', 'Lengthy')
    t.same(buttonsOf(card), ['open', 'reject'])
    t.match(JSON.stringify(card.blocks), /Open to read and decide/)
    t.match(JSON.stringify(card.blocks), /This card does not show parts of long values\./)
    t.match((await confirmationOf(app, bea, asked.confirmation.id)).not_shown,
      [{ surface: 'slack', missing: ['length'] }])
    const before: SlackMessage =
      JSON.parse(JSON.stringify(card).replace('"action_id":"reject"', '"action_id":"approve"'))
    t.match(await press('U0BEA', before, 'approve'), { text: /Nothing was decided: This was not shown whole/ })
    t.match(await confirmationOf(app, bea, asked.confirmation.id), { status: 'pending', votes: [] })
    t.match((await decideAs(app, bea, asked, true)).json(), { status: 'pending', missing: 1 }, 'on the page it is')
    t.match(await press('U0CEM', cardOf('U0CEM', 'Lengthy'), 'reject'), { text: 'You have rejected it.' })
  })

t.test('two people approve in Slack, it is done once, and every card says so', async (t) => {
  const asked = await askTwo('Harbour')
  const [beas, cems] = [cardOf('U0BEA', 'Harbour'), cardOf('U0CEM', 'Harbour')]
  t.same(buttonsOf(beas), ['approve', 'reject', 'open'])
  t.match(JSON.stringify(beas.blocks), /Ada asks; risk: /)
  t.match(await press('U0BEA', beas, 'approve'), { user: 'U0BEA', text: /Your approval counts; it waits for / })
  await app.jobs.drain()
  t.same(buttonsOf(beas), ['open'], 'who has approved is not asked again')
  t.equal(await countProjects(app, 'Harbour'), 0)
  t.match(await press('U0CEM', cems, 'approve'), { text: 'You have approved it.' })
  t.match(await endOf(app, ada.headers, asked), { status: 'succeeded' })
  t.equal(await countProjects(app, 'Harbour'), 1)
  await work(app)
  for (const card of [beas, cems]) {
    t.same(buttonsOf(card), ['open'])
    t.match(card.text, /^Approved by Cem: /)
  }
  t.match(await confirmationOf(app, ada, asked.confirmation.id), {
    status: 'approved', votes: [{ person: { name: 'Bea' } }, { person: { name: 'Cem' } }]
  })
})

t.test('the first decision wins, wherever it was made; an old card decides nothing and is put right', async (t) => {
  const asked = await askTwo('Pier')
  const [beas, cems] = [cardOf('U0BEA', 'Pier'), cardOf('U0CEM', 'Pier')]
  const old = structuredClone(beas)
  t.equal((await decideAs(app, cem, asked, false)).statusCode, 200)
  t.match(await press('U0BEA', old, 'approve'), { text: /^Nothing was decided: / })
  await app.jobs.drain()
  for (const card of [beas, cems]) t.match(card.text, /^Rejected by Cem: /)
  t.equal(await countProjects(app, 'Pier'), 0)
})

t.test('a plan that is not the one on the card is refused', async (t) => {
  const asked = await askTwo('Quay')
  const card = structuredClone(cardOf('U0BEA', 'Quay'))
  for (const { elements } of card.blocks) {
    for (const element of elements ?? []) {
      element.value = element.value?.replace(/"input_digest":"[^"]*"/, '"input_digest":"another"') ?? ''
    }
  }
  t.match(await press('U0BEA', card, 'approve'), { text: /^Nothing was decided: / })
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { status: 'pending', missing: 2 })
  await decideAs(app, cem, asked, false)
})

t.test('whoever has not the right, or is not linked, is refused, notified and recorded', async (t) => {
  const asked = await askTwo('Mole')
  const card = cardOf('U0BEA', 'Mole')
  t.match(await press('U0ADA', card, 'approve'), { user: 'U0ADA', text: /^Nothing was decided: / }, 'she asked')
  t.match(await press('U0EVE', card, 'approve'), { user: 'U0EVE', text: /not linked/ })
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { status: 'pending', missing: 2 })
  const refused = await fromRecord(app).select('outcome').where('operation', '=', 'confirm')
    .where('user_id', '=', ada.id).execute()
  t.match(refused, [{ outcome: 'needs_other_approver' }])
  await decideAs(app, cem, asked, false)
})

t.test('what is signed has a link to sign, and is not approved by a click that was forged into a card', async (t) => {
  const asked = await askTwo('Grave')
  const unsigned = structuredClone(cardOf('U0BEA', 'Grave'))
  await requireApprovals(app, asked.confirmation.id, { ...twoOf, signed: true })
  t.match(await press('U0BEA', unsigned, 'approve'),
    { text: /^Nothing was decided: It is approved with a passkey: open the card to sign/ })
  await app.jobs.drain()
  const buttons = cardOf('U0BEA', 'Grave').blocks.flatMap(({ elements }) => elements ?? [])
  t.match(buttons, [
    { action_id: 'open', text: { text: 'Open to sign' }, url: new RegExp(`#/inbox/${asked.confirmation.id}$`) },
    { action_id: 'reject' }
  ])
  t.equal(buttons.length, 2)
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { status: 'pending', missing: 2, votes: [] })
  await decideAs(app, cem, asked, false)
})

t.test('a forged, old or repeated request is refused and changes nothing', async (t) => {
  const asked = await askTwo('Jetty')
  const card = cardOf('U0BEA', 'Jetty')
  const form = slack.click('U0BEA', card, 'approve')
  const refusal = { status: 401, code: 'slack_signature_invalid' }
  t.match((await send('interactions', slack.sign(form, Date.now(), 'forged'))).json(), refusal)
  t.match((await send('interactions', slack.sign(form, Date.now() - 301_000))).json(), refusal)
  const { headers: { 'x-slack-signature': _, ...unsigned }, payload } = slack.sign(form)
  t.match((await send('interactions', { headers: unsigned, payload })).json(), refusal)
  t.match((await send('commands', slack.sign({ text: 'x' }, Date.now(), 'forged'))).json(), refusal)
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { missing: 2 })
  const signed = slack.sign(form, Date.now(), 'older-secret')
  t.equal((await send('interactions', signed)).statusCode, 200)
  t.match((await send('interactions', signed)).json(), refusal, 'the same again')
  const notices = [await until(() => slack.whispers.shift()), await until(() => slack.whispers.shift())]
    .toSorted((one, other) => one.text.localeCompare(other.text))
  t.match(notices, [{ user: 'U0BEA', text: /arrived a second time.* refused/ }, { text: /Your approval counts/ }])
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { missing: 1 })
  const url = `/account/audit?user_id=${bea.id}&outcome=slack_signature_invalid`
  const noted = await app.inject({ url, headers: asAdmin })
  t.match(noted.json().items, [{ operation: 'receiveSlackInteraction', status: 401, user_id: bea.id }])
  t.equal(noted.json().items.length, 1, 'what is forged names nobody')
  await decideAs(app, cem, asked, false)
})

t.test('a click that was acknowledged is taken by another process when this one has died', async (t) => {
  const asked = await askTwo('Wharf')
  const card = cardOf('U0BEA', 'Wharf')
  // What is left of a process that acknowledged it and ended: the row, and no job.
  const [action] = card.blocks.flatMap(({ elements }) => elements ?? []).filter(({ action_id: id }) => id === 'approve')
  await insertClick(app.db, app.home.workspace_id, {
    address: 'T0SANDBOX:U0BEA',
    user: 'U0BEA',
    channel: card.channel,
    approved: true,
    value: JSON.parse(action?.value ?? ''),
    origin: { remote_address: '127.0.0.1', request_id: 'of-the-dead' }
  })
  await app.jobs.enqueue(app.db, 'channels.sweep-clicks', {})
  await app.jobs.drain()
  t.match(await until(() => slack.whispers.shift()), { text: /Your approval counts/ })
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { missing: 1 })
  t.same(await app.db.selectFrom('channel_click').select('id').execute(), [])
  await decideAs(app, cem, asked, false)
})

t.test('Slack that is down or limits is asked again; a card that was removed is left alone', async (t) => {
  await work(app)
  slack.failure = 'ratelimited'
  const asked = await askTwo('Dock')
  t.notOk([...slack.messages.values()].some(({ text }) => text.includes('Dock')))
  slack.failure = 'internal_error'
  await retryNow(app)
  slack.failure = undefined
  await retryNow(app)
  const card = cardOf('U0BEA', 'Dock')
  slack.messages.delete(card.ts)
  await decideAs(app, cem, asked, false)
  await work(app)
  await retryNow(app)
  t.match(cardOf('U0CEM', 'Dock').text, /^Rejected by Cem/)
  const left = await app.db.selectFrom('channel_delivery').select('id').where('next_attempt_at', 'is not', null)
    .execute()
  t.same(left, [])
})

t.test('a card whose answer was lost is found again, and there is one', async (t) => {
  await work(app)
  slack.lost = 2
  const asked = await askTwo('Basin')
  t.same([cardOf('U0BEA', 'Basin'), cardOf('U0CEM', 'Basin')].map(buttonsOf),
    [['approve', 'reject', 'open'], ['approve', 'reject', 'open']])
  const since = slack.calls.length
  await retryNow(app)
  const calls = slack.calls.slice(since)
  t.same(calls.toSorted(), [...Array(2).fill('chat.update'), ...Array(2).fill('conversations.history'),
    ...Array(2).fill('conversations.open')])
  await decideAs(app, cem, asked, false)
  await work(app)
  for (const user of ['U0BEA', 'U0CEM']) {
    t.match(cardOf(user, 'Basin').text, /^Rejected by Cem: /)
    t.same(buttonsOf(cardOf(user, 'Basin')), ['open'])
  }
})

t.test('a card is found behind two hundred others; what Slack has refused is not looked for', async (t) => {
  slack.lost = 1
  const asked = await askTwo('Slip')
  const cards = () => [...slack.messages.values()].filter(({ blocks }) => JSON.stringify(blocks).includes('Slip'))
  const [lost] = cards().filter(({ channel }) => channel === 'D0BEA')
  const { channel, ts: _, ...form } = { ...lost, metadata: { event_type: 'steward_card', event_payload: {} } }
  for (let count = 0; count < 450; count++) {
    slack.answer({
      method: 'POST',
      url: '/api/chat.postMessage',
      headers: { authorization: 'Bearer xoxb-sandbox', 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ ...form, channel: 'U0BEA', text: `${count}`, blocks: [] }))
    })
  }
  t.equal(channel?.startsWith('D0'), true)
  await retryNow(app)
  t.equal(cards().length, 2, 'one of each')
  await decideAs(app, cem, asked, false)
  await work(app)
  t.same(cards().map(({ text }) => text.startsWith('Rejected by Cem')), [true, true])
  slack.failure = 'ratelimited'
  const next = await askTwo('Ramp')
  slack.failure = undefined
  const since = slack.calls.length
  await retryNow(app)
  t.same(slack.calls.slice(since), ['chat.postMessage', 'chat.postMessage'])
  await decideAs(app, cem, next, false)
})

t.test('an app that may not look posts again, and says so in the log', async (t) => {
  await work(app)
  slack.scopes.delete('im:history')
  t.teardown(() => slack.scopes.add('im:history'))
  slack.lost = 2
  const asked = await askTwo('Berth')
  await retryNow(app)
  const cards = [...slack.messages.values()].filter(({ blocks }) => JSON.stringify(blocks).includes('Berth'))
  t.equal(cards.length, 4)
  await decideAs(app, cem, asked, false)
  await work(app)
})
