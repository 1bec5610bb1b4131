import type { Page } from 'playwright-core'
import t from '../tap.js'
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
  await until(async () => await page.evaluate(
    `Object.keys(localStorage).some((key) => key.startsWith('steward-content-${record.id}'))`))
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

t.test('what two windows type of one text is kept for both, and each is offered', async (t) => {
  const project = await makeProject(app, 'Two windows')
  await setBrand(app, project, {})
  const record = (await actor(app).post('', draft(project, { body_markdown: 'Saved.' }))).json<
    { id: string, title: string }>()
  const text = (on: Page) => on.getByRole('textbox', { name: 'Text, in Markdown' })
  const windows = [await page.context().newPage(), await page.context().newPage()]
  for (const one of windows) await one.goto(`${url}/#/content/${record.id}/edit`)
  for (const [at, one] of windows.entries()) await text(one).fill(`Typed in window ${at + 1}.`)
  await until(() => page.evaluate(
    `Object.keys(localStorage).filter((key) => key.startsWith('steward-content-${record.id}')).length === 2`))
  for (const one of windows) await one.close()
  await go(`content/${record.id}/edit`, record.title)
  const take = page.getByRole('button', { name: 'Take it up' })
  const taken: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    await take.click()
    taken.push(await text(page).inputValue())
  }
  t.same(taken, [2, 1, 2].map((number) => `Typed in window ${number}.`), 'what it replaces comes next')
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
