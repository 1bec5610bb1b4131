import t from '../tap.js'
import type { AddressInfo } from 'node:net'
import { buildApp } from '../app.js'
import { starts } from 'steward-sandbox/anthropic'
import { openWindow, sendMessage, seriousFindings, shoot, signIn } from './browser.js'

const app = await buildApp(t, { SANDBOX: 'auto' })
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
const client = await openWindow(t)
const url = `http://127.0.0.1:${port}`
await signIn(client, app, url)
const { page, complaints } = client
const offers = () => page.getByRole('group', { name: 'Suggested replies' }).getByRole('button')
const finished = () => page.getByText('The assistant is done').waitFor({ state: 'attached' })

t.test('a new chat offers, word for word, what begins a conversation without a model; its head says so', async (t) => {
  const begins = page.locator('.welcome .examples button')
  await begins.first().waitFor()
  t.same(await begins.allTextContents(), Object.values(starts).map(({ en }) => en))
  const german = await openWindow(t, { locale: 'de-DE' })
  await signIn(german, app, url)
  await german.page.getByRole('button', { name: starts.health.de }).waitFor()
  t.same(await german.page.locator('.welcome .examples button').allTextContents(),
    Object.values(starts).map(({ de }) => de))
  await page.locator('.thread-head').getByText('Guided, no model.').waitFor()
  t.equal(await page.locator('.thread-head').getByRole('link', { name: 'Connect a model' }).getAttribute('href'),
    '#/settings/model')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'guided')
})

t.test('an answer is continued by its buttons, and leads to the page of what it names', async (t) => {
  await page.getByRole('button', { name: 'Is everything healthy?' }).click()
  const why = offers().filter({ hasText: /^Why is .* unhealthy\?$/ })
  await why.waitFor()
  t.same(await seriousFindings(page), [])
  await why.click()
  const link = page.getByRole('link', { name: 'Open the service' })
  await link.waitFor()
  t.match(await link.getAttribute('href'), /^#\/services\//)
  t.equal(await link.getAttribute('target'), null)
  t.equal(await page.getByRole('group', { name: 'Suggested replies' }).count(), 1, 'only the last answer has buttons')
  await finished()
  await link.click()
  await page.waitForURL(/#\/services\//)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goBack()
})

t.test('what is none of the buttons gets one line, the buttons and the way to a model', async (t) => {
  await sendMessage(page, 'remind me tomorrow')
  await page.getByText('No model is connected, so I can only do the following.').waitFor()
  await finished()
  t.equal(await offers().count(), 8)
  await page.locator('.entry.text').last().getByRole('link', { name: 'connect a model' }).waitFor()
})

t.test('a card of a guided conversation takes changes', async (t) => {
  await page.getByText('Try it', { exact: true }).click()
  await page.locator('.try-it').getByRole('button', { name: 'Scale a service' }).click()
  await offers().filter({ hasText: 'Scale web to 3' }).click()
  await page.locator('.approval.pending').waitFor()
  t.same(complaints, [])
})
