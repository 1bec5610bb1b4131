import t from '../tap.js'
import { asAdmin } from '../app.js'
import { addProvider, startSandbox } from '../routes/account/identity-browser.js'
import { narrow, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t, { OUTBOUND_ALLOW: '127.0.0.1' })
const main = page.locator('main')
const sandbox = await startSandbox(t)

t.test('an admin adds a provider, and its test says what is wrong', async (t) => {
  await visit(page, `${url}/#/settings/identity`, 'Settings')
  await main.getByRole('button', { name: 'Add a provider' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name on the button').fill('Acme')
  await dialog.getByLabel('Issuer').fill(sandbox.issuer)
  await dialog.getByLabel('Client id').fill(sandbox.client.id)
  await dialog.getByLabel('Client secret').fill('a wrong one')
  await dialog.getByLabel('Create a person at the first sign-in').check()
  await dialog.getByLabel('Claim with groups').fill('groups')
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByLabel('Group there').fill('leads')
  await dialog.getByLabel('Role here').selectOption('approver')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'identity-dialog')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await main.getByRole('button', { name: 'Test Acme' }).click()
  await main.getByText('It does not know the client id, or refuses its secret').waitFor()
  await main.getByRole('button', { name: 'Change Acme' }).click()
  await page.getByRole('dialog').getByLabel('Client secret').fill(sandbox.client.secret)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await main.getByRole('button', { name: 'Test Acme' }).click()
  await main.getByText(/It knows the client/).waitFor()
  await shoot(page, 'identity-provider')
  t.same([await seriousFindings(page), complaints], [[], []])
  await narrow(t, { app, url }, ['settings/identity'])
})

t.test('the page of signing in has a button for each provider, by keyboard and on a phone', async (t) => {
  const issuer = `${sandbox.issuer}/other`
  await addProvider(app, { issuer, client: sandbox.client },
    { name: '<b>Other</b> & a long name of a company that is here' })
  sandbox.behaviour.person = { sub: 'ada', name: 'Ada', groups: ['leads'] }
  const context = await page.context().browser()?.newContext({ viewport: { width: 375, height: 700 } })
  if (!context) throw new Error('There is no browser')
  t.teardown(() => context.close())
  const phone = await context.newPage()
  await phone.goto(`${url}/sign-in?return_to=/sign-in`)
  const acme = phone.getByRole('link', { name: 'Sign in with Acme' })
  await acme.waitFor()
  await phone.getByRole('link', { name: 'Sign in with <b>Other</b>' }).waitFor()
  t.same(await seriousFindings(phone), [])
  const wide = await phone.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth')
  t.equal(wide, false, 'nothing is cut off')
  await shoot(phone, 'identity-sign-in')
  await acme.focus()
  await phone.keyboard.press('Enter')
  await phone.getByText('Signed in as').waitFor()
  t.equal(await phone.locator('#name').textContent(), 'Ada')
  t.equal(await phone.locator('#role').textContent(), 'approver')
  const people = (await app.inject({ url: '/account/users', headers: asAdmin })).json().items
  const { id } = people.find(({ name }: { name: string }) => name === 'Ada')
  await visit(page, `${url}/#/settings/members/${id}`, 'Settings')
  await main.getByText('the role approver comes from there').waitFor()
  t.same(await seriousFindings(page), [])
  await phone.getByRole('button', { name: 'Sign out' }).click()
  await phone.waitForURL(/\/logout\?/)
  await phone.goto(`${url}/sign-in`)
  await acme.waitFor()
})
