import t from 'tap'
import type { Page } from 'playwright-core'
import { until } from '../chat.js'
import { actor, generate, makeSession } from '../routes/pse/actors.js'
import { seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const dialog = page.getByRole('dialog')
const text = '# Features\n\nDoors must open.\n\nLamps must glow at night.\n\nThe limit must be TBD.\n'

const make = async () => {
  const { id, path } = await makeSession(app, text)
  await generate(app, path)
  return { id, path, open: (on: Page = page) => visit(on, `${url}/#/specs/${id}`, 'Parcel lockers') }
}
/** Each tab is a process: what one has stored comes to the others in a moment. */
const isStored = (words: string) => until(async () =>
  await page.evaluate<boolean>(`Object.values(localStorage).some((each) => each.includes(${JSON.stringify(words)}))`))
const countStored = () =>
  page.evaluate<number>("Object.keys(localStorage).filter((key) => key.startsWith('steward-spec-')).length")
const resume = (name: string) => main.getByRole('button', { name: `Go on with: ${name}` })

t.test('what was typed is offered after the tab was closed, and gone once it is saved', async (t) => {
  const { path, open } = await make()
  const other = await page.context().newPage()
  await open(other)
  await other.getByRole('button', { name: 'Edit FR-001', exact: true }).click()
  await other.getByRole('dialog').getByLabel('Statement').fill('THE SYSTEM SHALL be typed and lost.')
  await isStored('typed and lost')
  await other.close()
  await open()
  await resume('FR-001').waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'spec-kept')
  await resume('FR-001').click()
  await dialog.getByText('This is what you typed earlier').waitFor()
  t.equal(await dialog.getByLabel('Statement').inputValue(), 'THE SYSTEM SHALL be typed and lost.')
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.equal(await resume('FR-001').count(), 0)
  t.equal(await countStored(), 0)
  t.match((await actor(app).json(`${path}/versions/2`)).document.requirements,
    [{ statement: 'THE SYSTEM SHALL be typed and lost.' }])
})

t.test('a new task survives a reload, and is gone once it is discarded', async (t) => {
  const { open } = await make()
  await open()
  await main.locator('summary', { hasText: 'Add a part' }).click()
  await main.getByRole('button', { name: 'Tasks', exact: true }).click()
  await dialog.getByLabel('Title').fill('Order steel')
  await page.reload()
  await resume('Tasks').click()
  t.equal(await dialog.getByLabel('Title').inputValue(), 'Order steel')
  await dialog.getByLabel('Title').fill('Order more steel')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.equal(await resume('Tasks').count(), 0)
  t.equal(await countStored(), 0)
})

t.test('what is kept of a part that others have changed is shown beside their text', async () => {
  const { path, open } = await make()
  await open()
  await page.getByRole('button', { name: 'Edit FR-001', exact: true }).click()
  await dialog.getByLabel('Statement').fill('Mine.')
  await actor(app).post(`${path}/inputs`, {
    inputs: [{
      kind: 'edit', base_version: 1, ops: [{ op: 'replace', target: 'FR-001', value: { statement: 'Theirs.' } }]
    }]
  })
  await page.reload()
  await resume('FR-001').click()
  await dialog.getByRole('region', { name: 'What v2 says' }).getByText('Theirs.').waitFor()
  await dialog.getByRole('button', { name: 'Throw it away' }).click()
  await until(async () => await dialog.getByLabel('Statement').inputValue() === 'Theirs.')
})

t.test('an answer, an input and a waiver are there again after a reload, until they are sent', async (t) => {
  const { id, open } = await make()
  await open()
  const answer = page.getByRole('textbox', { name: 'Answer to Q-1', exact: true })
  await answer.fill('It is five.')
  await page.getByRole('link', { name: 'Inputs', exact: true }).click()
  await page.getByRole('button', { name: 'Add an input' }).click()
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Mats must be clean.')
  await page.reload()
  await page.getByRole('button', { name: 'Add an input' }).click()
  t.equal(await dialog.getByRole('textbox', { name: 'Text' }).inputValue(), 'Mats must be clean.')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Checks', exact: true }).click()
  await page.getByRole('button', { name: /^Waive/ }).first().click()
  await dialog.getByLabel('Reason').fill('Accepted for now.')
  await page.reload()
  await page.getByRole('button', { name: /^Waive/ }).first().click()
  t.equal(await dialog.getByLabel('Reason').inputValue(), 'Accepted for now.')
  await dialog.getByRole('button', { name: 'Waive' }).click()
  await dialog.waitFor({ state: 'detached' })
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  t.equal(await answer.inputValue(), 'It is five.')
  await page.getByRole('button', { name: 'Answer Q-1', exact: true }).click()
  await main.getByText('Answered: It is five.').waitFor()
  t.same(await page.evaluate(`Object.entries(localStorage).filter(([key]) => key.includes('${id}'))`), [])
})

t.test('nothing that a page did was refused by its policy', async (t) => { t.same(complaints, []) })
