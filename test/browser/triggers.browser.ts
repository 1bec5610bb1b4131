import t from '../tap.js'
import { asAdmin } from '../app.js'
import { post, standard } from '../routes/agent/triggers/senders.js'
import {
  call, firstService, say, scriptedQuestion, send, settled, type Made
} from '../routes/agent/triggers/world.js'
import { narrow, seriousFindings, shoot, startClient, visit } from './browser.js'

const steward = await startClient(t)
const { app, url, page, complaints } = steward
const main = page.locator('main')
const dialog = page.getByRole('dialog')
const service = await firstService(app)

/** What a model that was led astray might write. */
const hostile = '<img src=x onerror=alert(1)> [look](javascript:alert(1)) ![it](https://evil.example/x.png)'

const only = async (name: string): Promise<Made> => {
  const { items } = (await send(app, 'GET', '/triggers')).json()
  return items.find((item: { name: string }) => item.name === name)
}

const open = async (name: string, heading = name) => {
  await visit(page, `${url}/#/triggers`, 'Automations')
  await main.getByRole('link', { name, exact: true }).click()
  await main.getByRole('heading', { level: 1, name: heading }).waitFor()
  await main.getByRole('region', { name: 'Runs' }).locator('.skeleton').waitFor({ state: 'detached' })
}

t.test('a cron that cannot be read is refused at its field, and the form keeps what was typed', async (t) => {
  await visit(page, `${url}/#/triggers`, 'Automations')
  await page.getByRole('button', { name: 'New trigger' }).first().click()
  await dialog.getByLabel('Name').fill('Morning look')
  await dialog.getByLabel('Question').fill(scriptedQuestion(steward, [
    call(['getService', { service: service.id }], ['scaleService', { service: service.id, desired_count: 7 }]),
    say('## What I found\n\nThe service `' + service.name + '` is there [call:1.1]. It has 4711 open orders ' +
      '[call:1.1].\n\n- Look at `checkout-db` too.\n\n| name | wants |\n|---|---|\n| `' + service.name + '` | ' +
      `${service.desired_count} | [call:1.1]\n| other | 9999 | [call:1.1]\n\n\`\`\`\n12 lines\n\`\`\`\nThat is all.`)
  ]))
  const repeats = dialog.getByRole('combobox', { name: 'Repeats' })
  t.same([await repeats.inputValue(), await dialog.getByLabel('At', { exact: true }).inputValue()], ['weekdays', '08:00'])
  await shoot(page, 'trigger-schedule')
  await repeats.selectOption('cron')
  await dialog.getByRole('textbox', { name: 'Cron' }).fill('each day at 8')
  await dialog.getByLabel('Time zone').fill('Europe/Berlin')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').waitFor()
  const cron = dialog.getByRole('textbox', { name: 'Cron' })
  t.same([await cron.getAttribute('aria-invalid'), await cron.inputValue()], ['true', 'each day at 8'])
  const described = await cron.getAttribute('aria-describedby')
  t.match(await dialog.locator(`[id="${described}"]`).textContent(), /It needs five fields, and has 4/)
  t.equal(await page.locator(':focus').getAttribute('aria-describedby'), described, 'the wrong field has the focus')
  await shoot(page, 'trigger-refused')
  t.same(await seriousFindings(page), [])
})

t.test('a schedule is made, and shows when it runs next', async (t) => {
  await dialog.getByRole('combobox', { name: 'Repeats' }).selectOption('daily')
  await dialog.getByLabel('At', { exact: true }).fill('08:00')
  await dialog.getByRole('combobox', { name: 'Repeats' }).selectOption('weekdays')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await main.getByRole('region', { name: 'Morning look was created' }).getByText(/It runs next on .* 8:00 AM, Europe\/Berlin/).waitFor()
  t.match(await only('Morning look'), { kind: 'schedule', cron: '0 8 * * 1-5', time_zone: 'Europe/Berlin' })
  await main.getByRole('button', { name: 'Done' }).click()
  t.equal(await main.getByRole('region', { name: 'Morning look was created' }).count(), 0)
})

t.test('it runs now, and its report says which sentences are not in the cited results', async (t) => {
  await open('Morning look')
  await main.getByRole('button', { name: 'Run now' }).click()
  await main.getByRole('region', { name: 'Runs' }).getByRole('cell', { name: 'Morning look' }).first().waitFor()
  await settled(app, (await only('Morning look')).id)
  await main.getByRole('link', { name: 'Report: Morning look' }).click()
  await main.getByText('sentences have numbers or names that are not in the cited results').waitFor()
  const report = main.getByRole('region', { name: 'Report', exact: true })
  // Until what renders Markdown has come, the text stands as it was written.
  await report.locator('mark code').first().waitFor()
  t.same((await report.locator('mark').allTextContents()).map((text) => text.trim()),
    ['It has 4711 open orders.', 'Look at checkout-db too.', '12 lines'])
  t.same((await report.locator('.mark-reason').allTextContents()).map((text) => text.trim()), [
    'Not in the cited results: 4711', 'Not in the cited results: it cites none', 'Not in the cited results: 9999',
    'Not in the cited results: it cites none'
  ])
  await shoot(page, 'report')
  t.same(await seriousFindings(page), [])
})

t.test('a citation opens the stored result, and Escape returns to the citation', async (t) => {
  const citation = main.getByRole('button', { name: 'Open result 1' }).first()
  await citation.focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('Get service').waitFor()
  await dialog.getByText(service.name, { exact: true }).first().waitFor()
  await shoot(page, 'report-cited')
  t.same(await seriousFindings(page), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.equal(await page.locator(':focus').getAttribute('aria-label'), 'Open result 1')
})

t.test('what a run proposes waits in the inbox, and the report shows what became of it', async (t) => {
  const proposals = main.getByRole('region', { name: 'Proposals' })
  await proposals.getByText('waits for you').waitFor()
  const address = page.url()
  await proposals.getByRole('link', { name: 'Decide in Approvals' }).click()
  await main.getByRole('button', { name: 'Reject' }).click()
  await main.locator('.approval .badge', { hasText: 'rejected' }).waitFor()
  await visit(page, address)
  await proposals.getByText('rejected').waitFor()
  t.equal((await firstService(app)).desired_count, service.desired_count)
})

t.test('a webhook shows its address and its secret once, and how its sender is set up', async (t) => {
  await visit(page, `${url}/#/triggers`, 'Automations')
  await page.getByRole('button', { name: 'New trigger' }).click()
  await dialog.getByLabel('Started by').selectOption('webhook')
  await dialog.getByLabel('Sent by').selectOption('sns')
  await dialog.getByLabel('ARN of the topic').waitFor()
  await dialog.getByLabel('Sent by').selectOption('generic')
  await dialog.getByLabel('Name').fill('Disks')
  const turns = [say(`The disk is 97 % full [alert]. ${hostile}`)]
  await dialog.getByLabel('Question').fill(scriptedQuestion(steward, turns))
  await shoot(page, 'trigger-new')
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Create' }).click()
  const made = main.getByRole('region', { name: 'Disks was created' })
  const secret = await made.getByRole('textbox', { name: 'Secret' }).inputValue()
  t.match(secret, /^whsec_/)
  t.match(await made.textContent(), /Standard Webhooks/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await made.getByRole('button', { name: 'Copy: Secret' }).click()
  await made.getByText('Copied', { exact: true }).waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
  await shoot(page, 'trigger-made')
  t.same(await seriousFindings(page), [])

  const { id } = await only('Disks')
  const address = made.getByRole('textbox', { name: 'Address for the events' })
  t.equal(await address.inputValue(), `${url}/api/v1/agent/triggers/${id}/events`)
  const body = JSON.stringify({ id: 'disk-7', title: 'Disk of orders-db', value: 0.97 })
  t.match(await post(app, id, body, standard(secret, body)), { status: 202 })
  await settled(app, id)
  await open('Disks')
  t.notMatch(await page.content(), secret)
  await main.getByRole('link', { name: 'Report: Disk of orders-db' }).click()
  await main.getByText('not resolved').waitFor()
  const written = main.getByRole('region', { name: 'Report', exact: true })
  t.match(await written.textContent(), /<img src=x onerror=alert\(1\)>/, 'as text')
  t.same([await written.locator('img').count(), await written.locator('a[href^="javascript"]').count()], [0, 0])
  await main.getByRole('button', { name: 'Open the alert' }).click()
  t.match(await dialog.locator('pre').textContent(), /"value": 0.97/)
  await page.keyboard.press('Escape')
  const over = JSON.stringify({ id: 'disk-7', status: 'resolved' })
  t.match(await post(app, id, over, standard(secret, over)), { is: 'resolved' })
  await visit(page, page.url(), 'Disk of orders-db')
  await main.getByRole('region', { name: 'Cause' }).getByText('resolved', { exact: true }).waitFor()
})

t.test('another secret is set, and the old one is refused', async (t) => {
  const { id } = await only('Disks')
  await open('Disks')
  await main.getByRole('button', { name: 'New secret' }).click()
  const secret = await dialog.getByRole('textbox', { name: 'New secret' }).inputValue()
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Set' }).click()
  await dialog.waitFor({ state: 'detached' })
  const body = JSON.stringify({ id: 'disk-8', status: 'resolved' })
  t.match(await post(app, id, body, standard(secret, body)), { status: 202 })
})

t.test('it is paused and resumed', async (t) => {
  await open('Morning look')
  await main.getByRole('button', { name: 'Pause' }).click()
  await main.getByText('paused', { exact: true }).waitFor()
  t.match(await only('Morning look'), { enabled: false })
  await main.getByRole('button', { name: 'Resume' }).click()
  await main.getByText('active', { exact: true }).waitFor()
  await shoot(page, 'trigger')
  t.same(await seriousFindings(page), [])
})

t.test('an edit that meets another shows what has changed, and is saved on top of it', async (t) => {
  const { id } = await only('Morning look')
  await open('Morning look')
  await main.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Name').fill('Early look')
  await dialog.getByText('the rights with which you save it').waitFor()
  await send(app, 'PATCH', `/triggers/${id}`, { cron: '0 7 * * *', budget_usd: 2 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  t.same(await dialog.getByRole('status').filter({ hasText: 'changed elsewhere' }).getByRole('listitem')
    .allTextContents(), ['Budget of a run, USD is now: 2', 'Cron is now: 0 7 * * *'])
  t.same([
    await dialog.getByRole('combobox', { name: 'Repeats' }).inputValue(),
    await dialog.getByLabel('At', { exact: true }).inputValue(), await dialog.getByLabel('Name').inputValue()
  ], ['daily', '07:00', 'Early look'])
  await shoot(page, 'trigger-conflict')
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await main.getByRole('heading', { level: 1, name: 'Early look' }).waitFor()
  t.match(await only('Early look'), { cron: '0 7 * * *', budget_usd: 2 })
})

t.test('the lists and the pages are usable in the dark, at full width and in 360 px', async (t) => {
  const { id } = await only('Early look')
  const [report] = (await send(app, 'GET', `/reports?trigger_id=${id}`)).json().items
  await narrow(t, { app, url }, ['triggers', `triggers/${id}`, `triggers/${(await only('Disks')).id}`, 'reports',
    `reports/${report.id}`])
  await visit(page, `${url}/#/reports`, 'Reports')
  await main.getByRole('combobox', { name: 'Trigger' }).selectOption('Disks')
  await main.getByRole('link', { name: 'Early look' }).waitFor({ state: 'detached' })
  await main.getByRole('link', { name: 'Disk of orders-db' }).waitFor()
  t.equal(await main.locator('tbody tr').count(), 1)
})

t.test('it is deleted with its reports, after a confirmation that says so', async (t) => {
  await open('Early look')
  await main.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText('so do its reports').waitFor()
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await main.getByRole('heading', { level: 1, name: 'Automations' }).waitFor()
  await main.getByRole('link', { name: 'Disks' }).waitFor()
  t.equal(await main.getByRole('link', { name: 'Early look' }).count(), 0)
  const sessions = await app.inject({ url: '/api/v1/agent/sessions', headers: asAdmin })
  t.match(sessions.json().items.map(({ title }: { title: string }) => title), ['Disk of orders-db', 'Morning look'])
  t.same(complaints, [])
})
