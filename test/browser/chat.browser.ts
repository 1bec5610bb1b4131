import t from '../tap.js'
import { asAdmin } from '../app.js'
import { scripted, until } from '../chat.js'
import {
  judgeDark, linkFor, listen, openWindow, sendMessage, seriousFindings, shoot, signIn, startClient
} from './browser.js'

const steward = await startClient(t)
const { app, anthropic, url, page, complaints } = steward
const scale = (count: number) => `Scale web to ${count}`
const card = page.locator('.approval.pending')
const lastText = () => page.locator('.entry.text').last()

const pendingCount = async (): Promise<number> => {
  const answer = await app.inject({ url: '/api/v1/agent/confirmations', headers: asAdmin })
  return answer.json<{ items: unknown[] }>().items.length
}

t.test('the one-time link signs in, once; without it the page shows how', async (t) => {
  const other = await openWindow(t)
  await other.page.goto(url)
  await other.page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor()
  t.same(await seriousFindings(other.page), [])
  await shoot(other.page, 'sign-in')
  await other.page.getByRole('textbox', { name: 'One-time link' }).fill(await linkFor(app))
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.locator('#use').click()
  await other.page.getByRole('link', { name: 'Open Steward' }).waitFor()
  t.notMatch(other.page.url(), /token/, 'the token is gone from the address')
  t.same(await seriousFindings(other.page), [])
  await shoot(other.page, 'one-time-link')
})

t.test('signing in with the code host leads back to the page that was asked for', async (t) => {
  const other = await openWindow(t)
  await other.page.goto(`${url}/#/repositories`)
  await other.page.getByRole('link', { name: 'Sign in with the sandbox' }).click()
  await other.page.waitForURL(/\/sign-in\?/)
  await other.page.getByRole('link', { name: 'Sign in with the sandbox' }).click()
  await other.page.getByRole('button', { name: 'Sign in as Bruno Hartmann (bruno)' }).click()
  await other.page.getByRole('heading', { level: 1, name: 'Repositories' }).waitFor()
  await other.page.locator('main').getByText('larkspur/web').first().waitFor()
  t.equal(other.page.url(), `${url}/#/repositories`)
  t.same(other.complaints, [])
})

t.test('an answer streams in as Markdown, in which nothing runs and nothing is loaded', async (t) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const text = '**Bold**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<img src="http://127.0.0.1:9/x.png" onerror="alert(1)">' +
    '\n\n![far](http://127.0.0.1:9/y.png) [bad](javascript:alert(1)) <script>alert(2)</script>\n\n`done`'
  await sendMessage(page, scripted(anthropic, [{ content: [{ type: 'text', text }] }]))
  await lastText().getByText('done').waitFor()
  t.equal(await lastText().locator('strong').textContent(), 'Bold')
  t.equal(await lastText().locator('td').count(), 2)
  t.equal(await lastText().locator('img, script').count(), 0)
  t.match(await lastText().textContent(), '<img src=', 'HTML is shown as what it is')
  t.equal(await lastText().locator('a[href^="javascript"]').count(), 0)
  t.same(asked.filter((one) => one.includes(':9/')), [], 'no image was fetched')
  t.same(complaints, [])
})

t.test('a call opens and shows a list as a table', async (t) => {
  await sendMessage(page, 'Which clusters do I have?')
  const head = page.locator('.call-head').last()
  await head.getByText('2 entries').waitFor()
  await head.click()
  const names = page.locator('.call-details').last().locator('tbody td:first-child')
  await names.nth(1).waitFor()
  t.same(await names.allTextContents(), ['prod', 'staging'])
  await page.getByText('The assistant is done').waitFor({ state: 'attached' })
  await shoot(page, 'chat')
  t.same(await seriousFindings(page), [])
})

t.test('the model of the session, its effort and its thinking are chosen in the chat', async (t) => {
  const head = page.locator('.thread-head')
  await head.getByRole('button', { name: 'claude-sonnet-5-5' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Model' }).selectOption('claude-opus-5-5')
  await dialog.getByRole('combobox', { name: 'Effort' }).selectOption('high')
  await dialog.getByRole('combobox', { name: 'Thinking' }).selectOption('adaptive')
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await head.getByRole('button', { name: 'claude-opus-5-5' }).click()
  t.equal(await dialog.getByRole('combobox', { name: 'Effort' }).inputValue(), 'high')
  t.equal(await dialog.getByRole('combobox', { name: 'Thinking' }).inputValue(), 'adaptive')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

t.test('an approval shows before and after, and the keyboard decides', async (t) => {
  await sendMessage(page, scale(4))
  await card.waitFor()
  t.same(await card.locator('td').allTextContents(), ['2', '', '4'])
  t.match(await card.textContent(), /expires in/)
  await page.locator('.thread-head h1').filter({ hasNotText: 'New chat' }).waitFor()
  await shoot(page, 'approval')
  t.same(await seriousFindings(page), [])
  await page.keyboard.press('Alt+a')
  await page.locator('.approval.pending:focus').waitFor()
  await page.keyboard.press('r')
  await page.locator('.approval .badge', { hasText: 'rejected' }).last().waitFor()
  await page.getByText('The assistant is done').waitFor({ state: 'attached' })

  await sendMessage(page, scale(4))
  await card.waitFor()
  await page.keyboard.press('Alt+a')
  await page.locator('.approval.pending:focus').waitFor()
  await page.keyboard.press('a')
  await page.locator('.call.succeeded', { hasText: 'Scale service' }).waitFor()
  t.equal(await pendingCount(), 0)
})

t.test('a letter typed into the message decides nothing', async (t) => {
  await page.getByText('The assistant is done').waitFor({ state: 'attached' })
  await sendMessage(page, scale(5))
  await card.waitFor()
  await page.getByRole('textbox', { name: 'Message to the assistant' }).pressSequentially('are')
  t.equal(await pendingCount(), 1)
  await page.getByRole('textbox', { name: 'Message to the assistant' }).fill('')
})

t.test('a reload finds the approval that waits; its arguments are edited, and what was edited runs', async (t) => {
  await page.reload()
  await card.waitFor()
  await card.getByRole('button', { name: 'Edit' }).click()
  await card.getByRole('spinbutton', { name: 'Desired count' }).fill('3')
  await shoot(page, 'edit')
  await card.getByRole('button', { name: 'Approve what is shown' }).click()
  // The second one: another was scaled before.
  const call = page.locator('.call.succeeded', { hasText: 'Scale service' }).nth(1)
  await call.locator('.call-head').click()
  await call.locator('.typed-result .facts').waitFor()
  t.match(await call.locator('.call-details').textContent(), /Previous count4Desired count3/, 'what was edited ran')
})

t.test('the inbox holds what waits, and decides it; another tab sees the decision', async (t) => {
  const second = await page.context().newPage()
  listen(second)
  await second.goto(page.url())
  await second.getByRole('textbox', { name: 'Message to the assistant' }).waitFor()
  await page.getByText('The assistant is done').waitFor({ state: 'attached' })
  await sendMessage(page, scale(6))
  await card.waitFor()
  await second.locator('.approval.pending').waitFor()
  await second.getByRole('link', { name: /^Approvals/ }).click()
  await second.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor()
  await second.locator('.approval.pending').waitFor()
  await shoot(second, 'inbox')
  t.same(await seriousFindings(second), [])
  await second.getByRole('button', { name: 'Approve' }).click()
  await second.locator('.approval .badge', { hasText: 'approved' }).waitFor()
  await second.locator('.approval .badge', { hasText: 'succeeded' }).waitFor()
  await page.locator('.call.succeeded', { hasText: 'Scale service' }).nth(2).waitFor()
  await second.close()
})

t.test('a connection that breaks in mid-answer is joined again: no gap and no repeat', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  const words = Array.from({ length: 400 }, (_, index) => `w${index}`).join(' ')
  let cut = 0
  // Sends the first events of the answer and then breaks off, as a proxy that restarts does.
  await other.page.route('**/api/v1/agent/chat', async (route) => {
    const response = await route.fetch()
    const frames = (await response.text()).split('\n\n')
    cut = Math.ceil(frames.length / 2)
    await route.fulfill({ response, body: `${frames.slice(0, cut).join('\n\n')}\n\n` })
  })
  await sendMessage(other.page, scripted(anthropic, [{ content: [{ type: 'text', text: `${words} end.` }] }]))
  await other.page.locator('.entry.text').getByText('end.').waitFor()
  t.ok(cut > 1, 'it was cut')
  t.equal((await other.page.locator('.entry.text').textContent())?.trim(), `${words} end.`)
  await other.page.reload()
  await other.page.locator('.entry.text').getByText('end.').waitFor()
  t.equal((await other.page.locator('.entry.text').textContent())?.trim(), `${words} end.`)
})

t.test('a run that is live is stopped', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  await sendMessage(other.page, scale(7))
  await other.page.locator('.approval.pending').waitFor()
  await other.page.getByRole('button', { name: 'Stop' }).click()
  await other.page.locator('.approval .badge', { hasText: 'closed' }).waitFor()
  t.equal(await pendingCount(), 0)
})

t.test('sessions are searched, renamed and deleted', async (t) => {
  const sessions = page.getByRole('navigation', { name: 'Conversations' })
  const first = sessions.locator('.session').first()
  await first.hover()
  await first.getByRole('button', { name: /Rename/ }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Zebra crossing')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await sessions.getByText('Zebra crossing').waitFor()
  await page.getByRole('searchbox').fill('zebra')
  await until(async () => await sessions.locator('.session').count() === 1)
  await first.hover()
  await first.getByRole('button', { name: /Delete/ }).click()
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await sessions.getByText('No matches').waitFor()
  t.same(complaints, [])
})

t.test('a session is pinned, rated and shared, and another person reads it', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  const words = `Lemon ${Date.now()}`
  await sendMessage(other.page, `${words}\n${scripted(anthropic, [{ content: [{ type: 'text', text: 'Sour.' }] }])}`)
  await other.page.locator('.entry.text').getByText('Sour.').waitFor()
  const bad = other.page.getByRole('button', { name: 'Bad answer' })
  await bad.click()
  await other.page.getByRole('textbox', { name: /Comment/ }).fill('It was sweet')
  await other.page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await until(async () => await bad.getAttribute('aria-pressed') === 'true')
  await other.page.reload()
  await until(async () => await bad.getAttribute('aria-pressed') === 'true')
  const sessions = other.page.getByRole('navigation', { name: 'Conversations' })
  const row = sessions.locator('.session', { hasText: words })
  await row.hover()
  await row.getByRole('button', { name: /^Pin/ }).click()
  await other.page.getByRole('region', { name: 'Pinned conversations' }).getByText(words).waitFor()
  await other.page.getByRole('button', { name: 'Share', exact: true }).click()
  await other.page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click()
  await other.page.getByRole('button', { name: 'Shared', exact: true }).waitFor()
  t.same(await seriousFindings(other.page), [])
  const [, id] = /chat\/([^/]+)$/.exec(other.page.url()) ?? []
  const made = await app.inject({
    method: 'POST', url: '/account/users', headers: asAdmin, payload: { name: 'Reader', role: 'viewer' }
  })
  const reader = await openWindow(t)
  const link = new URL(made.json().link.url)
  await reader.page.goto(`${url}${link.pathname}${link.hash}`)
  await reader.page.locator('#use').click()
  await reader.page.getByRole('link', { name: 'Open Steward' }).waitFor()
  await reader.page.goto(`${url}/#/shared`)
  await reader.page.getByRole('link', { name: words }).click()
  await reader.page.locator('.entry.text').getByText('Sour.').waitFor()
  t.equal(reader.page.url(), `${url}/#/shared/${id}`)
  t.equal(await reader.page.getByRole('button', { name: 'Bad answer' }).count(), 0)
  t.same(await seriousFindings(reader.page), [])
})

t.test('a message is edited in a copy of its session, which stays as it is', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  await sendMessage(other.page, scripted(anthropic, [{ content: [{ type: 'text', text: 'First.' }] }]))
  await other.page.locator('.entry.text').getByText('First.').waitFor()
  const from = other.page.url()
  await other.page.getByRole('button', { name: 'Edit in a copy' }).click()
  await until(() => other.page.url() !== from && /\/chat\//.test(other.page.url()))
  const box = other.page.getByRole('textbox', { name: 'Message to the assistant' })
  await until(async () => /^please do/.test(await box.inputValue()))
  t.equal(await other.page.locator('.entry').count(), 0)
  await box.fill(scripted(anthropic, [{ content: [{ type: 'text', text: 'Second.' }] }]))
  await box.press('Enter')
  await other.page.locator('.entry.text').getByText('Second.').waitFor()
  await other.page.goto(from)
  await other.page.locator('.entry.text').getByText('First.').waitFor()
  t.same(await seriousFindings(other.page), [])
})

t.test('it is usable at 360 px, in the dark', async (t) => {
  const small = await openWindow(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await signIn(small, app, url)
  await sendMessage(small.page, scale(8))
  await small.page.locator('.approval.pending').waitFor()
  await shoot(small.page, 'chat-small-dark')
  await judgeDark(t, small.page, 'chat')
  await small.page.getByRole('button', { name: 'Menu' }).click()
  await small.page.getByRole('link', { name: /^Approvals/ }).click()
  await small.page.getByRole('button', { name: 'Reject' }).last().click()
  await small.page.locator('.approval .badge', { hasText: 'rejected' }).last().waitFor()
})
