import { readFileSync } from 'node:fs'
import t from '../tap.js'
import { asAdmin } from '../app.js'
import { steer } from '../routes/infrastructure/sandbox.js'
import { choose, narrow, openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const today = new Date().toISOString().slice(0, 10)
const report = async (query: string) =>
  (await app.inject({ url: `/cloud/costs?${query}`, headers: asAdmin })).json()
const table = (name: string) => main.getByRole('region', { name })
const rowOf = (name: string) => table('By service').getByRole('row').filter({ hasText: name })
const colorOf = (name: string) => rowOf(name).locator('.swatch').getAttribute('style')
const open = async (query = '') => {
  await visit(page, `${url}/#/costs${query}`, 'Costs')
  await main.locator('.figures').waitFor()
}
const tag = main.getByRole('combobox', { name: 'Tag', exact: true })
const keys = main.getByRole('listbox', { name: 'Tag' })
const ecs = 'Amazon Elastic Container Service'

t.test('what is charged on single days stands apart from what recurs', async (t) => {
  await open('?days=90')
  const single = table('Charged on single days')
  await single.getByRole('row').filter({ hasText: 'Tax' }).waitFor()
  t.equal(await rowOf('Tax').count(), 0)
  t.equal(await single.getByRole('row').filter({ hasText: ecs }).count(), 0, 'also with its daily credit')
  await rowOf(ecs).waitFor()
  t.same(await seriousFindings(page), [])
})

t.test('a service keeps its color in every range and with every filter', async (t) => {
  await open('?days=90')
  const name = 'AmazonCloudWatch'
  const color = await colorOf(name)
  t.match(color, /background/)
  for (const days of ['14', 'month', '30']) {
    await main.getByRole('combobox', { name: 'Days' }).selectOption(days)
    await rowOf(name).waitFor()
    t.equal(await colorOf(name), color, days)
  }
  await open('?tag=env&value=(untagged)')
  await rowOf(name).waitFor()
  t.equal(await colorOf(name), color, 'with the filter of a tag')
})

t.test('days that are over are compared with as many before', async () => {
  await open('?days=14')
  const start = new Date(Date.parse(today) - 28 * 86_400_000).toISOString().slice(0, 10)
  const end = new Date(Date.parse(today) - 15 * 86_400_000).toISOString().slice(0, 10)
  const before = await report(`start_date=${start}&end_date=${end}&group_by=SERVICE,RECORD_TYPE`)
  const sum = before.by_group.filter(({ keys }: { keys: string[] }) => keys[0] === 'AmazonCloudWatch')
    .reduce((total: number, { amount }: { amount: string }) => total + Number(amount), 0)
  await rowOf('AmazonCloudWatch').getByText(`$${sum.toFixed(2)}`, { exact: true }).waitFor()
  await main.locator('.figures').getByText(/% against \$/).waitFor()
})

t.test('a button explains the difference, and its sums are those of the API', async (t) => {
  await open('?days=last_month')
  const part = table('Why did it change?')
  await part.getByRole('button', { name: 'Explain the change' }).click()
  const end = new Date(Date.parse(`${today.slice(0, 8)}01`) - 86_400_000).toISOString().slice(0, 10)
  const { now, changes } = (await app.inject({
    url: `/cloud/costs/changes?start_date=${end.slice(0, 8)}01&end_date=${end}`, headers: asAdmin
  })).json()
  t.same([now.start_date, now.end_date], [`${end.slice(0, 8)}01`, end])
  const [{ services: [first], now: sum }] = changes
  await part.getByRole('row').filter({ hasText: first.service }).waitFor()
  await part.getByText(new RegExp(`\\$${Number(sum).toLocaleString('en', { maximumFractionDigits: 2 })}`)).first().waitFor()
  t.same(await seriousFindings(page), [])
})

t.test('a service leads to what it is made of, and Back leads back', async (t) => {
  await open()
  await rowOf(ecs).getByRole('link').click()
  await table('By usage').getByText('EU-Fargate-GB-Hours').waitFor()
  t.match(page.url(), /service=Amazon\+Elastic/)
  t.equal(await main.getByRole('combobox', { name: 'Service' }).inputValue(), ecs)
  await main.getByText('AWS forecasts whole accounts').waitFor()
  await page.goBack()
  await rowOf(ecs).waitFor()
  await main.getByText(/remains/).waitFor()
})

t.test('a tag shows what each of its values costs, and a value its services', async (t) => {
  await open()
  await tag.focus()
  await page.keyboard.press('ArrowDown')
  await keys.getByRole('option').nth(1).waitFor()
  t.same(await keys.getByRole('option').allTextContents(), ['env', 'team'])
  await shoot(page, 'costs-tags')
  t.same(await seriousFindings(page), [])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  t.match(page.url(), /tag=team/)
  await table('By team').getByRole('link', { name: 'orders' }).click()
  await rowOf('Amazon Simple Queue Service').waitFor()
  t.equal(await rowOf('AmazonCloudWatch').count(), 0, 'it has no such tag')
  await shoot(page, 'costs-tag')
  t.same(await seriousFindings(page), [])
})

t.test('a key is found by a part of it, for one paid request; emptying the field shows all again', async (t) => {
  const asked = await steer(app).calls('GetTags')
  await open('?days=14&tag=team')
  await tag.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('EN')
  await keys.getByRole('option', { name: 'env' }).waitFor()
  t.same(await keys.getByRole('option').allTextContents(), ['env'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await table('By env').waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('owner')
  await main.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  t.equal(await keys.count(), 0)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Tab')
  await rowOf(ecs).waitFor()
  t.notMatch(page.url(), /tag=/)
  t.equal(await steer(app).calls('GetTags'), asked, 'what was paid for is kept')
})

t.test('where AWS does not list the keys, one may be typed, and typing does not ask it again', async (t) => {
  await app.db.deleteFrom('cloud_cost').where('key', 'like', 'tags%').execute()
  await steer(app).deny('ce:GetTags')
  const asked = await steer(app).calls('GetTags')
  await open('?days=14')
  await tag.click()
  await main.getByRole('alert').getByText(/ce:GetTags/).first().waitFor()
  await page.keyboard.type('tea')
  await keys.getByRole('option', { name: 'tea', exact: true }).waitFor()
  await page.keyboard.type('m')
  await keys.getByRole('option', { name: 'team', exact: true }).waitFor()
  t.equal(await steer(app).calls('GetTags'), asked + 1)
  await shoot(page, 'costs-tags-denied')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await table('By team').waitFor()
  await steer(app).deny()
  await open('?days=14')
  await tag.click()
  await keys.getByRole('option', { name: 'env' }).waitFor()
})

t.test('after a failure the keys are asked for again, by the keyboard as well as by a click', async (t) => {
  for (const isClicked of [true, false]) {
    await app.db.deleteFrom('cloud_cost').where('key', 'like', 'tags%').execute()
    await steer(app).deny('ce:GetTags')
    await open('?days=14')
    await page.reload()
    await main.locator('.figures').waitFor()
    await tag.click()
    const again = main.getByRole('alert').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await steer(app).deny()
    if (isClicked) await again.click()
    else {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
    }
    await keys.getByRole('option', { name: 'env' }).waitFor()
    t.ok(await tag.evaluate((field) => field === field.ownerDocument.activeElement), 'the focus is in the field')
    await page.keyboard.press('Tab')
    t.equal(await keys.count(), 0, 'which closes when it is left')
  }
})

t.test('the forecast says what was spent, what remains, and the sum of both', async () => {
  await open('?days=14')
  const month = await report(`start_date=${today.slice(0, 8)}01&group_by=SERVICE,RECORD_TYPE&forecast=true`)
  const spent = month.periods.filter(({ start }: { start: string }) => start < today)
    .reduce((sum: number, { totals }: { totals: { amount: string }[] }) => sum + Number(totals[0]?.amount ?? 0), 0)
  const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  const figures = main.locator('.figures')
  await figures.getByText(`${money.format(Number(month.forecast.mean.amount))} remains`).waitFor()
  await figures.getByText(`${money.format(spent)} until yesterday`).waitFor()
  await figures.getByText(money.format(spent + Number(month.forecast.mean.amount)), { exact: true }).waitFor()
})

t.test('what is shown is saved as CSV, whose names cannot run as formulas', async (t) => {
  const evil = '=HYPERLINK("http://x.invalid")'
  await page.route('**/cloud/costs?*', async (route) => {
    const answer = await route.fetch()
    const text = await answer.text()
    await route.fulfill({ response: answer, body: text.replaceAll('"AmazonCloudWatch"', JSON.stringify(evil)) })
  })
  await open('?days=14')
  await rowOf('HYPERLINK').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'), main.getByRole('button', { name: 'Save as CSV' }).click()
  ])
  const [head, ...lines] = readFileSync(await file.path(), 'utf8').trim().split('\r\n')
  t.equal(head, 'day,name,charged,amount,currency')
  t.match(file.suggestedFilename(), /^costs-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)
  const quoted = '"\'=HYPERLINK(""http://x.invalid"")"'
  t.equal(lines.filter((line) => line.includes(quoted)).length, 14)
  t.ok(lines.every((line) => /^\d{4}-\d\d-\d\d,".*",(daily|once),-?\d+(\.\d+)?,USD$/.test(line)))
  await page.unroute('**/cloud/costs?*')
})

t.test('with a second account, costs are filtered by account', async (t) => {
  const role = 'arn:aws:iam::210987654321:role/StewardAccess'
  await steer(app).call('PUT', '/roles', { role_arn: role, external_id: 'other' })
  const made = await app.inject({
    method: 'POST',
    url: '/cloud/accounts',
    headers: asAdmin,
    payload: { name: 'Data', regions: ['eu-west-1'], auth: { type: 'assume_role', role_arn: role } }
  })
  const { external_id: own } = made.json().auth
  await steer(app).call('PUT', '/roles', { role_arn: role, external_id: own })
  await open()
  await choose(main.getByRole('combobox', { name: 'Account' }), 'Data')
  await rowOf('Amazon Athena').waitFor()
  t.equal(await rowOf('AmazonCloudWatch').count(), 0)
  await main.getByText('Insufficient amount of historical data').waitFor()
})

t.test('costs fit every width, in both themes', async (t) => {
  await narrow(t, { app, url }, ['costs?days=90'])
  for (const width of [360, 768, 1280]) {
    const client = await openWindow(t, { viewport: { width, height: 1200 }, colorScheme: 'light' })
    await signIn(client, app, url)
    await visit(client.page, `${url}/#/costs?days=90`, 'Costs')
    await client.page.locator('.figures').waitFor()
    t.equal(await client.page.evaluate('document.documentElement.scrollWidth'), width)
    await shoot(client.page, `costs-${width}`)
  }
})

t.test('nothing that the page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
