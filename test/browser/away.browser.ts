import t from '../tap.js'
import { scripted } from '../chat.js'
import { read, say, wantsToScale } from '../flows/asking.js'
import { makePeople, type Person } from '../flows/voting.js'
import { enablePolicies } from '../policies.js'
import { choose, judgeDark, openWindow, sendMessage, seriousFindings, shoot, startClient, visit } from './browser.js'
import { cardsOf } from './cards.js'

const steward = await startClient(t)
const { app, url, page, complaints, anthropic } = steward
const { ask, isDone, card, count, web, scale } = await cardsOf(steward)
const [ada] = await makePeople(app, ['Ada']) as [Person]

t.test('another person approves for me while I am away, until I end it', async (t) => {
  await visit(page, `${url}/#/settings/away`, 'Settings')
  await page.getByText('No delegates').waitFor()
  await choose(page.getByRole('combobox', { name: 'Delegate' }), 'Ada')
  await page.getByRole('button', { name: 'Add a delegate' }).press('Enter')
  await page.getByRole('row').filter({ hasText: 'Ada for me' }).getByText('active').waitFor()
  t.same(await seriousFindings(page), [])
  const [given] = (await read(app, '/account/delegations')).items
  t.match(given, { to: { id: ada.id }, revoked_at: null })
  t.ok(Math.abs(Date.parse(given.until) - Date.now() - 7 * 86_400_000) < 120_000, 'a week, in the zone of the reader')
  await shoot(page, 'away')
  await page.getByRole('button', { name: 'End: Ada for Administrator' }).press('Enter')
  await page.getByText('ended', { exact: true }).waitFor()
})

t.test('a grant is given from the card, used without asking, and revoked', async (t) => {
  await scale(2)
  await ask(4)
  await card.focus()
  await page.keyboard.press('a')
  await page.locator('.call.succeeded').waitFor()
  await isDone()
  await page.getByRole('button', { name: 'Allow the same for 30 minutes' }).press('Enter')
  await page.getByText('Exactly this change may run again without asking').waitFor()
  // Somebody else undoes it, and the assistant wants the very same change again.
  await scale(2)
  await sendMessage(page, scripted(anthropic, [wantsToScale([web, 4]), say('All right.')]))
  await page.getByText('No approval needed: a grant of yours').waitFor()
  await page.locator('.call.succeeded').nth(1).waitFor()
  t.equal(await count(), 4)
  await visit(page, `${url}/#/settings/grants`, 'Settings')
  const row = page.getByRole('row').filter({ hasText: 'Scale service' })
  await row.getByText('active').waitFor()
  t.equal(await row.getByRole('cell').nth(3).textContent(), '1')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'grants')
  await page.getByRole('button', { name: /^Revoke Scale service/ }).press('Enter')
  await row.getByText('revoked').waitFor()
})

t.test('a call that a policy let run says so, in the stream and after a reload', async (t) => {
  const policy = '@id("small") @outcome("run") permit (principal, action == Action::"scaleService", resource);'
  await enablePolicies(app, policy)
  await scale(2)
  await visit(page, `${url}/#/`)
  await sendMessage(page, scripted(anthropic, [wantsToScale([web, 6]), say('All right.')]))
  await page.getByText(/No approval needed: policy small, version 1: Scale service web/).waitFor()
  await page.locator('.call.succeeded').waitFor()
  t.same(await page.locator('.call .preview td').allTextContents(), ['2', '', '6'])
  t.same(await seriousFindings(page), [])
  await isDone()
  await page.reload()
  await page.getByText('No approval needed: policy small, version 1').waitFor()
  await shoot(page, 'unasked')
})

t.test('both fit into 375 px, in the dark', async (t) => {
  const small = await openWindow(t, {
    viewport: { width: 375, height: 740 }, colorScheme: 'dark', storageState: await page.context().storageState()
  })
  for (const path of ['settings/away', 'settings/grants']) {
    await visit(small.page, `${url}/#/${path}`, 'Settings')
    await small.page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await small.page.setViewportSize({ width: 375, height: 740 })
    t.equal(await small.page.evaluate('document.documentElement.scrollWidth'), 375, path)
    await shoot(small.page, `${path.replace('/', '-')}-375-dark`)
    await judgeDark(t, small.page, path)
  }
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
