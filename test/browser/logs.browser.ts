import t from '../tap.js'
import { asAdmin } from '../app.js'
import { read, serviceId } from '../flows/asking.js'
import {
  hasFocus, judgeDark, narrow, openWindow, seriousFindings, shoot, signIn, startClient, visit
} from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const web = await serviceId(app, 'web')
const { items } = await read(app, '/infrastructure/serverless/functions')
const echo: string = items.find(({ name }: { name: string }) => name === 'echo').id
const invoke = async (payload: object) => {
  const path = `/infrastructure/serverless/functions/${encodeURIComponent(echo)}/invoke`
  const answer = await app.inject({ method: 'POST', url: path, headers: asAdmin, payload: { payload } })
  t.equal(answer.statusCode, 200, answer.payload)
}
const both = `services=${encodeURIComponent(web)}&functions=${encodeURIComponent(echo)}`
const line = main.locator('.log-line')
const live = main.getByRole('checkbox', { name: 'Live' })
const field = main.getByRole('combobox', { name: 'Add a service or function' })
const chosen = main.getByRole('list', { name: 'Services and functions shown' })

await invoke({ hello: 'before' })

t.test('one after the other is chosen, and their lines stand together; the address holds the choice', async (t) => {
  await visit(page, `${url}/#/logs`, 'Logs')
  await main.getByText('Choose a service or function').waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'logs-none')
  await field.fill('web')
  await page.getByRole('option').filter({ hasText: /^webprod · / }).click()
  await line.first().waitFor()
  t.match(decodeURIComponent(page.url()), `services=${web}`)
  t.ok(await hasFocus(page, 'Add a service or function'), 'the next one is chosen at once')
  t.equal(await field.inputValue(), '')
  await field.fill('echo')
  await page.getByRole('option', { name: /^echo/ }).waitFor()
  await field.press('ArrowDown')
  await field.press('Enter')
  await line.locator('.log-tag', { hasText: /^echo$/ }).first().waitFor()
  await line.locator('.log-tag', { hasText: /^web\// }).first().waitFor()
  const times = await line.locator('time').evaluateAll((all) => all.map((each) => each.getAttribute('datetime') ?? ''))
  t.same(times, times.toSorted(), 'in the order of time')
  t.match(decodeURIComponent(page.url()), `functions=${echo}`)
  t.same(await seriousFindings(page), [])
  await shoot(page, 'logs-both')
  await page.reload()
  await chosen.getByRole('link', { name: 'echo' }).waitFor()
  t.same(await chosen.getByRole('link').allTextContents(), ['web', 'echo'])
  await line.locator('.log-tag', { hasText: /^echo$/ }).first().waitFor()
  await chosen.getByRole('button', { name: 'Remove web' }).click()
  await chosen.getByRole('link', { name: 'web' }).waitFor({ state: 'detached' })
  t.notMatch(page.url(), 'services=')
  await line.filter({ hasText: 'before' }).first().waitFor()
})

t.test('while it is live, lines come by themselves; fixed, the time stays as it was read', async (t) => {
  await visit(page, `${url}/#/logs?functions=${encodeURIComponent(echo)}`, 'Logs')
  await main.getByText('live', { exact: true }).waitFor()
  const polled = page.waitForResponse((answer) => answer.url().includes('cursor='))
  await invoke({ hello: 'meanwhile' })
  await polled
  await line.filter({ hasText: 'meanwhile' }).first().waitFor()
  await live.uncheck()
  await main.getByText('complete', { exact: true }).waitFor()
  t.match(page.url(), /live=off/)
  t.same(await seriousFindings(page), [])
})

t.test('lines are filtered by words, which are in the address', async (t) => {
  await visit(page, `${url}/#/logs?${both}&live=off`, 'Logs')
  await line.first().waitFor()
  await main.getByRole('searchbox', { name: 'Only lines with' }).fill('meanwhile')
  await page.keyboard.press('Enter')
  await line.locator('.log-tag', { hasText: /^web\// }).first().waitFor({ state: 'detached' })
  await line.filter({ hasText: 'meanwhile' }).first().waitFor()
  t.match(page.url(), /filter=meanwhile/)
  await main.getByRole('searchbox', { name: 'Only lines with' }).fill('nolinehasthis')
  await page.keyboard.press('Enter')
  await main.getByText('Nothing was logged in this time.').waitFor()
})

t.test('a time of one\'s own is from one moment to another, and not live', async (t) => {
  await visit(page, `${url}/#/logs?functions=${encodeURIComponent(echo)}`, 'Logs')
  await line.first().waitFor()
  const asked = page.waitForRequest((request) => request.url().includes('until='))
  await main.getByRole('combobox', { name: 'Time' }).selectOption({ label: 'From … until …' })
  await asked
  t.ok(await live.isDisabled())
  t.match(page.url(), /since=\d{4}-/)
  t.match(page.url(), /until=\d{4}-/)
  await main.getByRole('textbox', { name: 'Until' }).fill('2026-01-01T00:00')
  await main.getByText('The log of echo could not be read').waitFor()
  await main.getByText('No lines were read, but not every log could be read.').waitFor()
  await main.getByRole('textbox', { name: 'From' }).fill('2025-12-31T00:00')
  await main.getByText('Nothing was logged in this time.').waitFor()
  t.match(page.url(), /since=2025-12-3\dT/)
  await shoot(page, 'logs-own')
  t.same(await seriousFindings(page), [])
  await main.getByRole('combobox', { name: 'Time' }).selectOption({ label: 'Last hour' })
  await line.first().waitFor()
  t.match(page.url(), /since=1h$/)
})

t.test('a log that cannot be read is named, and the other is there', async (t) => {
  const logs = '**/services/*/logs?*'
  const body = { type: 'about:blank', title: 'Error', status: 403, code: 'aws_permission_denied', detail: 'No logs' }
  await page.route(logs, (route) => route.fulfill({
    status: 403, contentType: 'application/problem+json', body: JSON.stringify(body)
  }))
  await visit(page, `${url}/#/logs?${both}`, 'Logs')
  const alert = main.getByRole('alert')
  await alert.getByText('The log of web could not be read').waitFor()
  await line.locator('.log-tag', { hasText: /^echo$/ }).first().waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'logs-unread')
  await page.unroute(logs)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.waitFor({ state: 'detached' })
  await line.locator('.log-tag', { hasText: /^web\// }).first().waitFor()
})

t.test('older lines of the time are read when a person wants them', async (t) => {
  await visit(page, `${url}/#/logs?services=${encodeURIComponent(web)}&since=7d&live=off`, 'Logs')
  await line.first().waitFor()
  const before = await line.count()
  await main.getByText('There are older lines in this time.').waitFor()
  await main.getByRole('button', { name: 'More' }).click()
  await line.nth(before).waitFor()
  t.ok(await line.count() > before)
})

t.test('a service leads to its log, with the words that were filtered for', async (t) => {
  await visit(page, `${url}/#/services/${encodeURIComponent(web)}/logs?filter=GET`, 'web')
  await main.getByRole('link', { name: 'Open in Logs' }).click()
  await main.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
  await chosen.getByRole('link', { name: 'web' }).waitFor()
  t.same(await chosen.getByRole('link').allTextContents(), ['web'])
  t.equal(await main.getByRole('searchbox', { name: 'Only lines with' }).inputValue(), 'GET')
  await chosen.getByRole('link', { name: 'web' }).click()
  await main.getByRole('heading', { level: 1, name: 'web' }).waitFor()
})

t.test('logs fit a phone, in the dark', async (t) => {
  await narrow(t, { app, url }, [`logs?${both}`])
  const phone = await openWindow(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await signIn(phone, app, url)
  await visit(phone.page, `${url}/#/logs?${both}`, 'Logs')
  await phone.page.locator('.log-line').first().waitFor()
  await judgeDark(t, phone.page, 'logs')
  await shoot(phone.page, 'logs-small-dark')
  t.same(phone.complaints, [])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
