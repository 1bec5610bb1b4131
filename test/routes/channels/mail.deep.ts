import { simpleParser, startSmtpSandbox } from 'steward-sandbox/smtp'
import t from '../../tap.js'
import { buildApp } from '../../app.js'
import { decideAs, makePeople, proposeProject, type Person } from '../../flows/voting.js'
import { callerOf, retryNow, work } from './world.js'

const smtp = await startSmtpSandbox()
t.teardown(() => smtp.close())
const app = await buildApp(t, { SANDBOX: 'off', SMTP_URL: smtp.url, MAIL_FROM: 'steward@example.com' })
const [ada] = await makePeople(app, ['Ada']) as [Person]
const call = callerOf(app)

const last = () => simpleParser(smtp.mails.at(-1)?.data ?? '')
const add = (address: string) =>
  call(ada.headers, 'POST', '', { kind: 'email', name: 'Mail', address, events: ['asked'] })

t.test('nothing is sent to an address before the code that was mailed there is shown', async (t) => {
  const added = (await add('ada@example.com')).json()
  t.match(added, { code: null, secret: null, channel: { confirmed: false, address: 'ada@example.com' } })
  const { id } = added.channel
  t.match(smtp.mails, [{ from: 'steward@example.com', to: ['ada@example.com'] }])
  const code = /: (\w{12})$/.exec(last().headers.subject ?? '')?.[1] ?? ''
  const asked = await proposeProject(app, ada.headers, 'Unconfirmed')
  await work(app)
  t.equal(smtp.mails.length, 1)
  t.match((await call(ada.headers, 'POST', `/${id}/test`)).json(), { code: 'channel_unconfirmed' })
  const wrong = await call(ada.headers, 'POST', `/${id}/confirm`, { code: 'WRONG' })
  t.match(wrong.json(), { status: 422, code: 'channel_code_invalid' })
  t.match((await call(ada.headers, 'POST', `/${id}/confirm`, { code })).json(), { id, confirmed: true })
  await decideAs(app, ada, asked, false)
  await call(ada.headers, 'DELETE', `/${id}`)
})

t.test('five wrong codes are enough', async (t) => {
  const { channel: { id } } = (await add('ada@example.com')).json()
  const code = /: (\w{12})$/.exec(last().headers.subject ?? '')?.[1] ?? ''
  for (let i = 0; i < 5; i++) await call(ada.headers, 'POST', `/${id}/confirm`, { code: `WRONG${i}` })
  t.match((await call(ada.headers, 'POST', `/${id}/confirm`, { code })).json(), { code: 'channel_code_invalid' })
  await call(ada.headers, 'DELETE', `/${id}`)
})

/** A channel whose address is confirmed. */
const confirmed = async (): Promise<string> => {
  const { channel: { id } } = (await add('ada@example.com')).json()
  const code = /: (\w{12})$/.exec(last().headers.subject ?? '')?.[1] ?? ''
  await call(ada.headers, 'POST', `/${id}/confirm`, { code })
  return id
}

t.test('a mail says what is asked as text and HTML, and leads to the page', async (t) => {
  const id = await confirmed()
  const asked = await proposeProject(app, ada.headers, 'A "quoted" <b>name</b> & more')
  await work(app)
  const { headers, text, html } = last()
  t.match(headers.subject, /^Approval asked: /)
  t.equal(headers.to, 'ada@example.com')
  t.equal(headers['auto-submitted'], 'auto-generated')
  t.match(headers['message-id'], /^<[\w-]+_pending@example\.com>$/)
  t.match(text, `/#/inbox/${asked.confirmation.id}`)
  t.match(text, 'decide nothing')
  t.match(html, `/#/inbox/${asked.confirmation.id}?from=`)
  t.notMatch(html, '<b>')
  t.match(html, '&lt;b&gt;name&lt;/b&gt; &amp; more')
  const count = smtp.mails.length
  await decideAs(app, ada, asked, false)
  await work(app)
  t.equal(smtp.mails.length, count, 'how it ended is on the page')
  await call(ada.headers, 'DELETE', `/${id}`)
})

t.test('a title makes no second header, and an address no second recipient', async (t) => {
  const id = await confirmed()
  await app.db.insertInto('channel_delivery').values({
    workspace_id: app.home.workspace_id,
    id: '01900000-0000-7000-8000-0000000000aa',
    channel_id: id,
    user_id: ada.id,
    event: 'run_ended',
    subject_id: '01900000-0000-7000-8000-0000000000ab',
    facts: JSON.stringify({ title: 'Ended\r\nBcc: eve@example.com\r\n\r\nHello', detail: '.\r\nQUIT' }),
    wanted: 'completed',
    next_attempt_at: new Date(0)
  }).execute()
  const before = smtp.mails.length
  await retryNow(app)
  t.equal(smtp.mails.length, before + 1)
  t.same(smtp.mails.at(-1)?.to, ['ada@example.com'])
  t.equal(last().headers.subject, 'Ended Bcc: eve@example.com Hello')
  t.equal(last().headers.bcc, undefined)
  for (const address of ['a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', '<a@example.com>',
    '"a b"@example.com', 'group: a@example.com;', '@example.com']) {
    t.match((await add(address)).json(), { code: 'channel_invalid', errors: [{ pointer: '/address' }] }, address)
  }
  await call(ada.headers, 'DELETE', `/${id}`)
})

t.test('a server of mail that is busy, silent or gone is asked again, and one that refuses is believed', async (t) => {
  const id = await confirmed()
  const asked = await proposeProject(app, ada.headers, 'Busy')
  const before = smtp.mails.length
  for (const manner of ['busy', 'cut'] as const) {
    smtp.manner = manner
    await (manner === 'busy' ? work(app) : retryNow(app))
    t.equal(smtp.mails.length, before, manner)
  }
  smtp.manner = 'take'
  await retryNow(app)
  t.equal(smtp.mails.length, before + 1)
  smtp.manner = 'refuse'
  const other = await proposeProject(app, ada.headers, 'Refused')
  await work(app)
  for (let round = 0; round < 3; round++) await retryNow(app)
  smtp.manner = 'take'
  t.match((await call(ada.headers, 'GET', `/${id}/deliveries?state=dead`)).json().items,
    [{ state: 'dead', attempts: 3, last_error: /550/ }])
  for (const one of [asked, other]) await decideAs(app, ada, one, false)
  await call(ada.headers, 'DELETE', `/${id}`)
})
