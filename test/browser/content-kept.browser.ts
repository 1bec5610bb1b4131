import type { Page } from 'playwright-core'
import t from 'tap'
import { until } from '../chat.js'
import { actor, draft, makeProject, setBrand } from '../routes/content/actors.js'
import { seriousFindings, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const go = (path: string, heading: string) => visit(page, `${url}/#/${path}`, heading)

t.test('text that was not saved is kept, and taken up in another window', async (t) => {
  const project = await makeProject(app, 'Kept')
  await setBrand(app, project, {})
  const made = await actor(app).post('', draft(project, { body_markdown: 'What was saved.' }))
  const record = made.json<{ id: string, title: string }>()
  const text = (on: Page = page) => on.getByRole('textbox', { name: 'Text, in Markdown' })
  const other = await page.context().newPage()
  await other.goto(`${url}/#/content/${record.id}/edit`)
  await text(other).fill('What was typed, and lost with the tab.')
  // Each tab is a process: what one has stored comes to the others in a moment, or is lost with it.
  await until(async () => await page.evaluate(`localStorage.getItem('steward-content-${record.id}')`) !== null)
  await other.close()
  await go(`content/${record.id}/edit`, record.title)
  await main.getByText('You have text here that was not saved').waitFor()
  t.equal(await text().inputValue(), 'What was saved.')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Take it up' }).click()
  t.equal(await text().inputValue(), 'What was typed, and lost with the tab.')
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await main.locator('.marked-text', { hasText: 'lost with the tab' }).waitFor()
  await go(`content/${record.id}/edit`, record.title)
  await text().waitFor()
  t.equal(await main.getByText('You have text here').count(), 0, 'nothing is left to take up')
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
