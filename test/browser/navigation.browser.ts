import t from '../tap.js'
import { asAdmin } from '../app.js'
import { openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const client = await startClient(t)
const { app, url, page, complaints } = client
const menu = page.getByRole('navigation', { name: 'Main' })

/** The entries of the menu, from top to bottom, without the number of what waits. */
const entries = async (of = menu) =>
  (await of.getByRole('link').allTextContents()).map((text) => text.replace(/\d+ waiting$/, ''))

t.test('the menu is in the order of the work, and has no entry that is not used yet', async (t) => {
  await visit(page, `${url}/#/home`, 'Home')
  t.same(await entries(),
    ['Home', 'Chat', 'Approvals', 'Services', 'Logs', 'Costs', 'Apps', 'Repositories', 'Automations', 'Settings'])
  t.same(await menu.getByRole('heading').allTextContents(), ['Operate', 'Ship', 'Workspace'])
  await shoot(page, 'menu')
})

t.test('projects and cloud accounts are parts of the settings, from one to the next', async (t) => {
  await menu.getByRole('link', { name: 'Settings' }).click()
  const parts = page.getByRole('navigation', { name: 'Parts of the settings' })
  await parts.getByRole('link', { name: 'Projects' }).click()
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  await parts.locator('[aria-current=page]', { hasText: 'Projects' }).waitFor()
  await menu.locator('[aria-current=page]', { hasText: 'Settings' }).waitFor()
  await parts.getByRole('link', { name: 'Cloud accounts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Cloud accounts' }).waitFor()
  await parts.locator('[aria-current=page]', { hasText: 'Cloud accounts' }).waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'settings-accounts')
  await parts.getByRole('link', { name: 'Preferences' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})

t.test('Specs and Content are in the menu when a person chooses so', async (t) => {
  const box = page.getByRole('checkbox', { name: 'Show Specs and Content' })
  await box.check()
  await menu.getByRole('link', { name: 'Specs' }).waitFor()
  t.same((await entries()).slice(-4), ['Specs', 'Content', 'Automations', 'Settings'])
  t.same(await seriousFindings(page), [])
  await page.reload()
  await menu.getByRole('link', { name: 'Content' }).waitFor()
  t.ok(await box.isChecked(), 'the browser remembers it')
  await box.uncheck()
  await menu.getByRole('link', { name: 'Content' }).waitFor({ state: 'detached' })
})

t.test('Specs and Content are in the menu while one is open, and from the first spec on', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  const nav = other.page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Approvals' }).waitFor()
  t.notOk((await entries(nav)).includes('Specs'))
  await visit(other.page, `${url}/#/standards`, 'Standards')
  await nav.locator('[aria-current=page]', { hasText: 'Specs' }).waitFor()
  await nav.getByRole('link', { name: 'Costs' }).click()
  await nav.getByRole('link', { name: 'Specs' }).waitFor({ state: 'detached' })
  await visit(other.page, `${url}/#/specs`, 'Specs')
  const made = await app.inject({ method: 'POST', url: '/pse/sessions', headers: asAdmin, payload: { title: 'Lockers' } })
  t.equal(made.statusCode, 201, made.payload)
  await nav.getByRole('link', { name: 'Costs' }).click()
  await other.page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor()
  await other.page.reload()
  await nav.getByRole('link', { name: 'Specs' }).waitFor()
  t.ok((await entries(nav)).includes('Content'))
  t.same(other.complaints, [])
})

t.test('the palette leads to what the menu does not have', async (t) => {
  await visit(page, `${url}/#/home`, 'Home')
  for (const [words, heading] of [['specs', 'Specs'], ['projects', 'Projects'], ['cloud', 'Cloud accounts']] as const) {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill(words)
    await page.getByRole('option', { selected: true }).filter({ hasText: heading }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  t.same(complaints, [])
})
