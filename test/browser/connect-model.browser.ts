import type { AddressInfo } from 'node:net'
import { startAnthropicSandbox } from 'steward-sandbox/anthropic'
import t from '../tap.js'
import { buildApp } from '../app.js'
import { openWindow, seriousFindings, sendMessage, shoot, signIn } from './browser.js'

const model = await startAnthropicSandbox({ delayMs: 0 })
t.teardown(() => model.close())
const app = await buildApp(t, { SANDBOX: 'auto', OUTBOUND_ALLOW: new URL(model.url).host })
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
const client = await openWindow(t)
await signIn(client, app, `http://127.0.0.1:${port}`)
const { page, complaints } = client
const field = (name: string) => page.getByLabel(name, { exact: true })

t.test('the chat leads to the form, whose test shows the reply, its time and its price', async (t) => {
  await page.locator('.thread-head').getByRole('link', { name: 'Connect a model' }).click()
  await page.getByText('No model is connected: the chat is guided.').waitFor()
  await page.getByRole('combobox', { name: 'Provider' }).selectOption('compatible')
  await field('Address').fill('http://10.1.2.3')
  await field('API key').fill('sk-0123456789')
  await field('Model').fill('claude-sonnet-5-5')
  await field('Input').fill('3')
  await field('Output').fill('15')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.locator('.problem').getByText('The address is not a public one').waitFor()
  await shoot(page, 'connect-model-refused')
  await field('Address').fill(model.url)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText(/claude-sonnet-5-5 answered in \d+\.\d s/).waitFor()
  await page.getByText(/Cost of this test: \$0\.\d+ \(USD 3 per million tokens in, 15 out\)/).waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'connect-model')
})

t.test('a connected model answers at once, and the chat names it', async (t) => {
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('claude-sonnet-5-5 answers, connected here.').waitFor()
  t.equal(await field('API key').inputValue(), '')
  t.equal(await field('API key').getAttribute('placeholder'), 'Stored; leave empty to keep it')
  await page.goto(`http://127.0.0.1:${port}/#/`)
  await page.locator('.thread-head').getByText(/claude-sonnet-5-5/i).first().waitFor()
  t.equal(await page.getByText('Guided, no model.').count(), 0)
  await sendMessage(page, 'Hello')
  await page.getByText('The assistant is done').waitFor({ state: 'attached' })
  t.same(await seriousFindings(page), [])
})

t.test('disconnecting it brings the guided chat back', async (t) => {
  await page.goto(`http://127.0.0.1:${port}/#/settings/model`)
  await page.getByRole('button', { name: 'Disconnect the model' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('No model is connected: the chat is guided.').waitFor()
  t.same(complaints.filter((text) => !/422/.test(text)), [])
})
