import t from '../tap.js'
import { scripted, until } from '../chat.js'
import { openWindow, sendMessage, seriousFindings, shoot, signIn, startClient } from './browser.js'

const { app, anthropic, url } = await startClient(t)

t.test('a message that is typed while the assistant works waits, is taken back or is sent', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  // It would take a minute: it is stopped.
  const text = 'slowly '.repeat(90)
  await sendMessage(other.page, scripted(anthropic, [{ content: [{ type: 'text', text }], chunk: 2, delay_ms: 200 }]))
  await other.page.getByText('slowly').first().waitFor()
  await sendMessage(other.page, scripted(anthropic, [{ content: [{ type: 'text', text: 'Never sent.' }] }]))
  const waiting = other.page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem')
  await waiting.first().waitFor()
  await waiting.getByRole('button', { name: /^Remove from queue/ }).click()
  await waiting.first().waitFor({ state: 'detached' })
  await sendMessage(other.page, scripted(anthropic, [{ content: [{ type: 'text', text: 'Sent then.' }] }]))
  await waiting.first().waitFor()
  t.same(await seriousFindings(other.page), [])
  await other.page.getByRole('button', { name: 'Stop' }).click()
  await other.page.getByText('Sent then.').waitFor()
  t.equal(await waiting.count(), 0)
  t.equal(await other.page.getByText('Never sent.').count(), 0)
  t.same(other.complaints, [])
})

t.test('files are attached, removed, and go with the message', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  const [log, spare] = ['log.txt', 'spare.txt'].map((name) =>
    ({ name, mimeType: 'text/plain', buffer: Buffer.from(`text of ${name}`) }))
  const input = other.page.getByLabel('Files to attach')
  await input.setInputFiles([log ?? [], spare ?? []].flat())
  const attached = other.page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  await attached.getByText('spare.txt').waitFor()
  await attached.getByRole('button', { name: 'Remove spare.txt' }).click()
  await input.setInputFiles({ name: 'a.exe', mimeType: 'text/plain', buffer: Buffer.from([0, 1, 2]) })
  await other.page.getByText('It is neither PNG, JPEG').first().waitFor()
  t.same(await seriousFindings(other.page), [])
  const message = scripted(anthropic, [{ content: [{ type: 'text', text: 'I read it.' }] }])
  await sendMessage(other.page, message)
  await other.page.getByText('I read it.').waitFor()
  const files = other.page.getByRole('list', { name: 'Files of the message' })
  t.same(await files.getByRole('link').allTextContents(), ['log.txt'])
  await other.page.reload()
  await files.getByRole('link', { name: 'log.txt' }).waitFor()
  const request = anthropic.control.requests().findLast(({ body }) => JSON.stringify(body).includes(message))
  t.match(JSON.stringify(request?.body), 'text of log.txt')
  t.notMatch(JSON.stringify(request?.body), 'text of spare.txt')
})

t.test('an answer is asked for again, or gone on from, in a copy: with the files of the message', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  const { page } = other
  const log = { name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('text of the log') }
  await page.getByLabel('Files to attach').setInputFiles([log])
  await page.getByRole('list', { name: 'Attached files' }).getByText('log.txt').waitFor()
  const message = scripted(anthropic, [{ content: [{ type: 'text', text: 'An answer.' }] }])
  await sendMessage(page, message)
  await page.locator('.entry.text').getByText('An answer.').waitFor()
  const second = scripted(anthropic, [{ content: [{ type: 'text', text: 'More.' }] }])
  await sendMessage(page, second)
  await page.locator('.entry.text').getByText('More.').waitFor()
  const from = page.url()
  const requests = anthropic.control.requests().length
  await page.getByRole('button', { name: 'Answer again in a copy of the conversation' }).first().click()
  await until(() => page.url() !== from && /\/chat\//.test(page.url()))
  await until(() => anthropic.control.requests().length > requests)
  await page.locator('.entry.text').first().waitFor()
  const again = JSON.stringify(anthropic.control.requests().findLast(({ body }) =>
    JSON.stringify(body).includes('text of the log'))?.body)
  t.match(again, message.slice(0, 20))
  t.notMatch(again, 'An answer.')
  await page.getByRole('list', { name: 'Files of the message' }).getByText('log.txt').waitFor()
  t.equal(await page.locator('.entry.user').count(), 1)

  await page.goto(from)
  await page.locator('.entry.text').getByText('More.').waitFor()
  await shoot(page, 'answer-actions')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Continue from here in a copy' }).first().click()
  await until(() => page.url() !== from && /\/chat\//.test(page.url()))
  await page.locator('.entry.text').getByText('An answer.').waitFor()
  t.equal(await page.locator('.entry.text').count(), 1)
  t.equal(await page.getByRole('textbox', { name: 'Message to the assistant' }).inputValue(), '')
  t.same(other.complaints, [])
})

t.test('a search shows the words that it found, and where', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  const turn = { content: [{ type: 'text' as const, text: 'The zebra is in the barn.' }] }
  await sendMessage(other.page, scripted(anthropic, [turn]))
  await other.page.locator('.entry.text').getByText('zebra').waitFor()
  await other.page.getByPlaceholder('Search conversations').fill('barn zebra')
  await other.page.locator('.session .excerpt').getByText('The zebra is in the barn.').waitFor()
  await shoot(other.page, 'session-search')
  t.equal(await other.page.locator('.session').count(), 1)
  t.same(await seriousFindings(other.page), [])
})
