import t from '../tap.js'
import { actor, generate, makeSession } from '../routes/pse/actors.js'
import { choose, seriousFindings, shoot, startClient, visit } from './browser.js'
import { cardsOf, cells, holdsFocus } from './cards.js'

const steward = await startClient(t)
const { app, url, page, complaints } = steward
const { web, card, scale, count, inbox } = await cardsOf(steward)
const dialog = page.getByRole('dialog')
const servicePage = `${url}/#/services/${encodeURIComponent(web)}`

t.test('a dialog asks again too when the state changes under it', async (t) => {
  await scale(2)
  await visit(page, servicePage, 'web')
  await page.getByRole('button', { name: 'Scale', exact: true }).click()
  await dialog.getByRole('spinbutton').fill('5')
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await card.waitFor()
  await scale(11)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByText('The state has changed').waitFor()
  t.same(await cells(dialog), ['2', '11 (changed)', '', '5'])
  await holdsFocus(card)
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.equal(await count(), 5)
})

t.test('a read-only call from a dialog needs no approval and shows its result', async (t) => {
  await visit(page, servicePage, 'web')
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Image' }).fill('example.com/shop/web:8.8.8')
  // No dialog asks for a dry run by itself; what decides is the server's plan.
  await page.route('**/api/v1/agent/tool-calls', async (route) => {
    const body = route.request().postDataJSON()
    await route.continue({ postData: JSON.stringify({ ...body, arguments: { ...body.arguments, dry_run: true } }) })
  }, { times: 1 })
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.getByText('This changes nothing, so no approval was needed').waitFor()
  // Its view loads after the words.
  await dialog.getByText(/dry_run|Dry run/).first().waitFor({ state: 'attached' })
  t.equal((await inbox()).length, 0)
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
})

t.test('a spec goes into a pull request after a preview of its files', async (t) => {
  const { id, path } = await makeSession(app, '# Features\n\nDoors must open.\n')
  await generate(app, path)
  await visit(page, `${url}/#/specs/${id}`, 'Parcel lockers')
  await page.getByRole('button', { name: 'Open a pull request' }).click()
  await choose(dialog.getByRole('combobox', { name: 'Repository' }), 'larkspur/web')
  await dialog.getByRole('textbox', { name: 'Folder' }).fill('docs')
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.getByRole('region', { name: /^Changes of File docs/ }).first().waitFor()
  await shoot(page, 'spec-pull')
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('link', { name: /^Pull request #/ }).waitFor()
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Close' }).click()
  t.equal((await actor(app).json(path)).state, 'review', 'the spec itself is as it was')
})

t.test('by the keyboard, a dialog asks before it discards what was typed, and keeps it', async (t) => {
  await visit(page, `${url}/#/projects`, 'Projects')
  const opener = page.getByRole('button', { name: 'New project' })
  const ask = dialog.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await opener.press('Enter')
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await holdsFocus(name)
  await page.keyboard.type('Harbour')
  await page.keyboard.press('Escape')
  await holdsFocus(ask.getByRole('button', { name: 'Keep editing' }))
  t.same(await seriousFindings(page), [])
  await shoot(page, 'dialog-discard')
  // A second Escape in a row closes a dialog in Chromium, unless the key itself is taken.
  await page.keyboard.press('Escape')
  await ask.waitFor({ state: 'detached' })
  await holdsFocus(name)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await ask.waitFor()
  await page.keyboard.press('Enter')
  await ask.waitFor({ state: 'detached' })
  t.equal(await name.inputValue(), 'Harbour')
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
  await holdsFocus(ask.getByRole('button', { name: 'Keep editing' }))
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await holdsFocus(opener)
})

t.test('a dialog in which nothing was typed closes at once, as does one that saved', async (t) => {
  await visit(page, `${url}/#/projects`, 'Projects')
  await page.getByRole('button', { name: 'New project' }).press('Enter')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New project' }).press('Enter')
  await dialog.waitFor()
  await page.keyboard.type('Quay')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Quay' }).waitFor()
  t.equal(await dialog.count(), 0)
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
