import t from '../tap.js'
import { asAdmin } from '../app.js'
import { judgeDark, seriousFindings, shoot, startClient, visit } from './browser.js'
import { read } from '../flows/asking.js'
import { cardsOf } from './cards.js'

const steward = await startClient(t)
const { app, url, page, complaints } = steward
const { ask, card, scale } = await cardsOf(steward)
const main = page.locator('main')
const entry = (text: string | RegExp) => main.locator('details').filter({ hasText: text })

t.test('a write is one sentence: who asked, who decided, how it ended; it unfolds to its steps, and to the record', async (t) => {
  await scale(2)
  await ask(4)
  await card.focus()
  await page.keyboard.press('a')
  await page.locator('.call.succeeded').waitFor()
  await ask(9)
  await card.focus()
  await page.keyboard.press('r')
  await page.getByText('The assistant is done').waitFor({ state: 'attached' })
  await visit(page, `${url}/#/settings/record`, 'Settings')
  const approved = entry('from 2 to 4')
  t.match(await approved.locator('summary').textContent(),
    /^Administrator asked to scale service web in cluster prod .* from 2 to 4\. Approved by Administrator\.succeeded/)
  t.equal(await entry(/asked to scale/).count(), 2, 'each write is one entry')
  await approved.locator('summary').press('Enter')
  t.match(await approved.locator('li').allTextContents(), [
    /^Administrator asked for it by assistant\./,
    /^Administrator approved it by browser\./,
    /^Steward sent it\./,
    /^It ended: succeeded \(HTTP 200\)\./
  ])
  t.same(await seriousFindings(page), [])
  await shoot(page, 'audit-log')
  await approved.getByRole('button', { name: 'Show the full record' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'History of a write' })
  await dialog.getByText('Contents').first().click()
  await dialog.locator('pre', { hasText: 'desired_count' }).first().waitFor()
  t.same(await seriousFindings(page), [])
  await page.keyboard.press('Escape')
})

t.test('it is narrowed by target and outcome; a refused request says why, and no code', async (t) => {
  await main.getByRole('combobox', { name: 'Outcome' }).selectOption('rejected')
  await entry('from 4 to 9').getByText('Rejected by Administrator.').waitFor()
  await entry('from 2 to 4').waitFor({ state: 'detached' })
  await main.getByRole('combobox', { name: 'Outcome' }).selectOption('')
  const post = (name: string) => app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name } })
  await post('Harbour')
  t.equal((await post('Harbour')).statusCode, 409)
  await page.reload()
  await entry(/tried to run Create project/).waitFor()
  await entry(/Administrator ran Create project/).first().waitFor()
  t.equal(await main.getByText('project_name_taken').count(), 0)
  await shoot(page, 'audit-log-refused')
  const { items } = await read(app, '/account/audit/writes?limit=1')
  t.match(items, [{ outcome: 'project_name_taken' }])
})

t.test('it fits into 360 px, in the dark', async (t) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await judgeDark(t, page, 'audit log')
  await shoot(page, 'audit-log-small-dark')
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
