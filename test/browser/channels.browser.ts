import t from '../tap.js'
import { asAdmin } from '../app.js'
import { until } from '../chat.js'
import { startPushSandbox } from 'steward-sandbox/push'
import { countProjects, decideAs, endOf, proposeProject } from '../flows/voting.js'
import { retryNow, startReceiver, work } from '../routes/channels/world.js'
import { listen, narrow, seriousFindings, shoot, startClient, visit } from './browser.js'

const steward = await startClient(t, { OUTBOUND_ALLOW: '127.0.0.1' })
const { app, url, page, complaints } = steward
const main = page.locator('main')
const slack = await page.context().newPage()
const slackComplaints = listen(slack)
const card = (name: string) => main.getByRole('region', { name: `Channel ${name}` })

t.test('Slack of the sandbox is added and linked by its code', async (t) => {
  await visit(page, `${url}/#/settings/channels`, 'Settings')
  await main.getByText('No notification channels').waitFor()
  t.same(await seriousFindings(page), [])
  t.equal(await main.getByRole('combobox', { name: 'Kind' }).inputValue(), 'slack')
  await main.getByRole('textbox', { name: 'Name' }).fill('Chat')
  await page.keyboard.press('Enter')
  const command = await main.locator('pre.block').textContent() ?? ''
  t.match(command, /^\/steward \w{12}$/)
  await card('Chat').getByText('unconfirmed').waitFor()
  t.same(await seriousFindings(page), [])
  const link = card('Chat').getByRole('link', { name: 'Open Slack of the sandbox' })
  await slack.goto(await link.getAttribute('href') ?? '')
  await slack.getByRole('textbox', { name: 'Message to Steward' }).fill(command)
  await slack.keyboard.press('Enter')
  await slack.getByText('This Slack account is linked').waitFor()
  await card('Chat').getByText('on', { exact: true }).waitFor()
  await card('Chat').getByRole('button', { name: 'Send a test to Chat' }).press('Enter')
  await card('Chat').getByText('The test was delivered.').waitFor()
  await slack.getByRole('heading', { name: 'This is a test of Steward' }).waitFor()
  await shoot(page, 'channels')
})

t.test('a card arrives without an account anywhere, and its button decides', async (t) => {
  const asked = await proposeProject(app, asAdmin, 'Harbour')
  await work(app)
  const there = slack.locator('article').filter({ hasText: 'Harbour' })
  await there.getByRole('button', { name: 'Approve' }).waitFor()
  t.same(await seriousFindings(slack), [])
  await shoot(slack, 'sandbox-slack')
  const [opened] = await Promise.all([
    slack.waitForEvent('framenavigated', (frame) => frame.url().includes('/#/inbox/')),
    there.getByRole('link', { name: 'Open' }).click()
  ])
  t.match(opened.url(), `/#/inbox/${asked.confirmation.id}`)
  await slack.getByRole('heading', { level: 1 }).waitFor()
  await slack.getByText('Harbour').first().waitFor()
  await slack.goBack()
  await there.getByRole('button', { name: 'Approve' }).press('Enter')
  t.match(await endOf(app, asAdmin, asked), { status: 'succeeded' })
  t.equal(await countProjects(app, 'Harbour'), 1)
  await work(app)
  await slack.getByRole('heading', { name: /^Approved by Administrator: / }).waitFor()
  t.same(slackComplaints, [])
})

t.test('what a channel hears, and when not, is set by the keyboard', async (t) => {
  await card('Chat').getByRole('button', { name: 'Events: Chat' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Events for Chat' })
  await dialog.getByRole('checkbox', { name: /run of mine ended/ }).press('Space')
  await dialog.getByRole('checkbox', { name: /^Quiet hours/ }).press('Space')
  await dialog.getByLabel('From').fill('23:00')
  await dialog.getByRole('textbox', { name: 'Time zone' }).fill('Mars/Base')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').filter({ hasText: 'There is no such time zone' }).waitFor()
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('textbox', { name: 'Time zone' }).fill('Europe/Madrid')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await card('Chat').getByText('quiet from 23:00 to 07:00, Europe/Madrid').waitFor()
  const { items } = (await app.inject({ url: '/account/channels', headers: asAdmin })).json()
  t.same(items[0].events.toSorted(), ['asked', 'budget_low', 'deployment_failed', 'review'])
})

t.test('this browser is added, and shows what is pushed to it', async (t) => {
  const push = await startPushSandbox()
  t.teardown(() => push.close())
  const { push_key: key } = (await app.inject({ url: '/account/channels', headers: asAdmin })).json()
  const made = JSON.stringify(push.subscribe(key))
  // Its maker's service is not asked from a test: the sandbox takes its place.
  await page.addInitScript({ content: `PushManager.prototype.subscribe = async () => ({ toJSON: () => (${made}) })` })
  await page.context().grantPermissions(['notifications'], { origin: url })
  await visit(page, `${url}/#/settings/channels`, 'Settings')
  await main.getByRole('combobox', { name: 'Kind' }).selectOption('This browser')
  await main.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await page.keyboard.press('Enter')
  await card('Laptop').getByText('on', { exact: true }).waitFor()
  await card('Laptop').getByRole('button', { name: 'Send a test to Laptop' }).press('Enter')
  await card('Laptop').getByText('The test was delivered.').waitFor()
  const { text: data = '' } = push.messages.at(-1) ?? {}
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => {
      if (one) resolve(one.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  // What is pushed to a worker that still begins is dropped.
  await until(() => page.evaluate<boolean>(
    "navigator.serviceWorker.ready.then((one) => one.active.state === 'activated')"))
  await page.evaluate(`void (globalThis.heard = new Promise((resolve) => {
    globalThis.pages = new BroadcastChannel('steward-sessions')
    pages.onmessage = ({ data }) => resolve(data)
  }))`)
  await session.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId: await registered, data })
  t.equal(await page.evaluate('globalThis.heard'), '', 'pages that are open read again what they show')
  const shown = () => page.evaluate(`navigator.serviceWorker.ready.then((one) => one.getNotifications())
    .then((all) => all.map(({ title, data }) => [title, data.url]))`)
  await until(async () => (await shown() as unknown[]).length > 0)
  t.same(await shown(), [['This is a test of Steward', `${url}/#/settings/channels`]])
})

t.test('what was given up is seen, and sent again', async (t) => {
  const receiver = await startReceiver(t)
  receiver.state.status = 422
  await main.getByRole('combobox', { name: 'Kind' }).selectOption('Signed webhook')
  await main.getByRole('textbox', { name: 'Name' }).fill('Pager')
  await main.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await page.keyboard.press('Enter')
  t.match(await main.locator('pre.block').textContent(), /^whsec_/)
  await card('Pager').waitFor()
  const asked = await proposeProject(app, asAdmin, 'Dead')
  await work(app)
  for (let round = 0; round < 3; round++) await retryNow(app)
  await visit(page, `${url}/#/settings/channels`, 'Settings')
  const dead = main.getByRole('region', { name: 'Not delivered to Pager' })
  await dead.getByText('It answered 422').waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'channels-dead')
  receiver.state.status = 204
  await dead.getByRole('button', { name: /^Send again/ }).press('Enter')
  await dead.waitFor({ state: 'detached' })
  await app.jobs.drain()
  t.equal(receiver.got.at(-1)?.status, 204)
  await narrow(t, { app, url }, ['settings/channels'])
  await card('Pager').getByRole('button', { name: 'Remove Pager' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
  await card('Pager').waitFor({ state: 'detached' })
  await decideAs(app, { headers: asAdmin }, asked, false)
  t.same(complaints, [])
})
