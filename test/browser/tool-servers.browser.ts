import t from '../tap.js'
import { scripted } from '../chat.js'
import { readTool, sendTool, startServer } from '../routes/toolservers/actors.js'
import { narrow, seriousFindings, sendMessage, shoot, startClient, visit } from './browser.js'

const steward = await startClient(t, { OUTBOUND_ALLOW: '127.0.0.1' })
const { app, anthropic, url, page, complaints } = steward
const main = page.locator('main')
const server = await startServer(t)

t.test('an address that is no tool server is refused in words, and the form keeps what was typed', async (t) => {
  await visit(page, `${url}/#/settings/tools`, 'Settings')
  await main.getByRole('textbox', { name: 'Name' }).fill('post')
  await main.getByLabel('Address').fill('http://127.0.0.1:1/mcp')
  await main.getByRole('button', { name: 'Add' }).click()
  await main.getByRole('alert').filter({ hasText: /answer|connect|reach/ }).waitFor()
  t.equal(await main.getByRole('textbox', { name: 'Name' }).inputValue(), 'post')
  t.same(await seriousFindings(page), [])
})

t.test('a server is added, and shows its tools and how each runs', async (t) => {
  await main.getByLabel('Address').fill(server.url)
  await main.getByRole('button', { name: 'Add' }).click()
  await main.getByText('post__send_letter').waitFor()
  t.equal(await main.getByLabel('How post__send_letter runs').inputValue(), 'ask')
  await shoot(page, 'tool-servers')
  t.same(await seriousFindings(page), [])
})

t.test('the approval of a call says that there is no preview', async (t) => {
  await visit(page, `${url}/#/`)
  await sendMessage(page, scripted(anthropic, [
    { content: [{ type: 'tool_use', name: 'post__send_letter', input: { to: 'Ada' } }] },
    { content: [{ type: 'text', text: 'Done.' }] }
  ]))
  await page.locator('.approval').getByText('No preview: this server does not offer one').waitFor()
  await shoot(page, 'tool-server-approval')
  t.same([await seriousFindings(page), server.calls], [[], []])
  await page.locator('.approval').getByRole('button', { name: 'Approve' }).click()
  await page.locator('.call.succeeded').waitFor()
  t.equal(server.calls.length, 1)
})

t.test('a tool that has changed shows its diff and is accepted', async (t) => {
  server.tools = [{ ...sendTool, description: 'Sends a letter to everybody.' }, readTool]
  await visit(page, `${url}/#/settings/tools`, 'Settings')
  await main.getByRole('button', { name: 'Refresh post' }).click()
  const diff = main.getByRole('region', { name: 'What has changed in post__send_letter' })
  t.match(await diff.textContent(), /to everybody/)
  await shoot(page, 'tool-server-changed')
  t.same(await seriousFindings(page), [])
  await narrow(t, { app, url }, ['settings/tools'])
  await main.getByRole('button', { name: 'Accept post__send_letter' }).click()
  await diff.waitFor({ state: 'detached' })
  t.same(complaints, [])
})
