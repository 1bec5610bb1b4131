import t from '../tap.js'
import { until } from '../chat.js'
import { read } from '../flows/asking.js'
import { openWindow, signIn, startClient, visit } from './browser.js'
import { furnish } from './furnished.js'

const steward = await startClient(t)
const { app, url, page } = steward
const { at } = await furnish(t, steward)
const main = page.locator('main')
const phone = { width: 360, height: 740 }

/** Whether the current tab is whole inside of its row. */
const isTabSeen = `(() => {
  const [row, tab] = ['main .tabs', 'main .tabs [aria-current]'].map((one) => document.querySelector(one))
  const [outer, inner] = [row.getBoundingClientRect(), tab.getBoundingClientRect()]
  return inner.left >= outer.left - 1 && inner.right <= outer.right + 1
})()`

t.test('on a phone the current tab is seen whole, also after the phone was turned', async (t) => {
  await page.setViewportSize(phone)
  await visit(page, `${url}/#/${at.content}/publications`)
  t.ok(await page.waitForFunction(isTabSeen))
  await page.setViewportSize({ width: 1280, height: 820 })
  await visit(page, `${url}/#/inbox?view=all`)
  await page.setViewportSize(phone)
  t.ok(await page.waitForFunction(isTabSeen))
})

/** What stands in the heads of requirements over another part of them, and the lines of their titles. */
const heads = `[...document.querySelectorAll('main article > .row')].map((row) => {
  const boxes = [...row.children].map((one) => one.getBoundingClientRect())
  const title = row.querySelector('h3')
  return {
    overlaps: boxes.some((one, index) => boxes.slice(index + 1).some((other) => one.left < other.right - 1 &&
      other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1)),
    lines: Math.round(title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight))
  }
})`

t.test('on a phone the title of a requirement lies beside its marks, not under them', async (t) => {
  await page.setViewportSize(phone)
  await visit(page, `${url}/#/${at.spec}`)
  await main.getByRole('article', { name: 'FR-002' }).waitFor()
  const found = await page.evaluate<{ overlaps: boolean, lines: number }[]>(heads)
  t.equal(found.length, 2)
  t.same(found.filter(({ overlaps, lines }) => overlaps || lines > 2), [])
})

t.test('a line of a log that was written at midnight is of the hour 00, not 24', async (t) => {
  const line = {
    type: 'log', id: '1', timestamp: '2026-01-01T00:00:01.000Z', container: 'web', message: 'Happy new year'
  }
  await page.route('**/services/*/logs?*', (route) => route.fulfill({
    contentType: 'text/event-stream', body: `id: 1\nevent: log\ndata: ${JSON.stringify(line)}\n\n`
  }))
  await visit(page, `${url}/#/${at.service}/logs`)
  await main.getByText('Happy new year').first().waitFor()
  t.match(await main.getByRole('log').first().innerText(), /\b00:00:01\b/)
  await page.unroute('**/services/*/logs?*')
})

t.test('an error that each attempt to read a log meets is one line', async (t) => {
  let attempts = 0
  const error = { type: 'error', code: 'aws_permission_denied', message: 'You may not read it', retryable: true }
  await page.route('**/services/*/logs?*', (route) => {
    attempts++
    return route.fulfill({
      contentType: 'text/event-stream', body: `event: error\ndata: ${JSON.stringify(error)}\n\n`
    })
  })
  await visit(page, `${url}/#/${at.service}/logs`)
  await main.getByText('You may not read it').first().waitFor()
  await until(() => attempts > 2)
  t.equal(await main.getByRole('log').getByText('You may not read it').count(), 1)
  await page.unroute('**/services/*/logs?*')
})

t.test('in German no state, section or outcome is in English', async (t) => {
  const german = await openWindow(t, { locale: 'de-DE' })
  await signIn(german, app, url)
  const words = german.page.locator('main')
  await visit(german.page, `${url}/#/${at.repository}/pulls`)
  await words.getByRole('cell', { name: /^erfolgreich/ }).waitFor()
  await visit(german.page, `${url}/#/${at.spec}/versions`)
  await words.getByText('hinzugefügt', { exact: true }).first().waitFor()
  // What the server says in English is drawn anew once its German has been loaded.
  await words.getByText('What is out of scope').waitFor({ state: 'detached' })
  t.notMatch(await words.innerText(), /sections\.|\badded\b|How will|What is out of scope/)
  await words.getByText('Einstellungen der Spezifikation').waitFor()
  await visit(german.page, `${url}/#/accounts`)
  await words.getByRole('button', { name: 'Berechtigungen testen' }).click()
  await words.getByText(/^\d+ Prüfungen$/).click()
  await words.getByText('erlaubt', { exact: true }).first().waitFor()
  await words.getByText('AWS hat den Versuch aus einem anderen Grund abgelehnt').first().waitFor()
  t.notMatch(await words.innerText(), /\b(allowed|inferred|skipped|denied)\b/)
  t.same(german.complaints, [])
})

t.test('a part of the settings that is not for a person is not opened by its address', async (t) => {
  const { items } = await read(app, '/account/users')
  const { id } = items.find(({ name }: { name: string }) => name === 'Ada')
  const client = await openWindow(t)
  await signIn(client, app, url, id)
  const failed: string[] = []
  client.page.on('response', (response) => { if (response.status() >= 400) failed.push(response.url()) })
  await visit(client.page, `${url}/#/settings/members`)
  await client.page.getByRole('heading', { name: 'New token' }).waitFor()
  t.same(failed, [])
})
